"""The typed tables of a schema: `<schema>` with the current rows and
`<schema>_history`, made and changed on demand.

A new field is a new column of both. A field that is declared no longer leaves the table
with the values that are in it; the history keeps column and values.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import filterfalse, product
from operator import itemgetter
from typing import Any

from pydantic import BaseModel

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.family import Family
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store.db import TABLES
from crawloop_assets.store.declared import declare, declared_with
from crawloop_assets.store.engine import Connection, column_sql
from crawloop_assets.store.rows import append, as_json, now, select_rows
from crawloop_assets.store.states import AuditKind
from crawloop_assets.store.typemap import (
    ColumnType,
    columns,
    merged,
    narrowed,
    needed,
    quoted,
    sql,
)

# Where a row comes from.
LINEAGE: Mapping[str, str] = {
    "_url": "VARCHAR",
    "_family": "VARCHAR",
    "_batch": "VARCHAR",
    "_crawler_version": "INTEGER",
    "_served_by": "VARCHAR",
    "_page_sha256": "VARCHAR",
    "_fetched_at": "TIMESTAMPTZ",
    "_verified_at": "TIMESTAMPTZ",
    "_changed_at": "TIMESTAMPTZ",
    "_state": "VARCHAR",
    "_stale_since": "TIMESTAMPTZ",
    "_stale_why": "VARCHAR",
    "_kept": "MAP(VARCHAR, TIMESTAMPTZ)",
    "_model_fields": "VARCHAR[]",
    "_suspect": "VARCHAR",
    "_misses": "INTEGER",
    "_run_id": "VARCHAR",
    "_key": "VARCHAR",
    "_hash": "VARCHAR",
}
_COMMENTS: Mapping[str, str] = {
    "_url": "The page it was read from.",
    "_family": "The page family.",
    "_batch": "The batch of urls, which is the Dagster partition.",
    "_crawler_version": "The crawler version that read it; NULL for a model's or a person's values.",
    "_served_by": "crawler, older (an earlier version), model, person, or last_good (could not be read again).",
    "_page_sha256": "The stored document it was read from; see pages.",
    "_fetched_at": "When that document was fetched.",
    "_verified_at": "When it was last found on its page.",
    "_changed_at": "When its values last changed.",
    "_state": "What the last commit found: new, same, changed; in the history also removed.",
    "_stale_since": "Set while it is the last known good one and could not be verified.",
    "_stale_why": "Why it is stale: what spoke against verifying it the last time.",
    "_kept": "Fields with an earlier value than the rest, and when it was last on the page (NULL: never); NULL if none.",
    "_model_fields": "Fields that a model read, where a crawler read the rest; NULL if none.",
    "_suspect": "Why it may be wrong: what the version that read it read elsewhere in that run was contradicted.",
    "_misses": "Served visits in a row on which its listing did not show it.",
    "_run_id": "The Dagster run that wrote it.",
    "_key": "Its identity within the family.",
    "_hash": "A fingerprint of its values.",
}
HISTORY_SUFFIX = "_history"
_RESERVED = frozenset(re.findall(r"create table if not exists (\w+)", TABLES))


@dataclass(frozen=True)
class Table:
    """One schema's table as it is now.

    `types` has its columns, `schema` the fields that the family declares today.
    """

    name: str
    types: Mapping[str, ColumnType]
    schema: RecordSchema

    @property
    def history(self) -> str:
        """The table of changes."""
        return self.name + HISTORY_SUFFIX

    def column_list(self) -> str:
        """All columns, quoted, data first."""
        return ", ".join(map(quoted, (*self.types, *LINEAGE)))


def table_name(schema: str) -> str:
    """`BookDetail` -> `book_detail`, `Product2` -> `product2`.

    SchemaConflict if the name is the store's own.
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", schema)
    name = words.lower()
    if name in _RESERVED or name.endswith(HISTORY_SUFFIX):
        raise SchemaConflict(
            f"schema {schema!r} would need the table {name!r}, which the store uses itself; rename it"
        )
    return name


def find(connection: Connection, family: Family) -> Table | None:
    """The table of the family's schema, if anything was ever written to it."""
    spec = family.schema_spec()
    types = stored_types(connection, table_name(spec.name))
    return Table(table_name(spec.name), types, spec) if types else None


@dataclass(frozen=True)
class _Columns:
    """The columns of a table and of its history: that has every one ever declared."""

    current: Mapping[str, ColumnType]
    history: Mapping[str, ColumnType]


def ensure(
    connection: Connection, family: Family, records: Iterable[BaseModel]
) -> Table:
    """The table of the family's schema, made or changed so that it has the declared
    fields, and that `records` fit.

    A new field is a new column (NULL in old rows), a Decimal column grows with its
    values. A changed type is refused, unless there was never a row: then the table is
    made anew.
    """
    spec = family.schema_spec()
    name = table_name(spec.name)
    old, history = _refitted(connection, family, records)
    target = _fitted(history, declare(connection, family, name))
    if target != old:
        _apply(connection, name, old.current, target.current)
        _apply(connection, name + HISTORY_SUFFIX, old.history, target.history)
        _comment(connection, name, family.model())
        _log(connection, family, name, old, target)
    return Table(name, target.current, spec)


def adapt(connection: Connection, family: Family) -> None:
    """Bring the table of a family to what its model declares, if there is one.

    SchemaConflict as for `ensure`.
    """
    if find(connection, family) is not None:
        ensure(connection, family, [])


def leaving(connection: Connection, family: Family) -> list[str]:
    """The columns that would leave the family's table, or lose nested fields, with its
    next commit; nothing is changed. SchemaConflict if that would be refused."""
    name = table_name(family.schema_spec().name)
    old, history = _refitted(connection, family, [])
    target = _fitted(history, declared_with(connection, family, name))
    return _less(old.current, target.current, history)


def type_conflicts(
    connection: Connection, families: Iterable[Family]
) -> Iterator[tuple[str, str]]:
    """The families of which nothing can be committed, and why: their tables have another
    type of a field than is declared by now. All tables are asked for at once."""
    rows = select_rows(
        connection,
        "select table_name, coalesce(history, columns) as history from schemas order by rowid",
    )
    stored = {row["table_name"]: row["history"] for row in rows}
    for family in families:
        try:
            had = stored.get(table_name(family.schema_spec().name), "{}")
            _history(family, _Columns({}, json.loads(had)), [])
        except SchemaConflict:
            yield from _refused(connection, family)


def _refused(connection: Connection, family: Family) -> Iterator[tuple[str, str]]:
    """A family and why nothing of it can be committed, if so."""
    try:
        _refitted(connection, family, [])
    except SchemaConflict as error:
        yield family.family, str(error)


def _refitted(
    connection: Connection, family: Family, records: Iterable[BaseModel]
) -> tuple[_Columns, dict[str, ColumnType]]:
    """The columns that are stored, and those of the history with the declared fields. A
    table that never had a row binds nobody: it is as if it were not there."""
    name = table_name(family.schema_spec().name)
    old, records = _stored(connection, name), list(records)
    try:
        return old, _history(family, old, records)
    except SchemaConflict:
        if not old.current or _had_rows(connection, name):
            raise
        return _Columns({}, {}), _history(family, _Columns({}, {}), records)


def _had_rows(connection: Connection, name: str) -> bool:
    """Whether there is a row in a table or its history, which keeps those of before."""
    tables = map(quoted, (name, name + HISTORY_SUFFIX))
    rows = " union all ".join(f"(select 1 from {table} limit 1)" for table in tables)
    return connection.execute(rows).fetchone() is not None


def _history(
    family: Family, old: _Columns, records: Iterable[BaseModel]
) -> dict[str, ColumnType]:
    """The columns of the history with the declared fields, wide enough for records."""
    schema, declared = family.schema_spec().name, columns(family.model())
    target = dict(old.history)
    for name, wanted in declared.items():
        target[name] = _target(schema, name, old.history.get(name), wanted)
    _no_case_twins(schema, target)
    for record in records:
        for name in declared:
            target[name] = needed(target[name], getattr(record, name))
    return target


def _fitted(
    history: Mapping[str, ColumnType], declared: Mapping[str, ColumnType]
) -> _Columns:
    """The columns of a history, and of its table those that are declared."""
    current = {
        name: narrowed(kind, declared[name])
        for name, kind in history.items()
        if name in declared
    }
    return _Columns(current, history)


def _less(
    old: Mapping[str, ColumnType],
    target: Mapping[str, ColumnType],
    history: Mapping[str, ColumnType],
) -> list[str]:
    """The columns of which something is taken away."""
    return [name for name in old if target.get(name) not in (old[name], history[name])]


def _log(
    connection: Connection, family: Family, name: str, old: _Columns, target: _Columns
) -> None:
    """Write down the columns of a table, and who changed which."""
    entry = {
        "schema": family.schema_spec().name,
        "table_name": name,
        "source": family.record_schema,
        "columns": json.dumps(target.current),
        "history": json.dumps(target.history),
        "changed_at": now(),
    }
    append(connection, "schemas", [entry])
    changed = {
        field: sql(kind)
        for field, kind in target.current.items()
        if kind != old.current.get(field)
    }
    removed = list(filterfalse(target.current.__contains__, old.current))
    detail: dict[str, Any] = {"table": name, "columns": changed}
    detail |= {"removed": removed} if removed else {}
    detail |= {} if old.current else {"is_new": True}
    event = {
        "kind": AuditKind.SCHEMA_CHANGED.value,
        "family": family.family,
        "detail": as_json(detail),
    }
    append(connection, "audit", [event | {"created_at": now()}])


def existing(connection: Connection) -> set[str]:
    """The names of the tables of records that were ever written to."""
    rows = select_rows(connection, "select distinct table_name from schemas")
    return set(map(itemgetter("table_name"), rows))


def stored_types(connection: Connection, name: str) -> dict[str, ColumnType]:
    """The columns of a table and their types; none if there is no such table."""
    return dict(_stored(connection, name).current)


def history_types(connection: Connection, name: str) -> dict[str, ColumnType]:
    """The columns of a table's history, which has every one ever declared."""
    return dict(_stored(connection, name).history)


def _stored(connection: Connection, name: str) -> _Columns:
    """The columns of a table and of its history as they are, none if they are not."""
    rows = select_rows(
        connection,
        "select columns, coalesce(history, columns) as history from schemas "
        "where table_name = ? order by rowid",
        [name],
    )
    if not rows:
        return _Columns({}, {})
    # Of a handful of rows: for one of them DuckDB reads the table twice.
    return _Columns(json.loads(rows[-1]["columns"]), json.loads(rows[-1]["history"]))


def _target(
    schema: str, field: str, old: ColumnType | None, wanted: ColumnType
) -> ColumnType:
    both = wanted if old is None else merged(old, wanted)
    if both is None:
        raise SchemaConflict(
            f"{schema}.{field} is stored as {sql(old or '')} and now declared as {sql(wanted)}; "
            f"a changed type needs a new schema name, such as {schema.rstrip('0123456789')}"
            f"{int(schema[len(schema.rstrip('0123456789')) :] or 1) + 1}"
        )
    return both


def _no_case_twins(schema: str, types: Mapping[str, Any]) -> None:
    seen: dict[str, str] = {}
    for name in types:
        if other := seen.get(name.lower()):
            raise SchemaConflict(
                f"{schema}: column {other!r} exists and {name!r} differs from it only in case"
            )
        seen[name.lower()] = name


def make_table(
    connection: Connection, table: str, types: Mapping[str, ColumnType]
) -> None:
    """A new table of records with these columns, and those of where rows come from."""
    data = [
        f"{quoted(field)} {column_sql(connection, kind)}"
        for field, kind in types.items()
    ]
    lineage = [f"{quoted(field)} {kind}" for field, kind in LINEAGE.items()]
    connection.execute(f"create table {quoted(table)} ({', '.join(data + lineage)})")


def _apply(
    connection: Connection,
    table: str,
    old: Mapping[str, ColumnType],
    target: Mapping[str, ColumnType],
) -> None:
    """Make a table, or bring its columns from old to new."""
    if not old:
        connection.execute(f"drop table if exists {quoted(table)}")
        make_table(connection, table, target)
        return
    for change in _changes(connection, old, target):
        connection.execute(f"alter table {quoted(table)} {change}")


def _changes(
    connection: Connection,
    old: Mapping[str, ColumnType],
    target: Mapping[str, ColumnType],
) -> Iterator[str]:
    """What has to be altered: fields that come, change or go."""
    for field, kind in target.items():
        if field not in old:
            yield f"add column {quoted(field)} {column_sql(connection, kind)}"
        elif kind != old[field]:
            yield f"alter column {quoted(field)} type {column_sql(connection, kind)}"
    for field in filterfalse(target.__contains__, old):
        yield f"drop column {quoted(field)}"


def _comment(connection: Connection, name: str, model: type[BaseModel]) -> None:
    """What a column means, where analysts look for it: duckdb_columns().comment."""
    descriptions = {
        field: info.description for field, info in model.model_fields.items()
    }
    said = {**descriptions, **_COMMENTS}.items()
    for table, (column, text) in product((name, name + HISTORY_SUFFIX), said):
        if text:
            comment_column(connection, table, column, text)


def comment_column(connection: Connection, table: str, column: str, text: str) -> None:
    """Say what a column means."""
    literal = text.replace("'", "''")
    connection.execute(
        f"comment on column {quoted(table)}.{quoted(column)} is '{literal}'"
    )
