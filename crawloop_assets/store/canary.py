"""The canaries of a family: a few known urls, chosen once and kept as long as they are
asked for at all."""

from collections.abc import Sequence
from operator import itemgetter

from crawloop_assets.page import Verdict
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import append, now, select_rows
from crawloop_assets.store.states import UrlState
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import quoted


def chosen_canaries(connection: Connection, family: str) -> list[str]:
    """The canaries that are still asked for, in the order they were chosen."""
    rows = select_rows(
        connection,
        "select c.url from canaries c join frontier f on f.family = c.family and f.url = c.url "
        "where c.family = ? and f.state = ? order by c.since, c.url",
        [family, UrlState.ACTIVE.value],
    )
    return list(map(itemgetter("url"), rows))


def choose(connection: Connection, table: Table, family: str, wanted: int) -> None:
    """Fill up to `wanted`, evenly over the urls that have good rows; those that are no
    longer asked for make room."""
    kept = chosen_canaries(connection, family)
    connection.execute(
        "delete from canaries where family = ? and not url in (select unnest(?::varchar[]))",
        [family, kept],
    )
    rows = select_rows(
        connection,
        f"select f.url from frontier f where f.family = ? and f.state = ? and f.verdict = ? and f.url in (select _url "
        f"from {quoted(table.name)} where _family = ? and _stale_since is null and _suspect is null) "
        "order by f.batch, f.rowid",
        [family, UrlState.ACTIVE.value, Verdict.OK.value, family],
    )
    free = [row["url"] for row in rows if row["url"] not in set(kept)]
    moment = now()
    append(
        connection,
        "canaries",
        [
            {"family": family, "url": url, "since": moment}
            for url in _spread(free, max(0, wanted - len(kept)))
        ],
    )


def _spread(urls: Sequence[str], count: int) -> list[str]:
    if len(urls) <= count:
        return list(urls)
    return [urls[at * len(urls) // count] for at in range(count)]
