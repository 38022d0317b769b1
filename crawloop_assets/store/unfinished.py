"""What refreshes left undone: pages that could not be had or were not asked for, and
when each batch was made last."""

from collections import defaultdict
from datetime import datetime

from crawloop_assets.page import LEFT_FOR_LATER, Verdict
from crawloop_assets.store.db import Database
from crawloop_assets.store.frontier import IS_DUE
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import UrlState

_NOT_HAD = (Verdict.TRANSIENT, *sorted(LEFT_FOR_LATER))
_LEFT = f"""
    select distinct batch, regexp_extract(url, '^[a-z]+://([^/?#]+)', 1) as host
    from frontier where family = $1 and state = $2 and {IS_DUE}
    and (verdict in (select unnest($4::varchar[])) or fetched_at is null)
    and batch in (select batch from materializations where family = frontier.family)
"""


class Unfinished:
    """Read from the frontier and the commits."""

    def __init__(self, database: Database):
        self._database = database

    def left(self, family: str, moment: datetime) -> dict[str, set[str]]:
        """Batches that were made while some of their pages were not: with the hosts of
        those that may be asked for again by now.

        Batches that were never made are left to whoever starts their first refresh.
        """
        asked = [family, UrlState.ACTIVE.value, moment, list(_NOT_HAD)]
        with self._database.read() as connection:
            rows = select_rows(connection, _LEFT, asked)
        found: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            found[row["batch"]].add(row["host"])
        return dict(found)

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
