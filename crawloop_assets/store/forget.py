"""Forgetting a record: taken out of every table, of what is said about it in others, and
of the files that hold what was deleted."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.ledger import write_audit
from crawloop_assets.store.rows import changed, select_rows
from crawloop_assets.store.states import AuditKind
from crawloop_assets.store.tables import HISTORY_SUFFIX
from crawloop_assets.store.typemap import quoted

_IN = "in (select unnest(?::varchar[]))"
_OF_PAGE = ("pages", "quarantine", "questions", "lessons")
"""Tables with a row for each page, which may have been read from it."""
_OF_URL = ("frontier", "access_outcomes", "skips", "canaries", "unread")
_SAID: Sequence[tuple[str, str]] = (
    ("audit", "detail"),
    ("materializations", "stats"),
    ("materializations", "evidence"),
    ("crawlers", "score_sheet"),
    ("questions", "candidates"),
    ("questions", "evidence"),
    ("drift_reports", "examples"),
    ("shadows", "shadow"),
)
"""Columns of JSON, and one of structs, that may say something of a page."""
_TEXTS = (
    ("drift_reports", "sentence"),
    ("crawlers", "reason"),
    ("questions", "sentence"),
)
_MESSAGES = "update told set said = '(forgotten)' where contains(said, ?)"
"""What people were told of a page goes as a whole; that they were told stays."""
_TYPED = {
    "examples": (
        """from_json(?::json, '[{"url": "VARCHAR", "field": "VARCHAR", "expected": "VARCHAR", """
        """"got": "VARCHAR", "page_sha256": "VARCHAR"}]')"""
    )
}
"""Columns that are no JSON, and how they are made of it."""
_NOTHING = object()
_WORD = "(forgotten)"


@dataclass
class Forgotten:
    """What was found under a url or a key, and how much was taken out, by place."""

    families: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    urls: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)

    @property
    def words(self) -> frozenset[str]:
        """What must not be said any more: the keys, and urls that are of nobody else."""
        return frozenset(self.keys | self.alone)

    def took(self, place: str, count: int) -> None:
        """So much was taken out of a place."""
        if count:
            self.places[place] = self.places.get(place, 0) + count


class Forgetting:
    """Forgets records; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def found(self, name: str) -> Forgotten:
        """What is known under a url or a key; nothing is changed."""
        with self._database.read() as connection:
            return _found(connection, name)

    def forget(self, name: str, who: str, why: str) -> Forgotten:
        """Take out all that is known under a url or a key, and write the store's files
        anew, so that nothing of it is left in them. Audited without its name."""
        with self._database.write() as connection:
            found = _found(connection, name)
            _take_out(connection, found)
            detail = {"who": who, "why": why, "places": found.places}
            families: list[str | None] = [*sorted(found.families)]
            for family in families or [None]:
                write_audit(connection, AuditKind.FORGOTTEN, family, None, detail)
        self._database.rewrite()
        return found


def _tables(connection: Connection) -> list[str]:
    """The record tables."""
    rows = select_rows(connection, "select distinct table_name from schemas order by 1")
    return list(map(itemgetter("table_name"), rows))


def _found(connection: Connection, name: str) -> Forgotten:
    """The records, pages and documents of a url or a key."""
    found = Forgotten()
    for table in _tables(connection):
        rows = select_rows(
            connection,
            f"select distinct _family, _key, _url from {quoted(table + HISTORY_SUFFIX)} where _url = ? or _key = ?",
            [name, name],
        )
        found.families.update(map(itemgetter("_family"), rows))
        found.keys.update(map(itemgetter("_key"), rows))
        found.urls.update(map(itemgetter("_url"), rows))
    for table in (*_OF_PAGE, *_OF_URL):
        rows = select_rows(
            connection,
            f"select distinct url, family from {table} where url = ?",
            [name],
        )
        found.urls.update(map(itemgetter("url"), rows))
        found.families.update(filter(None, map(itemgetter("family"), rows)))
    found.alone = found.urls - _shared(connection, found)
    for statement, parameters in _documents(connection, found):
        rows = select_rows(connection, statement, parameters)
        found.documents.update(filter(None, map(itemgetter("page"), rows)))
    return found


def _shared(connection: Connection, found: Forgotten) -> set[str]:
    """Those of the urls that other records were read from, too."""
    shared: set[str] = set()
    for table in _tables(connection):
        rows = select_rows(
            connection,
            f"select distinct _url from {quoted(table + HISTORY_SUFFIX)} where _url {_IN} and not _key {_IN}",
            [list(found.urls), list(found.keys)],
        )
        shared.update(map(itemgetter("_url"), rows))
    return shared


def _documents(
    connection: Connection, found: Forgotten
) -> Iterator[tuple[str, list[Any]]]:
    """What asks for the documents that show the records."""
    urls, keys = list(found.urls), list(found.keys)
    yield f"select sha256 as page from pages where url {_IN}", [urls]
    yield f"select page_sha256 as page from quarantine where url {_IN}", [urls]
    yield f"select page_sha256 as page from frontier where url {_IN}", [urls]
    for table in _tables(connection):
        yield (
            f"select _page_sha256 as page from {quoted(table + HISTORY_SUFFIX)} where _key {_IN} and _family {_IN}",
            [keys, list(found.families)],
        )


def _take_out(connection: Connection, found: Forgotten) -> None:
    """Delete the rows of the records and of their pages, and what others say of them."""
    urls, keys, alone = list(found.urls), list(found.keys), list(found.alone)
    families = list(found.families)
    for table in _tables(connection):
        for name in (table, table + HISTORY_SUFFIX):
            statement = f"delete from {quoted(name)} where _key {_IN} and _family {_IN}"
            found.took(name, changed(connection, statement, [keys, families]))
    for name in _OF_PAGE:
        found.took(
            name, changed(connection, f"delete from {name} where url {_IN}", [urls])
        )
    for name in _OF_URL:
        found.took(
            name, changed(connection, f"delete from {name} where url {_IN}", [alone])
        )
    connection.execute(
        f"update frontier set page_sha256 = null, content_hash = null, etag = null, last_modified = null where url {_IN}",
        [urls],
    )
    connection.execute(
        f"update frontier set found_on = '' where found_on {_IN}", [alone]
    )
    for name, column in _SAID:
        found.took(name, _unsay(connection, name, column, found.words))
    for name, column in _TEXTS:
        for word in sorted(alone):
            statement = f"update {name} set {column} = replace({column}, ?, '{_WORD}') where contains({column}, ?)"
            found.took(name, changed(connection, statement, [word, word]))
    for word in sorted(alone):
        found.took("told", changed(connection, _MESSAGES, [word]))


def _unsay(
    connection: Connection, table: str, column: str, words: frozenset[str]
) -> int:
    """Take out of a column whatever is said of the records; in how many rows."""
    count = 0
    for word in sorted(words):
        rows = select_rows(
            connection,
            f"select rowid as id, to_json({column})::varchar as said from {table} "
            f"where contains(to_json({column})::varchar, ?)",
            [json.dumps(word)],
        )
        for row in rows:
            kept = without(json.loads(row["said"]), words)
            said = json.dumps(None if kept is _NOTHING else kept)
            typed = _TYPED.get(column, "?::json")
            connection.execute(
                f"update {table} set {column} = {typed} where rowid = ?",
                [said, row["id"]],
            )
        count += len(rows)
    return count


def without(said: Any, words: frozenset[str]) -> Any:
    """JSON without the objects that name one of the words, without what stands under
    one, and without the words themselves; `_NOTHING` where nothing is left."""
    if isinstance(said, str):
        return _NOTHING if said in words else said
    if isinstance(said, list):
        parts = (without(part, words) for part in said)
        return [part for part in parts if part is not _NOTHING]
    if isinstance(said, Mapping):
        return _object_without(said, words)
    return said


def _object_without(said: Mapping[str, Any], words: frozenset[str]) -> Any:
    """An object without what is said of the words; nothing if it is about one."""
    kept = {
        name: without(part, words) for name, part in said.items() if name not in words
    }
    if any(part is _NOTHING for part in kept.values()):
        return _NOTHING
    return kept
