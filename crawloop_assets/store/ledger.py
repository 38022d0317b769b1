"""What was done and what it cost: audit log and model calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import (
    AuditEvent,
    LlmCall,
    Spent,
)
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind


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
        "and (?::varchar is null or kind = ?) order by created_at desc, rowid desc limit ?",
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
        "select family, run_id, purpose, model, tokens_in, tokens_out, usd, ms, prompt_sha256, outcome from llm_calls "
        "where run_id in (select unnest(?::varchar[])) order by created_at, rowid",
        [list(runs)],
    )
    return [LlmCall(**row) for row in rows]


def spent(connection: Connection, family: str | None, since: datetime) -> Spent:
    """What a family (or all) spent on models since a moment."""
    row = connection.execute(
        "select coalesce(sum(usd), 0), count(*) filter (where usd is null), count(*) from llm_calls "
        "where (?::varchar is null or family = ?) and created_at >= ?",
        [family, family, since],
    ).fetchall()[0]
    return Spent(usd=row[0], unknown_cost_calls=row[1], calls=row[2])
