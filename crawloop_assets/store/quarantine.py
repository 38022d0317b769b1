"""Pages held back: at most one open entry per url, decided by a later commit or by a
person."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from itertools import filterfalse
from operator import attrgetter
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.models import (
    BatchCommit,
    HeldReason,
    QuarantinedPage,
)
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind, HeldState, UrlState

_IN = "in (select unnest(?::varchar[]))"


def hold(connection: Connection, commit: BatchCommit, moment: datetime) -> None:
    """Open an entry per held page; every earlier open entry of a url this commit
    decided is superseded."""
    decided = {page.url for page in commit.served} | {page.url for page in commit.held}
    decided |= {*commit.unchanged, *commit.gone, *commit.aliases}
    decided |= {page.url for page in commit.fetched if page.state is UrlState.REFUSED}
    connection.execute(
        f"update quarantine set state = ?, decided_at = ? where family = ? and state = ? and url {_IN}",
        [
            HeldState.SUPERSEDED.value,
            moment,
            commit.family.family,
            HeldState.HELD.value,
            sorted(decided),
        ],
    )
    rows = []
    for page in commit.held:
        name = "\n".join((commit.family.family, commit.batch, commit.run_id, page.url))
        rows.append(
            {
                "id": hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16],
                "family": commit.family.family,
                "batch": commit.batch,
                "run_id": commit.run_id,
                "url": page.url,
                "page_sha256": page.page_sha256,
                "version": page.version,
                "reasons": as_json(
                    [reason.model_dump(mode="json") for reason in page.reasons]
                ),
                "values": as_json(list(page.values)),
                "votes": as_json(page.votes),
                "state": HeldState.HELD.value,
                "held_at": moment,
            }
        )
    append(connection, "quarantine", rows)


def entries(
    connection: Connection, family: str | None, state: HeldState | None
) -> list[QuarantinedPage]:
    """Entries, oldest first."""
    rows = select_rows(
        connection,
        'select id, family, batch, run_id, url, page_sha256, version, reasons, "values", votes, state, held_at, '
        "decided_at, decided_by from quarantine where (?::varchar is null or family = ?) "
        "and (?::varchar is null or state = ?) order by held_at, url",
        [family, family, state, state],
    )
    return list(map(_entry, rows))


def open_entries(
    connection: Connection, family: str, ids: Sequence[str]
) -> list[QuarantinedPage]:
    """The entries of these ids.

    ConfigError naming every id that is not open in this family.
    """
    found = {entry.id: entry for entry in entries(connection, family, HeldState.HELD)}
    if missing := list(filterfalse(found.__contains__, ids)):
        raise ConfigError(
            f"not in quarantine of {family}: {', '.join(missing)}",
            hint="it may be decided already",
        )
    return [found[id_] for id_ in dict.fromkeys(ids)]


def decide_quarantined(
    connection: Connection,
    ids: Sequence[str],
    state: HeldState,
    who: str,
    moment: datetime,
) -> None:
    """Close entries."""
    connection.execute(
        f"update quarantine set state = ?, decided_at = ?, decided_by = ? where id {_IN}",
        [state.value, moment, who, list(ids)],
    )


def discard(
    connection: Connection,
    family: str,
    ids: Sequence[str],
    who: str,
    why: str,
    run_id: str | None,
) -> None:
    """Close entries without publishing them."""
    entries = open_entries(connection, family, ids)
    decide_quarantined(connection, ids, HeldState.REJECTED, who, now())
    detail = {
        "ids": list(ids),
        "who": who,
        "why": why,
        "urls": list(map(attrgetter("url"), entries)),
    }
    write_audit(connection, AuditKind.QUARANTINE_REJECTED, family, run_id, detail)


def _entry(row: dict[str, Any]) -> QuarantinedPage:
    row["reasons"] = tuple(
        HeldReason(**reason) for reason in json.loads(row["reasons"])
    )
    row["values"] = tuple(json.loads(row["values"]))
    row["votes"] = json.loads(row["votes"])
    row["state"] = HeldState(row["state"])
    return QuarantinedPage(**row)
