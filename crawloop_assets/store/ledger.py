"""What was done and what it cost: audit log and model calls."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import (
    AuditEvent,
    LlmCall,
    Spent,
)
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind

Allows = Callable[[Spent], float]
"""What says how much a call may cost at most; raises where it may not be made."""

CACHED, UNANSWERED = "cached", "under way"
"""Outcomes: an answer that was kept, which is no call, and a call without an answer
yet."""

_SUMS = f"""coalesce(sum(usd), 0), count(*) filter (where usd is null), count(*),
coalesce(sum(coalesce(usd, reserved)), 0),
coalesce(sum(reserved) filter (where outcome = '{UNANSWERED}' and created_at > now() - interval '10 minutes'), 0)"""


def write_audit(
    connection: Connection,
    kind: AuditKind,
    family: str | None,
    run_id: str | None,
    detail: Mapping[str, Any],
) -> None:
    """Write one line of the audit log."""
    row = {
        "created_at": now(),
        "kind": kind.value,
        "family": family,
        "run_id": run_id,
        "detail": as_json(detail),
    }
    append(connection, "audit", [row])


def audits(
    connection: Connection, family: str | None, kind: AuditKind | None, limit: int
) -> list[AuditEvent]:
    """The last lines of the audit log, newest last."""
    rows = select_rows(
        connection,
        "select created_at, kind, family, run_id, detail from audit where (?::varchar is null or family = ?) "
        "and (?::varchar is null or kind = ?) order by rowid desc limit ?",
        [family, family, kind, kind, limit],
    )
    parsed = [
        row | {"kind": AuditKind(row["kind"]), "detail": json.loads(row["detail"])}
        for row in rows
    ]
    return [AuditEvent(**row) for row in reversed(parsed)]


def record_calls(connection: Connection, calls: Sequence[LlmCall]) -> None:
    """Write model calls."""
    moment = now()
    append(
        connection,
        "llm_calls",
        [asdict(call) | {"created_at": moment} for call in calls],
    )


def calls_of(connection: Connection, runs: Sequence[str]) -> list[LlmCall]:
    """The model calls of some runs, in order."""
    rows = select_rows(
        connection,
        "select family, run_id, purpose, model, tokens_in, tokens_out, usd, ms, prompt_sha256, outcome, wave, reserved, "
        "prompt from llm_calls where run_id in (select unnest(?::varchar[])) order by created_at, rowid",
        [list(runs)],
    )
    return [LlmCall(**row) for row in rows]


def spent(
    connection: Connection, family: str | None, since: datetime, wave: str | None = None
) -> Spent:
    """What a family (or all) spent on models since a moment, and in a wave ever."""
    row = connection.execute(
        f"select {_SUMS} from llm_calls "
        "where ($1::varchar is null or family = $1) and outcome <> $3 and created_at >= $2",
        [family, since, CACHED],
    ).fetchall()[0]
    of_wave = connection.execute(
        "select coalesce(sum(coalesce(usd, reserved)), 0) from llm_calls where family = ? and wave = ?",
        [family, wave],
    ).fetchall()[0][0]
    usd, unknown, calls, counted, unanswered = row
    return Spent(usd, unknown, calls, counted, unanswered, of_wave)


_LENGTHS = """
select coalesce(max(tokens_out), 0) from (select tokens_out from llm_calls where family = ? and purpose = ? and model = ?
and outcome in ('ok', 'repaired') order by created_at desc limit 50) as answers having count(*) >= 3
"""


def _longest_answer(connection: Connection, like: LlmCall) -> int:
    """Tokens of the longest of the last answers to questions of a kind; 0 if there were
    too few."""
    rows = connection.execute(
        _LENGTHS, [like.family, like.purpose, like.model]
    ).fetchall()
    return int(rows[0][0]) if rows else 0


def reserve_call(
    connection: Connection, call: LlmCall, since: datetime, allows: Allows
) -> str:
    """Write down a call that is about to be made, if what was spent since a moment
    allows it; its id.

    What `allows` raises goes through, and nothing is written.
    """
    used = spent(connection, call.family, since, call.wave)
    reserved = allows(replace(used, longest=_longest_answer(connection, call)))
    name = uuid4().hex
    row = {"created_at": now(), "id": name, "reserved": reserved, "outcome": UNANSWERED}
    append(connection, "llm_calls", [asdict(call) | row])
    return name


def settle_call(connection: Connection, name: str, call: LlmCall) -> None:
    """What came of a call that was written down before it was made."""
    connection.execute(
        "update llm_calls set tokens_in = ?, tokens_out = ?, usd = ?, ms = ?, outcome = ?, reserved = ? where id = ?",
        [
            call.tokens_in,
            call.tokens_out,
            call.usd,
            call.ms,
            call.outcome,
            call.reserved,
            name,
        ],
    )
