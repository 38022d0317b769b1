"""Rows in and out of a connection."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

import duckdb
from pydantic_core import to_jsonable_python

from crawloop_assets.store.engine import Connection, FileConnection
from crawloop_assets.store.typemap import quoted
from crawloop_assets.values.text import sound, sound_data

_IS_THERE = (
    "select 1 from information_schema.tables where table_name = ? "
    "and table_schema = current_schema() and table_catalog = current_database()"
)
_EVERY_VALUE = "select count(*), coalesce(bit_xor(hash(every)), 0) from {} as every"


def now() -> datetime:
    """The current time, UTC."""
    return datetime.now(UTC)


def append(
    connection: Connection, table: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows of equal keys; the only fast way in."""
    if not rows:
        return
    names = list(rows[0])
    with connection.appender(table, columns=names) as appender:
        appender.append_rows(
            [[_encodable(row[name]) for name in names] for row in rows]
        )


def select_rows(
    connection: Connection, statement: str, parameters: Sequence[Any] = ()
) -> list[dict[str, Any]]:
    """All rows as dicts, times in UTC."""
    found = connection.execute(statement, list(parameters))
    names = list(map(itemgetter(0), found.description or ()))
    return [dict(zip(names, map(_utc, row), strict=True)) for row in found.fetchall()]


def rows_if_there(
    connection: Connection, table: str, statement: str
) -> list[tuple[Any, ...]] | None:
    """What a statement gives of a control table, None where there is no such table.

    A file is asked outright, outside of any transaction: to list its tables takes DuckDB
    three times as long as the answer, and twenty times as long the first time, and
    whoever opens a store anew asks this first.
    """
    if isinstance(connection, FileConnection):
        try:
            return connection.execute(statement).fetchall()
        except duckdb.CatalogException:
            return None
    is_there = connection.execute(_IS_THERE, [table]).fetchall()
    return connection.execute(statement).fetchall() if is_there else None


def changed(
    connection: Connection, statement: str, parameters: Sequence[Any] = ()
) -> int:
    """How many rows an insert, update or delete touched."""
    return int(connection.execute(statement, list(parameters)).fetchall()[0][0])


def as_json(value: Any) -> str:
    """JSON text of anything pydantic knows how to write; what is not a number becomes
    null, and halves of characters nothing."""
    try:
        data = to_jsonable_python(value, inf_nan_mode="null")
    except UnicodeEncodeError:  # a key that no text can be made of
        data = to_jsonable_python(sound_data(value), inf_nan_mode="null")
    return sound(json.dumps(data, ensure_ascii=False))


def read_all(connection: Connection) -> int:
    """Read every value of every table, so that a damaged block is met; how many tables
    there are."""
    names = tables_of(connection)
    for name in names:
        connection.execute(_EVERY_VALUE.format(quoted(name))).fetchall()
    return len(names)


def tables_of(connection: Connection) -> list[str]:
    """The tables of a store, by name."""
    rows = connection.execute(
        "select table_name from information_schema.tables where table_schema = current_schema() "
        "and table_catalog = current_database() and table_type = 'BASE TABLE' order by 1"
    ).fetchall()
    return [name for (name,) in rows]


def _encodable(value: Any) -> Any:
    """Text without lone surrogates: a control table must never be the reason a commit
    fails."""
    if isinstance(value, list | dict):
        return sound_data(value)
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode()


def _utc(value: Any) -> Any:
    if isinstance(value, datetime) and value.tzinfo:
        return value.astimezone(UTC)
    return value
