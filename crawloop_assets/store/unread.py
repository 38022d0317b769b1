"""Pages that no version reads and that a model serves instead: since when, and what
they held then.

It is a fact of its own: such a page is published, so its verdict is good, and all the
same a version has to be made for it.
"""

from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.models import BatchCommit
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import ServedBy

_OF_FAMILY = (
    "select url, batch, since, page_sha256, content_hash, version from unread where family = ? "
    "and (?::varchar is null or batch = ?) order by batch, url"
)


class UnreadPage(NamedTuple):
    """A page that a model serves since a moment; the two hashes say what it read, its
    bytes and what a reader sees of them. `version` is the active one that could not."""

    url: str
    batch: str
    since: datetime
    page_sha256: str | None
    content_hash: str | None
    version: int | None


class UnreadPages:
    """The pages of a store that no version reads; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def families(self) -> set[str]:
        """The families that have any."""
        with self._database.read() as connection:
            rows = select_rows(connection, "select distinct family from unread")
        return set(map(itemgetter("family"), rows))

    def of(self, family: str, batch: str | None = None) -> dict[str, UnreadPage]:
        """The pages of a family, or of one batch of it, by url."""
        with self._database.read() as connection:
            return unread_pages(connection, family, batch)


def unread_pages(
    connection: Connection, family: str, batch: str | None
) -> dict[str, UnreadPage]:
    """The pages of a family, or of one batch of it, by url."""
    rows = select_rows(connection, _OF_FAMILY, [family, batch, batch])
    return {row["url"]: UnreadPage(**row) for row in rows}


def note_unread(connection: Connection, commit: BatchCommit, moment: datetime) -> None:
    """Note the pages that a model served; those that anybody else did, or that are gone,
    are none any more. The frontier has to know the commit by now."""
    by_model = [one.url for one in commit.served if one.served_by is ServedBy.MODEL]
    ended = [one.url for one in commit.served if one.served_by is not ServedBy.MODEL]
    family = commit.family.family
    since = {
        url: page.since
        for url, page in unread_pages(connection, family, commit.batch).items()
    }
    connection.execute(
        "delete from unread where family = ? and url in (select unnest(?::varchar[]))",
        [family, [*by_model, *ended, *commit.gone, *commit.aliases]],
    )
    for url in by_model:
        connection.execute(
            "insert into unread select family, batch, url, ?, page_sha256, content_hash, ? "
            "from frontier where family = ? and url = ?",
            [since.get(url, moment), commit.active, family, url],
        )
    connection.execute(
        "update unread set version = ? where family = ? and url in (select unnest(?::varchar[]))",
        [commit.active, family, list(commit.unchanged)],
    )
