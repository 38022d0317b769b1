"""One session with a Postgres, which answers as a DuckDB connection does."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from operator import attrgetter
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.composite import CompositeInfo, register_composite
from psycopg.types.string import TextLoader

from crawloop_assets.store.dialect import ROW_NUMBER, in_postgres
from crawloop_assets.store.typemap import quoted

SCHEMA = "crawloop_store"
"""Where all of it is: the same Postgres may hold Dagster's tables, and those of `crawloop load`."""

_EXAMPLE = ("url", "field", "expected", "got", "page_sha256")
_SPECIAL = re.compile(r'(["\\])')
_ESCAPED_NUL = re.compile(r"(\\\\)|\\u0000")
"""In JSON text; what stands behind an escaped backslash is none."""
_OPTIONS = {
    "TimeZone": "UTC",
    "search_path": SCHEMA,
    "client_encoding": "UTF8",
    "intervalstyle": "postgres",
    "extra_float_digits": "1",
    # Who is cut off in the middle of a transaction holds its lock no longer than this.
    "idle_in_transaction_session_timeout": "10min",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


def opened_session(url: str, name: str, timeout_s: float) -> psycopg.Connection[Any]:
    """A new session of that name; psycopg.OperationalError if there is none to be had."""
    options = " ".join(f"-c {key}={value}" for key, value in _OPTIONS.items())
    session = psycopg.connect(
        url,
        autocommit=True,
        prepare_threshold=None,
        options=options,
        application_name=name,
        connect_timeout=max(2, int(timeout_s)),
        cursor_factory=psycopg.RawCursor,
    )
    session.adapters.register_loader("json", TextLoader)
    session.adapters.register_loader("jsonb", _MomentsLoader)
    return session


def know_examples(session: psycopg.Connection[Any]) -> None:
    """Let a session read the structs of checks, which its tables are made with."""
    if info := CompositeInfo.fetch(session, f"{SCHEMA}.example"):
        register_composite(info, session, _example)


class _MomentsLoader(TextLoader):
    """A map of moments: `_kept` is the only column of that type."""

    def load(self, data: Any) -> Any:
        said = json.loads(super().load(data))
        return {name: datetime.fromisoformat(at) for name, at in said.items()}


def _example(*values: Any) -> dict[str, Any]:
    return dict(zip(_EXAMPLE, values, strict=True))


class _Given:
    """What a statement gave, as DuckDB would: how many rows it touched, where it gives
    none."""

    def __init__(self, cursor: "psycopg.Cursor[Any]"):
        names = list(map(attrgetter("name"), cursor.description or ()))
        self._at = names.index(ROW_NUMBER) if ROW_NUMBER in names else None
        self.description = [(name,) for name in names if name != ROW_NUMBER]
        self._rows = iter(
            cursor.fetchall() if cursor.description else [(max(0, cursor.rowcount),)]
        )

    def fetchall(self) -> list[Any]:
        """All that are left."""
        at = self._at
        if at is None:
            return list(self._rows)
        return [row[:at] + row[at + 1 :] for row in self._rows]

    def fetchone(self) -> Any:
        """The next one, None after the last."""
        rows = self.fetchall()
        self._rows = iter(rows[1:])
        self._at = None
        return rows[0] if rows else None


class Session:
    """What the store speaks to while a transaction is open."""

    def __init__(self, session: psycopg.Connection[Any]):
        self._session = session

    def execute(
        self, statement: str, parameters: Sequence[Any] | None = None
    ) -> _Given:
        """Say what DuckDB would be told; psycopg.Error if it is refused."""
        cursor = self._session.cursor()
        *before, last = in_postgres(statement)
        for one in before:
            cursor.execute(one)
        cursor.execute(last, list(map(_plain, parameters)) if parameters else None)
        return _Given(cursor)

    def write_csv(self, query: str, null: str, file: Path) -> bool:
        """Write what a query gives to a file, without names; whether there is anything."""
        options = f"format csv, null '{null}', force_quote *"
        with (
            file.open("wb") as target,
            self._session.cursor() as cursor,
            cursor.copy(f"copy ({query}) to stdout ({options})".encode()) as copy,
        ):
            for block in copy:
                target.write(block)
        return file.stat().st_size > 0

    @contextmanager
    def appender(self, table: str, columns: Sequence[str]) -> Iterator["_Appender"]:
        """Many rows at once."""
        named = ", ".join(map(quoted, columns))
        with (
            self._session.cursor() as cursor,
            cursor.copy(f"copy {quoted(table)} ({named}) from stdin") as copy,
        ):
            yield _Appender(copy.write_row)


class _Appender:
    """Writes rows to a table."""

    def __init__(self, write: Callable[[Sequence[Any]], None]):
        self._write = write

    def append_rows(self, rows: Sequence[Sequence[Any]]) -> None:
        """Rows of the values of all columns."""
        for row in rows:
            self._write(list(map(_plain, row)))


def _plain(value: Any) -> Any:
    """A value as Postgres takes it."""
    if isinstance(value, str):
        text = value.value if isinstance(value, Enum) else value
        return _without_nul(text)
    if isinstance(value, Mapping):
        return json.dumps({name: at.isoformat() for name, at in value.items()})
    if _is_of_structs(value):
        return "{" + ",".join(_in_quotes(_row(one)) for one in value) + "}"
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    return value


def _is_of_structs(value: Any) -> bool:
    """Whether a value is a list of structs, as its first member shows."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _row(example: Mapping[str, Any]) -> str:
    """A struct as Postgres writes it."""
    said = map(example.get, _EXAMPLE)
    parts = ["" if one is None else _in_quotes(_without_nul(one)) for one in said]
    return f"({','.join(parts)})"


def _without_nul(text: str) -> str:
    """No text of Postgres holds one, nor may its functions of JSON meet one."""
    if "\\u0000" in text and text[0] in '{["':
        text = _ESCAPED_NUL.sub(r"\1", text)
    return text.replace("\0", "")


def _in_quotes(text: str) -> str:
    return '"' + _SPECIAL.sub(r"\\\1", text) + '"'
