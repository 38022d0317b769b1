"""Reading the published file, as an analyst does: read-only, closed again at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from crawloop_assets.store.typemap import quoted


def published_rows(
    published: Path, table: str, columns: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """All rows of a published table as dicts; an empty list while the file or the table
    does not exist."""
    if not published.exists():
        return []
    chosen = ", ".join(quoted(column) for column in columns) or "*"
    with duckdb.connect(str(published), read_only=True) as connection:
        tables = {
            row[0]
            for row in connection.execute(
                "SELECT table_name FROM duckdb_tables()"
            ).fetchall()
        }
        if table not in tables:
            return []
        cursor = connection.execute(f"SELECT {chosen} FROM {quoted(table)}")
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
