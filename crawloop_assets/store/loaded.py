"""A published file taken into a Postgres, table by table: how a project moves there, and
how a lost store is rebuilt. The other way round is `dumped`."""

from collections.abc import Iterator, Mapping
from itertools import product
from operator import itemgetter
from pathlib import Path

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.db import layout_of
from crawloop_assets.store.encoding import restaged
from crawloop_assets.store.engine import FileConnection, looked_at
from crawloop_assets.store.migrate import LAYOUT
from crawloop_assets.store.pending import forget_pending
from crawloop_assets.store.rows import tables_of
from crawloop_assets.store.session import Session
from crawloop_assets.store.tables import (
    HISTORY_SUFFIX,
    comment_column,
    history_types,
    make_table,
    stored_types,
)
from crawloop_assets.store.typemap import ColumnType, is_text, quoted

_AT_ONCE = 5000  # rows
_COMMENTS = (
    "select column_name, comment from duckdb_columns() where table_name = ? and comment is not null "
    "and database_name = current_database()"
)


def load(session: Session, source: Path, deadline: float) -> None:
    """Fill a new store with what a published file has; what was pending when it was made
    is asked for again. StoreFailed if another version made it."""
    with looked_at(source, deadline) as file:
        if layout_of(file) != LAYOUT:
            raise StoreFailed(
                f"{source} is of another version of the store; publish it with this one first"
            )
        session.execute("delete from meta; delete from commits")
        control = tables_of(session)
        records = dict(_records(file))
        for table in control:
            _copy(session, file, table, {})
        for table, types in records.items():
            make_table(session, table, types)
            _copy(session, file, table, types)
            for column, said in file.execute(_COMMENTS, [table]).fetchall():
                comment_column(session, table, column, said)
    forget_pending(session)


def _records(file: FileConnection) -> Iterator[tuple[str, Mapping[str, ColumnType]]]:
    """The tables of records and of their histories, with the columns of values."""
    names = file.execute("select distinct table_name from schemas order by 1")
    for (name,) in names.fetchall():
        yield name, stored_types(file, name)
        yield name + HISTORY_SUFFIX, history_types(file, name)


def _copy(
    session: Session,
    file: FileConnection,
    table: str,
    types: Mapping[str, ColumnType],
) -> None:
    """All rows of a table, in the order they are in."""
    found = file.execute(f"select * from {quoted(table)} order by rowid")
    names = list(map(itemgetter(0), found.description or ()))
    kinds = {at: types[name] for at, name in enumerate(names) if name in types}
    nested = {at: kind for at, kind in kinds.items() if _is_nested(kind)}
    with session.appender(table, columns=names) as appender:
        while rows := found.fetchmany(_AT_ONCE):
            changed = list(map(list, rows))
            for row, (at, kind) in product(changed, nested.items()):
                row[at] = restaged(kind, row[at])
            appender.append_rows(changed)


def _is_nested(kind: ColumnType) -> bool:
    """Whether a column is a text in the file, and lists or structs in its table."""
    return is_text(kind) and kind != "JSON"
