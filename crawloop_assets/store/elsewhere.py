"""What other families of the same site say of a record: the row of a list and the page
it leads to, the page and what an API says of it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from crawloop_assets.family import Family
from crawloop_assets.record import to_values
from crawloop_assets.store.db import Database
from crawloop_assets.store.encoding import decode, encode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.identity import stored_key
from crawloop_assets.store.models import ServedPage
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.tables import stored_types
from crawloop_assets.store.typemap import columns, needed, quoted

_IN = "in (select unnest(?::varchar[]))"

_Said = dict[str, Any]
"""Field -> the value another family has published, as typed JSON."""


class OtherFamilies:
    """The rows of all families of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def say(
        self, family: Family, pages: Sequence[ServedPage]
    ) -> dict[str, tuple[_Said, ...]]:
        """Url -> what other families say of each of its records, in their order; pages
        of which nobody says anything are left out.

        A row is of the same record if it has the same key, or if one of the two is the
        page that the other one leads to, and it is of the same site. Of several the one
        read last counts; stale and suspect ones do not, nor do values that were kept.
        """
        names = {page.url: list(_names(family, page)) for page in pages}
        of_rows = chain.from_iterable(names.values())
        everything = frozenset(chain.from_iterable(of_rows))
        if not everything:
            return {}
        with self._database.read() as connection:
            rows = _rows(connection, family, sorted(everything))
        known = _by_name(rows, everything)
        said = {
            url: tuple(_said(family, url, one, known) for one in of_page)
            for url, of_page in names.items()
        }
        return {url: records for url, records in said.items() if any(records)}


def _names(family: Family, page: ServedPage) -> Iterator[frozenset[str]]:
    """What each record of a page may be called elsewhere: its key, and if it is the
    page's only one the page's url."""
    declared = columns(family.model())
    for record in page.records:
        values = {}
        for name in family.key:
            value = getattr(record, name, None)
            if name in declared:
                values[name] = encode(needed(declared[name], value), value)
        key = stored_key(family, page.url, values)
        names = {key, page.url} if len(page.records) == 1 else {key}
        yield frozenset(filter(None, names))


def _rows(
    connection: Connection, family: Family, names: Sequence[str]
) -> list[dict[str, Any]]:
    """The good rows of other families whose key or page has one of these names, the
    oldest first."""
    found = []
    for (table,) in connection.execute(
        "select distinct table_name from schemas order by 1"
    ).fetchall():
        types = stored_types(connection, table)
        for row in select_rows(
            connection,
            f"select * from {quoted(table)} where _family <> ? and _misses = 0 "
            "and _stale_since is null and _suspect is null "
            f"and (_key {_IN} or _url {_IN})",
            [family.family, list(names), list(names)],
        ):
            kept = row["_kept"] or ()
            plain = {
                name: None if name in kept else decode(kind, row[name])
                for name, kind in types.items()
            }
            found.append(row | plain)
    return sorted(found, key=lambda row: row["_fetched_at"])


def _by_name(
    rows: Sequence[dict[str, Any]], names: Set[str]
) -> dict[str, list[dict[str, Any]]]:
    """Rows by what they are called; by their page only if they are its only one."""
    known: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    of_page = Counter((row["_family"], row["_url"]) for row in rows)
    for row in rows:
        known[row["_key"]].append(row)
        is_alone = of_page[row["_family"], row["_url"]] == 1
        if is_alone and row["_url"] in names - {row["_key"]}:
            known[row["_url"]].append(row)
    return known


def _said(
    family: Family,
    url: str,
    names: frozenset[str],
    known: Mapping[str, Sequence[Mapping[str, Any]]],
) -> _Said:
    """What is said of a record, in the terms of its own family."""
    said: _Said = {}
    for name in sorted(names):
        for row in known.get(name, ()):
            if _is_one_site(row["_url"], url):
                said |= to_values(row, family.schema_spec())
    return said


def _is_one_site(url: str, other: str) -> bool:
    """Whether two urls are of one host, or one of a part of the other's."""
    hosts = [
        (urlsplit(one).hostname or "").removeprefix("www.") for one in (url, other)
    ]
    shorter, longer = sorted(hosts, key=len)
    return shorter == longer or longer.endswith(f".{shorter}")
