"""Records that arrive from another page than the one they are known from.

A known key belongs to the url it was last read from, for as long as that url is asked
for and leads to a page of its own. Rows of a listing wander between its pages, so only
pages of one record are asked about.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.record import to_values
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store.db import Database
from crawloop_assets.store.encoding import decode, encode
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.identity import stored_key
from crawloop_assets.store.models import ServedPage
from crawloop_assets.store.rows import select_rows
from crawloop_assets.store.states import UrlState
from crawloop_assets.store.tables import Table, find
from crawloop_assets.store.typemap import columns, needed, quoted
from crawloop_assets.values.equality import same

_IN = "in (select unnest(?::varchar[]))"


class ClashKind(StrEnum):
    """Why a record is not its page's to give.

    Taken: its key is known from another url, with other values. Repeated: the same
    record is known from another url. Renamed: the page is known for another record.
    """

    TAKEN = "taken"
    REPEATED = "repeated"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Clash:
    """One record of a page, and what is known that speaks against it.

    `owner` is the url the key is known from (the page's own if it was renamed), `known`
    the key that the page is known for, "" if it is new.
    """

    url: str
    key: str
    kind: ClashKind
    owner: str
    known: str = ""


class _Named(NamedTuple):
    """A record of a page that names itself."""

    page: ServedPage
    record: BaseModel
    key: str


@dataclass
class _Known:
    """Rows by key and by url, and the urls of the frontier they were read from."""

    table: Table
    by_key: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    by_url: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    urls: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def names_itself(family: Family) -> bool:
    """Whether the records of the family have keys that two pages could state."""
    return family.kind is FamilyKind.DETAIL and "url" not in family.key


class KeyOwners:
    """Which url each known record of a family belongs to."""

    def __init__(self, database: Database):
        self._database = database

    def clashes(
        self,
        family: Family,
        pages: Sequence[ServedPage],
        moved: Mapping[str, str | None],
    ) -> list[Clash]:
        """Records of the pages that are known from elsewhere, and pages that are known
        for another record, in the order of the pages.

        `moved` says of urls visited now where they lead (url -> final url, None if the
        page is gone): that is newer than what the frontier knows.
        """
        with self._database.read() as connection:
            table = find(connection, family)
            return _clashes(connection, table, family, pages, moved)


def _clashes(
    connection: Connection,
    table: Table | None,
    family: Family,
    pages: Sequence[ServedPage],
    moved: Mapping[str, str | None],
) -> list[Clash]:
    named = list(_named(family, pages))
    if not named:
        return []
    known = _known(connection, table, family, named) if table else None
    if known is not None:
        known.urls |= {url: _visited(final) for url, final in moved.items()}
    found: list[Clash | None] = []
    first: dict[str, _Named] = {}
    for one in named:
        clash = known and _against_known(known, family, one)
        found.append(clash or _twice(first.setdefault(one.key, one), one, family))
    return list(filter(None, found))


def _named(family: Family, pages: Sequence[ServedPage]) -> Iterator[_Named]:
    """The records that have a key."""
    declared = columns(family.model())
    for page in pages:
        for record in page.records:
            values = {}
            for name in family.key:
                value = getattr(record, name, None)
                values[name] = encode(needed(declared[name], value), value)
            key = stored_key(family, page.url, values)
            if key is not None:
                yield _Named(page, record, key)


def _visited(final_url: str | None) -> Mapping[str, Any]:
    state = UrlState.GONE if final_url is None else UrlState.ACTIVE
    return {"state": state.value, "verdict": None, "final_url": final_url}


def _known(
    connection: Connection, table: Table, family: Family, named: Sequence[_Named]
) -> _Known:
    known = _Known(table)
    keys = sorted({one.key for one in named})
    urls = sorted({one.page.url for one in named})
    for row in select_rows(
        connection,
        f"select * from {quoted(table.name)} where _family = ? "
        f"and (_key {_IN} or _url {_IN})",
        [family.family, keys, urls],
    ):
        known.by_key[row["_key"]] = row
        known.by_url.setdefault(row["_url"], []).append(row)
    for row in select_rows(
        connection,
        f"select url, state, verdict, final_url from frontier where family = ? and url {_IN}",
        [family.family, sorted(known.by_url)],
    ):
        known.urls[row["url"]] = row
    return known


def _against_known(known: _Known, family: Family, one: _Named) -> Clash | None:
    return _renamed(known, family, one) or _elsewhere(known, one)


def _renamed(known: _Known, family: Family, one: _Named) -> Clash | None:
    """The page is known for another record.

    Not if the key is made of other fields now, or if it is the same document as then,
    which another version reads: what is new then is the reading.
    """
    page = one.page
    own = known.by_url.get(page.url, ())
    if any(row["_key"] == one.key for row in own):
        return None
    for row in own:
        is_document_of_then = row["_page_sha256"] == page.page_sha256
        if is_document_of_then and row["_crawler_version"] != page.version:
            continue
        if stored_key(family, page.url, row) == row["_key"]:
            return Clash(page.url, one.key, ClashKind.RENAMED, page.url, row["_key"])
    return None


def _elsewhere(known: _Known, one: _Named) -> Clash | None:
    """The key is known from another url that still leads to a page of its own."""
    old, url = known.by_key.get(one.key), one.page.url
    if old is None or _is_one_page(old["_url"], url):
        return None
    owner = known.urls.get(old["_url"])
    if owner is None or owner["state"] != UrlState.ACTIVE:
        return None
    if owner["verdict"] == Verdict.NOT_FOUND:
        return None
    if _is_one_page(owner["final_url"] or "", url):
        return None
    table = known.table
    stored = {name: decode(kind, old[name]) for name, kind in table.types.items()}
    kind = _kind(stored, one.record, table.schema)
    return Clash(url, one.key, kind, old["_url"])


def _twice(first: _Named, one: _Named, family: Family) -> Clash | None:
    """Another page of the batch has given this key before."""
    if _is_one_page(first.page.url, one.page.url):
        return None
    kind = _kind(first.record, one.record, family.schema_spec())
    return Clash(one.page.url, one.key, kind, first.page.url)


def _kind(
    before: BaseModel | Mapping[str, Any], now: BaseModel, schema: RecordSchema
) -> ClashKind:
    """Repeated if no lasting value is another one, else taken."""
    old, new = to_values(before, schema), to_values(now, schema)
    for spec in schema.fields:
        if spec.volatile or spec.name == "url":
            continue
        both = old.get(spec.name, ""), new.get(spec.name, "")
        if not any(map(EMPTY.__contains__, both)) and not same(*both, spec):
            return ClashKind.TAKEN
    return ClashKind.REPEATED


def _is_one_page(url: str, other: str) -> bool:
    """Whether two urls differ in nothing but what sites change for good: the scheme,
    `www.` and a slash at the end."""
    return _without_style(url) == _without_style(other)


def _without_style(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    host = parts.netloc.lower().removeprefix("www.")
    return host, parts.path.rstrip("/"), parts.query
