"""What was asked of sites, over which rung and with which outcome; and what was not
asked for, by which rule."""

from collections.abc import Sequence
from dataclasses import fields

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import AccessOutcome, Skip
from crawloop_assets.store.rows import append, now, select_rows

_OUTCOME = tuple(field.name for field in fields(AccessOutcome))


def record_access(connection: Connection, outcomes: Sequence[AccessOutcome]) -> None:
    """Write access outcomes."""
    moment = now()
    rows = [
        {name: getattr(outcome, name) for name in _OUTCOME} | {"created_at": moment}
        for outcome in outcomes
    ]
    append(connection, "access_outcomes", rows)


def attempts(connection: Connection, url: str, limit: int) -> list[AccessOutcome]:
    """The last attempts at a url, newest first."""
    rows = select_rows(
        connection,
        "select domain, rung, outcome, url, family, run_id, status, ms, coalesce(reason, '') as reason, created_at "
        "from access_outcomes where url = ? order by created_at desc, rowid desc limit ?",
        [url, limit],
    )
    return [AccessOutcome(**row) for row in rows]


def record_skips(
    connection: Connection, family: str, skipped: Sequence[tuple[str, str]]
) -> None:
    """Keep what a discovery did not take, in place of what the one before did not."""
    moment = now()
    connection.execute("delete from skips where family = ?", [family])
    rows = [
        {"family": family, "url": url, "rule": rule, "seen_at": moment}
        for url, rule in skipped
    ]
    append(connection, "skips", rows)


def skips(connection: Connection, url: str) -> list[Skip]:
    """The rules by which a url was not taken, one per family at most."""
    rows = select_rows(
        connection,
        "select family, url, rule, seen_at from skips where url = ? order by family",
        [url],
    )
    return [Skip(**row) for row in rows]
