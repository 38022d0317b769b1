"""Held pages that the file of their family names no longer: they are asked for no more."""

from collections.abc import Sequence

from crawloop_assets.store.db import Database
from crawloop_assets.store.rows import now, select_rows
from crawloop_assets.store.states import HeldState, UrlState

_THESE = "family = $1 and state = $2 and url in (select unnest($3::varchar[]))"
_ONE_OF_EACH_BATCH = """
    select min(url) from frontier where family = $1 and state = $2
    and batch in (select batch from frontier where family = $1 and url in (select unnest($3::varchar[])))
    group by batch
"""


class LeftOutUrls:
    """Urls that `include` and `exclude` leave out since they were found."""

    def __init__(self, database: Database):
        self._database = database

    def leave_out(self, family: str, urls: Sequence[str]) -> None:
        """Ask for these urls no more, until discovery finds them again, and close what is
        held of them; one other url of each of their batches is due now, so that the batch
        is judged without them."""
        active, held = UrlState.ACTIVE.value, HeldState.HELD.value
        moment = now()
        with self._database.write() as connection:
            connection.execute(
                f"update frontier set state = $4 where {_THESE}",
                [family, active, list(urls), UrlState.LEFT_OUT.value],
            )
            connection.execute(
                f"update quarantine set state = $4, decided_at = $5 where {_THESE}",
                [family, held, list(urls), HeldState.SUPERSEDED.value, moment],
            )
            rest = select_rows(
                connection, _ONE_OF_EACH_BATCH, [family, active, list(urls)]
            )
            due = [url for row in rest for url in row.values()]
            connection.execute(
                f"update frontier set next_due = $4 where {_THESE}",
                [family, active, due, moment],
            )
