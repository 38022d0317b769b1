"""A store in Postgres as a DuckDB file, table by table: what is published is made of it,
and whatever else is done with a copy.

Rows travel as CSV, which both engines write and read many times faster than any row
passes through Python; what CSV has no form for travels as JSON text.
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from crawloop_assets.store.db import TABLES
from crawloop_assets.store.dialect import ROW_NUMBER
from crawloop_assets.store.engine import FileConnection, made_file
from crawloop_assets.store.rows import tables_of
from crawloop_assets.store.session import SCHEMA, Session
from crawloop_assets.store.tables import (
    HISTORY_SUFFIX,
    LINEAGE,
    history_types,
    stored_types,
)
from crawloop_assets.store.typemap import quoted, sql

_NULL = "\\N"
_OUT: Mapping[str, str] = {
    "INTERVAL": "(extract(epoch from {}) * 1000000)::bigint",
    "BLOB": "encode({}, 'hex')",
}
_IN: Mapping[str, str] = {
    "INTERVAL": "to_microseconds({}::bigint)",
    "BLOB": "unhex({})",
}
_TYPES = "select column_name, data_type from duckdb_columns() where table_name = ? order by column_index"
_NESTED = ("[]", "MAP(", "STRUCT(")


def dump(session: Session, target: Path) -> None:
    """Make a DuckDB file of all that a session sees; OSError if there is no room."""
    with (
        tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as folder,
        made_file(target, Path(folder)) as file,
    ):
        file.execute(TABLES)
        for statement in _record_tables(session):
            file.execute(statement)
        file.execute("delete from meta")
        for table in tables_of(session):
            _copy(session, file, table, Path(folder) / "rows.csv")
        for statement in _comments(session):
            file.execute(statement)


def _record_tables(session: Session) -> Iterator[str]:
    """What makes the tables of records, with the columns in the order they have."""
    rows = session.execute("select distinct table_name from schemas order by 1")
    for (name,) in rows.fetchall():
        for table, types in (
            (name, stored_types(session, name)),
            (name + HISTORY_SUFFIX, history_types(session, name)),
        ):
            known = {field: sql(kind) for field, kind in types.items()} | dict(LINEAGE)
            columns = [
                f"{quoted(column)} {known[column]}"
                for column in _columns(session, table)
            ]
            yield f"create table {quoted(table)} ({', '.join(columns)})"


def _columns(session: Session, table: str) -> list[str]:
    rows = session.execute(
        "select column_name from information_schema.columns where table_schema = current_schema() "
        f"and table_name = ? and column_name <> '{ROW_NUMBER}' order by ordinal_position",
        [table],
    )
    return [name for (name,) in rows.fetchall()]


def _copy(session: Session, file: FileConnection, table: str, rows: Path) -> None:
    """All rows of a table, in the order they were written."""
    types: dict[str, str] = dict(file.execute(_TYPES, [table]).fetchall())
    given = ", ".join(f"{_out(kind, quoted(name))}" for name, kind in types.items())
    source = f"select {given} from {quoted(table)} order by {ROW_NUMBER}"
    if not session.write_csv(source, _NULL, rows):
        return
    taken = ", ".join(
        _in(kind, f"column{at:0{len(str(len(types) - 1))}d}")
        for at, kind in enumerate(types.values())
    )
    file.execute(
        f"insert into {quoted(table)} select {taken} from read_csv(?, all_varchar = true, header = false, "
        f"auto_detect = false, delim = ',', quote = '\"', escape = '\"', nullstr = '{_NULL}', "
        f"allow_quoted_nulls = false, strict_mode = true, max_line_size = {_LINE}, columns = {{{_texts(len(types))}}})",
        [str(rows)],
    )


_LINE = 512 * 1024 * 1024


def _texts(count: int) -> str:
    width = len(str(count - 1))
    return ", ".join(f"'column{at:0{width}d}': 'VARCHAR'" for at in range(count))


def _out(kind: str, column: str) -> str:
    if any(word in kind for word in _NESTED):
        return f"to_json({column})"
    return _OUT.get(kind, "{}").format(column)


def _in(kind: str, column: str) -> str:
    if any(word in kind for word in _NESTED):
        return f"{column}::JSON::{kind}"
    return _IN.get(kind, f"{{}}::{kind}").format(column)


def _comments(session: Session) -> Iterator[str]:
    """What the columns of records say of themselves."""
    rows: list[Any] = session.execute(
        "select c.relname, a.attname, d.description from pg_description d join pg_class c on c.oid = d.objoid "
        "join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid "
        f"where d.objsubid > 0 and c.relnamespace = '{SCHEMA}'::regnamespace order by 1, 2"
    ).fetchall()
    for table, column, text in rows:
        said = text.replace("'", "''")
        yield f"comment on column {quoted(table)}.{quoted(column)} is '{said}'"
