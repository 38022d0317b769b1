"""Reading the published file, as an analyst does: read-only, closed again at once."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from operator import itemgetter
from pathlib import Path
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.engine import FileConnection, looked_at
from crawloop_assets.store.typemap import quoted

_WAIT_S = 10.0


def published_rows(
    published: Path, table: str, columns: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """All rows of a published table as dicts; an empty list while the file or the table
    does not exist."""
    if not published.exists():
        return []
    selected = ", ".join(map(quoted, columns)) or "*"
    with open_published(published) as connection:
        if not _has_table(connection, table):
            return []
        cursor = connection.execute(f"select {selected} from {quoted(table)}")
        names = list(map(itemgetter(0), cursor.description or ()))
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


def published_counts(published: Path) -> dict[str, int]:
    """How many rows of each family the published file has, by family."""
    counted: list[tuple[str, int]] = []
    with open_published(published) as connection:
        tables = connection.execute("select distinct table_name from family_tables")
        for (table,) in tables.fetchall():
            counted += connection.execute(
                f"select _family, count(*) from {quoted(table)} group by 1"
            ).fetchall()
    return dict(sorted(counted))


def published_table(published: Path, family: str) -> str:
    """The table with the rows of a family; ConfigError while nothing of it is
    published."""
    for row in published_rows(published, "family_tables"):
        if row["family"] == family:
            return str(row["table_name"])
    raise ConfigError(f"nothing of {family} is published yet")


def write_parquet(published: Path, family: str, target: Path) -> int:
    """Write the published rows of one family, in the order of their keys, as Parquet with
    their types; how many. ConfigError while there are none to tell the types."""
    return _copy_rows(published, published_table(published, family), family, target)


def _copy_rows(published: Path, table: str, family: str, target: Path) -> int:
    """Copy the rows of a family out of a table."""
    rows = (
        f"select * from {quoted(table)} where _family = {_text(family)} order by _key"
    )
    with open_published(published) as connection:
        done = connection.execute(
            f"copy ({rows}) to {_text(str(target))} (format parquet)"
        )
        return int(done.fetchall()[0][0])


def open_published(published: Path) -> AbstractContextManager[FileConnection]:
    """A connection to the published file; StoreBusy while somebody writes to it."""
    return looked_at(published, time.monotonic() + _WAIT_S)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _has_table(connection: FileConnection, name: str) -> bool:
    tables = connection.execute(
        "select 1 from duckdb_tables() where table_name = ?", [name]
    )
    return tables.fetchone() is not None
