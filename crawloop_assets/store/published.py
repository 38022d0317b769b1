"""Reading the published file, as an analyst does: read-only, closed again at once."""

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.typemap import quoted


def published_rows(
    published: Path, table: str, columns: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """All rows of a published table as dicts; an empty list while the file or the table
    does not exist."""
    if not published.exists():
        return []
    selected = ", ".join(map(quoted, columns)) or "*"
    with duckdb.connect(str(published), read_only=True) as connection:
        if not _has_table(connection, table):
            return []
        cursor = connection.execute(f"select {selected} from {quoted(table)}")
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def family_rows(published: Path, family: str) -> list[dict[str, Any]]:
    """The published rows of one family, in the order of their keys; none while there
    are none."""
    tables = published_rows(published, "family_tables")
    for row in tables:
        if row["family"] == family:
            rows = published_rows(published, row["table_name"])
            found = [one for one in rows if one["_family"] == family]
            return sorted(found, key=itemgetter("_key"))
    return []


def write_parquet(published: Path, family: str, target: Path) -> int:
    """Write the published rows of one family, in the order of their keys, as Parquet with
    their types; how many. ConfigError while there are none to tell the types."""
    for row in published_rows(published, "family_tables"):
        if row["family"] == family:
            return _copy_rows(published, row["table_name"], family, target)
    raise ConfigError(f"nothing of {family} is published yet")


def _copy_rows(published: Path, table: str, family: str, target: Path) -> int:
    """Copy the rows of a family out of a table."""
    rows = (
        f"select * from {quoted(table)} where _family = {_text(family)} order by _key"
    )
    with duckdb.connect(str(published), read_only=True) as connection:
        done = connection.execute(
            f"copy ({rows}) to {_text(str(target))} (format parquet)"
        )
        return int(done.fetchall()[0][0])


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _has_table(connection: Connection, name: str) -> bool:
    tables = connection.execute(
        "select 1 from duckdb_tables() where table_name = ?", [name]
    )
    return tables.fetchone() is not None
