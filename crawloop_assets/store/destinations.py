"""Published rows in a Postgres of the user's, by ADBC: a family is one table, replaced as a
whole in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.engine import FileConnection
from crawloop_assets.store.published import open_published, published_table
from crawloop_assets.store.typemap import quoted

_INSTALL = "pip install 'crawloop-assets[postgres]'"
_NESTED = ("[]", "MAP(", "STRUCT(", "JSON")
"""Types of columns that arrive as JSON texts."""


def load_postgres(published: Path, family: str, url: str, schema: str) -> int:
    """Replace the table of a family in a schema of a Postgres by its published rows; how
    many are there now. ConfigError if that cannot be."""
    source = published_table(published, family)
    name = family.replace("/", "__")
    with open_published(published) as connection:
        selected = ", ".join(_columns(connection, source))
        rows = connection.sql(
            f"select {selected} from {quoted(source)} where _family = ? order by _key",
            params=[family],
        )
        with _opened(url) as postgres, postgres.cursor() as cursor:
            cursor.execute(f"create schema if not exists {quoted(schema)}")
            new = f"{name}__new"
            cursor.adbc_ingest(
                new, rows.to_arrow_reader(), mode="replace", db_schema_name=schema
            )
            there = f"{quoted(schema)}.{quoted(name)}"
            cursor.execute(f"drop table if exists {there}")
            cursor.execute(
                f"alter table {quoted(schema)}.{quoted(new)} rename to {quoted(name)}"
            )
            cursor.execute(f"select count(*) from {there}")
            (count,) = cursor.fetchone()
            postgres.commit()
    return int(count)


def _columns(connection: FileConnection, table: str) -> Iterator[str]:
    """What is selected: nested values as JSON texts, all else as it is."""
    described = connection.execute(f"describe {quoted(table)}").fetchall()
    for name, kind, *_ in described:
        column = quoted(name)
        is_nested = any(word in kind for word in _NESTED)
        yield f"to_json({column})::varchar as {column}" if is_nested else column


@contextmanager
def _opened(url: str) -> Iterator[Any]:
    """A connection that is closed again; ConfigError, without the url, for what goes wrong
    in it."""
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError as error:
        raise ConfigError("the driver is not installed", hint=_INSTALL) from error
    try:
        with dbapi.connect(url) as connection:
            yield connection
    except dbapi.Error as error:
        said = str(error).replace(url, "(the address)").strip().splitlines()[0]
        # The address may hold a password: nothing of it is kept as the cause.
        raise ConfigError(f"Postgres refuses: {said}") from None
