"""What the families of a table declare: the columns that its current rows have.

Families of one model share a table, and the model decides for all of them. Two models
of one name share it, too; then a column stays while one of them declares it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import filterfalse

from crawloop_assets.family import Family
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.rows import append, now, select_rows
from crawloop_assets.store.typemap import ColumnType, columns, merged


@dataclass(frozen=True)
class FamilyTable:
    """That the records of a family are in a table.

    `key` is JSON of the fields that name a record, `declared` JSON of the columns its
    model asks for; `source` is the model. What a store of before does not tell is None.
    """

    family: str
    table_name: str
    source: str | None
    key: str | None
    declared: str


def family_tables(connection: Connection, table: str | None) -> list[FamilyTable]:
    """The families of a table (None: of all), by name."""
    rows = select_rows(
        connection,
        'select family, table_name, source, "key", declared from family_tables '
        "where table_name = coalesce(?, table_name) order by family, table_name",
        [table],
    )
    return [FamilyTable(**row) for row in rows]


def declare(
    connection: Connection, family: Family, table: str
) -> dict[str, ColumnType]:
    """Note what a family declares of its table; what all families of it declare."""
    known = family_tables(connection, table)
    present = _with(known, family, table)
    news = list(filterfalse(known.__contains__, present))
    for row in news:
        forget(connection, row.family, table)
    append(
        connection,
        "family_tables",
        [asdict(row) | {"changed_at": now()} for row in news],
    )
    return _together(present)


def declared_with(
    connection: Connection, family: Family, table: str
) -> dict[str, ColumnType]:
    """What all families of a table declare, this one as it is now; nothing is noted."""
    return _together(_with(family_tables(connection, table), family, table))


def forget(connection: Connection, family: str, table: str | None) -> None:
    """The family declares nothing of a table (None: of any) any more."""
    connection.execute(
        "delete from family_tables where family = ? and table_name = coalesce(?, table_name)",
        [family, table],
    )


def _with(
    known: Sequence[FamilyTable], family: Family, table: str
) -> list[FamilyTable]:
    """The families of a table as they are once this one has declared its model."""
    declared = json.dumps(columns(family.model()))
    key = json.dumps(list(family.key))
    mine = FamilyTable(family.family, table, family.record_schema, key, declared)
    others = [row for row in known if row.family != mine.family]
    of_my_model = [
        replace(row, declared=declared) if row.source == mine.source else row
        for row in others
    ]
    return [*of_my_model, mine]


def _together(rows: Sequence[FamilyTable]) -> dict[str, ColumnType]:
    """The columns that any of the families declares."""
    columns_of: dict[str, ColumnType] = {}
    for row in rows:
        declared: Mapping[str, ColumnType] = json.loads(row.declared)
        for name, kind in declared.items():
            columns_of[name] = merged(columns_of.get(name, kind), kind) or kind
    return columns_of
