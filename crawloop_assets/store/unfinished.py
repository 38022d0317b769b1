"""What refreshes left undone: pages that could not be had or were not asked for, and
when each batch was made last."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from crawloop_assets.page import LEFT_FOR_LATER, Verdict
from crawloop_assets.store.db import Database
from crawloop_assets.store.frontier import IS_DUE
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.reviews import ByWhom
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import AuditKind, UrlState

_NOT_HAD = (Verdict.TRANSIENT, *sorted(LEFT_FOR_LATER))
_DUE = f"""
    select family, batch, max(added_at) filter (where fetched_at is null) as newest from frontier
    where state = $1 and family in (select unnest($2::varchar[])) and {IS_DUE} group by 1, 2
"""
_LEFT = f"""
    select distinct family, batch, regexp_extract(url, '^[a-z]+://([^/?#]+)', 1) as host
    from frontier where state = $1 and {IS_DUE}
    and (verdict in (select unnest($2::varchar[])) or fetched_at is null)
    and batch in (select batch from materializations where family = frontier.family)
"""
_FAILED = """
    family = $1 and state = $2 and (verdict in (select unnest($3::varchar[])) or fetched_at is null)
    and batch in (select batch from materializations where family = $1)
"""


class DueBatches(NamedTuple):
    """Batches of a family with urls that are due, and when the newest url of them was found
    that nobody has asked for; None if there is none."""

    batches: list[str]
    newest: datetime | None


class Unfinished:
    """Read from the frontier and the commits."""

    def __init__(self, database: Database):
        self._database = database

    def left(self, moment: datetime) -> dict[str, dict[str, set[str]]]:
        """Family -> batches that were made while some of their pages were not: with the
        hosts of those that may be asked for again by now.

        Batches that were never made are left to whoever starts their first refresh.
        """
        asked = [UrlState.ACTIVE.value, list(_NOT_HAD), moment]
        found: dict[str, dict[str, set[str]]] = defaultdict(dict)
        with self._database.read() as connection:
            for row in select_rows(connection, _LEFT, asked):
                hosts = found[row["family"]].setdefault(row["batch"], set())
                hosts.add(row["host"])
        return dict(found)

    def due(self, families: Sequence[str], moment: datetime) -> dict[str, DueBatches]:
        """Family -> its batches with active urls that are due; of these families, those
        with some."""
        asked = [UrlState.ACTIVE.value, list(families), moment]
        found = defaultdict[str, list[dict[str, Any]]](list)
        with self._database.read() as connection:
            for row in select_rows(connection, _DUE, asked):
                found[row["family"]].append(row)
        return {family: _due_batches(rows) for family, rows in found.items()}

    def retry(self, family: str, by: ByWhom) -> dict[str, int]:
        """Make every page due now that could not be had, also where it was blocked:
        batch -> how many; audited if there are any."""
        active, failed = UrlState.ACTIVE.value, [*_NOT_HAD, Verdict.BLOCKED]
        with self._database.write() as connection:
            rows = select_rows(
                connection,
                f"select batch, count(*) as pages from frontier where {_FAILED} group by 1 order by 1",
                [family, active, failed],
            )
            if not rows:
                return {}
            connection.execute(
                f"update frontier set next_due = $4 where {_FAILED}",
                [family, active, failed, now()],
            )
            batches = {row["batch"]: row["pages"] for row in rows}
            detail = {"batches": list(batches), **by.detail}
            write_audit(connection, AuditKind.RETRY_ASKED, family, by.run_id, detail)
            return batches

    def made(self, family: str) -> dict[str, datetime]:
        """When each batch was committed last."""
        with self._database.read() as connection:
            rows = select_rows(
                connection,
                "select batch, max(committed_at) as moment from materializations "
                "where family = ? group by batch",
                [family],
            )
        return {row["batch"]: row["moment"] for row in rows}


def _due_batches(rows: Sequence[dict[str, Any]]) -> DueBatches:
    """The rows of one family."""
    new = filter(None, map(itemgetter("newest"), rows))
    return DueBatches(list(map(itemgetter("batch"), rows)), max(new, default=None))
