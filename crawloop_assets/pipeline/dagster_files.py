"""The SQLite files of the project's Dagster instance, looked at without Dagster."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path


def broken_databases(var: Path) -> Iterator[tuple[Path, str]]:
    """Each damaged file, and what SQLite says of it."""
    for file in sorted((var / "dagster").rglob("*.db")):
        if said := _damage(file):
            yield file, said


def _damage(file: Path) -> str:
    """What is wrong with a file, "" if nothing is; that it is busy is not."""
    try:
        with closing(_to_look(file)) as connection:
            ((said, *_),) = connection.execute("pragma quick_check(1)").fetchall()
    except sqlite3.OperationalError as error:
        return "" if "locked" in str(error) else str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if said == "ok" else str(said)


def _to_look(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
