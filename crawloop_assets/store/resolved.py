"""When what a check said was over, and by whom: a red report is resolved by the first
green commit of its batch."""

from datetime import datetime
from operator import attrgetter
from typing import Any

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import BatchCommit
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import AuditKind

_DECISIONS = (
    AuditKind.CRAWLER_APPROVED,
    AuditKind.CRAWLER_ROLLED_BACK,
    AuditKind.QUESTION_ACCEPTED,
    AuditKind.QUESTION_TAUGHT,
    AuditKind.QUARANTINE_RELEASED,
)
_OPEN = (
    "family = ? and batch = ? and not passed and severity = 'error' and resolved_at is null "
    "and run_id <> ?"
)


def resolve_reports(
    connection: Connection, commit: BatchCommit, moment: datetime
) -> None:
    """Close the red reports of a batch that is green now: by the person who decided
    something of the family since, else by the version that reads it."""
    if not commit.report.passed or commit.stats.get("drifted"):
        return
    place = [commit.family.family, commit.batch, commit.run_id]
    (found,) = select_rows(
        connection,
        f"select min(created_at) as since from drift_reports where {_OPEN}",
        place,
    )
    if found["since"] is None:
        return
    by = _decided_by(connection, commit.family.family, found["since"])
    connection.execute(
        f"update drift_reports set resolved_at = ?, resolved_by = ? where {_OPEN}",
        [moment, by or f"v{commit.version}", *place],
    )


def _decided_by(connection: Connection, family: str, since: datetime) -> Any:
    """Who last decided something about a family since a moment, None if nobody did."""
    kinds = list(map(attrgetter("value"), _DECISIONS))
    (row,) = select_rows(
        connection,
        "select arg_max(detail->>'who', created_at) as who from audit "
        "where family = ? and created_at > ? and kind in (select unnest(?::varchar[])) "
        "and coalesce(detail->>'who', '') <> ''",
        [family, since, kinds],
    )
    return row["who"]
