"""The private DuckDB file: opened only for one short transaction at a time, under a lock every process respects.

DuckDB lets one process write a file while no other has it open. So nobody keeps it open: a writer takes the lock,
opens, commits once, closes. What a person opens is the published copy, never this file.
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
from filelock import BaseFileLock, FileLock, Timeout
from pydantic_core import to_jsonable_python

from crawloop_assets.errors import StoreBusy, StoreFailed

Connection = duckdb.DuckDBPyConnection
VERSION = 1
TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
_OPTIONS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
    "threads": 2,
}
# A file made without this cannot be opened by any DuckDB before 2.0.
_STORAGE: dict[str, str | bool | int | float | list[str]] = {"storage_compatibility_version": "v1.5.0"}
_POLL_S = 0.02
_FULL = ("no space left", "disk quota", "file too large")
_UNWRITABLE = ("permission denied", "read-only file system", "not a directory")


def now() -> datetime:
    """The current time, UTC."""
    return datetime.now(UTC)


def append(connection: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of equal keys; the only fast way in."""
    if not rows:
        return
    names = list(rows[0])
    with connection.appender(table, columns=names) as appender:
        appender.append_rows([[_encodable(row[name]) for name in names] for row in rows])


def select(connection: Connection, statement: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """All rows as dicts, times in UTC."""
    found = connection.execute(statement, list(parameters))
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, map(_utc, row), strict=True)) for row in found.fetchall()]


def changed(connection: Connection, statement: str, parameters: Sequence[Any] = ()) -> int:
    """How many rows an insert, update or delete touched."""
    return int(connection.execute(statement, list(parameters)).fetchall()[0][0])


def as_json(value: Any) -> str:
    """JSON text of anything pydantic knows how to write; what is not a number becomes null."""
    return json.dumps(to_jsonable_python(value, inf_nan_mode="null"), ensure_ascii=False)


def _encodable(value: Any) -> Any:
    """Text without lone surrogates: a control table must never be the reason a commit fails."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value


def _utc(value: Any) -> Any:
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else value


class Database:
    """`var/store.duckdb` and its lock. Safe for threads and processes; StoreBusy after `wait_s` seconds."""

    def __init__(self, var: Path, wait_s: float = 60):
        self.var, self.wait_s = var, wait_s
        self.file = var / "store.duckdb"
        self._holder = var / "store.holder"
        self._mutex = threading.Lock()
        self._ready = False

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed when the block ends, rolled back when it raises. Blocks must not nest."""
        with self.held() as deadline, self._opened(deadline, read_only=False) as connection:
            connection.execute("begin")
            try:
                yield connection
                connection.execute("commit")
            except BaseException:
                _roll_back(connection)
                raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one consistent state and cannot write."""
        with self.held() as deadline:
            if not self._ready or not self.file.exists():
                with self._opened(deadline, read_only=False):
                    pass
            with self._opened(deadline, read_only=True) as connection:
                yield connection

    @contextmanager
    def held(self) -> Iterator[float]:
        """The lock alone, for whoever needs the file itself; yields the deadline for opening (monotonic seconds)."""
        deadline = time.monotonic() + self.wait_s
        if not self._mutex.acquire(timeout=self.wait_s):
            raise StoreBusy(f"another thread of this process has held {self.file} for {self.wait_s:g} s")
        try:
            lock = self._locked(deadline)
            try:
                yield deadline
            finally:
                lock.release()
        finally:
            self._mutex.release()

    def checkpoint(self, deadline: float) -> None:
        """Fold the write-ahead log into the file, so that the file alone is complete. Needs `held`."""
        with self._opened(deadline, read_only=False) as connection:
            connection.execute("checkpoint")
        log = self.file.with_name(f"{self.file.name}.wal")
        if log.exists() and log.stat().st_size:
            raise StoreFailed(f"{log} could not be folded into {self.file}")

    def _locked(self, deadline: float) -> BaseFileLock:
        # A new lock each time: one that lived on would be useless in a forked child.
        try:
            self.var.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.var / "store.lock", thread_local=False, poll_interval=_POLL_S)
            lock.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except Timeout as error:
            raise StoreBusy(f"{self.file} is held by process {self._pid()} for more than {self.wait_s:g} s") from error
        except OSError as error:
            raise StoreFailed(f"cannot lock {self.file}: {error.strerror or error}") from error
        with suppress(OSError):  # who holds it is told as a courtesy; a full disk must not stop readers
            self._holder.write_text(str(os.getpid()))
        return lock

    def _pid(self) -> str:
        try:
            return self._holder.read_text() or "unknown"
        except OSError:
            return "unknown"

    @contextmanager
    def _opened(self, deadline: float, *, read_only: bool) -> Iterator[Connection]:
        try:
            connection = self._connect(deadline, read_only)
            try:
                connection.execute("set timezone = 'UTC'")
                if not read_only:
                    self._prepare(connection)
                yield connection
            finally:
                connection.close()
        except duckdb.Error as error:
            if ours := _translated(error, self.file):
                raise ours from error
            raise

    def _connect(self, deadline: float, read_only: bool) -> Connection:
        options = _OPTIONS if read_only else _OPTIONS | _STORAGE
        while True:
            try:
                return duckdb.connect(str(self.file), read_only=read_only, config=options)
            except duckdb.IOException as error:
                if "Could not set lock" not in str(error):
                    raise
                if time.monotonic() >= deadline:
                    raise StoreBusy(f"{self.file} is open elsewhere: {_lock_holder(str(error))}") from error
            time.sleep(_POLL_S)

    def _prepare(self, connection: Connection) -> None:
        """Make the control tables; once per process, and again if somebody removed the file."""
        if self._ready and connection.execute("select 1 from duckdb_tables() where table_name = 'meta'").fetchall():
            return
        connection.execute(TABLES)
        found = connection.execute("select max(version) from meta").fetchall()[0][0]
        if found is None:
            connection.execute("insert into meta values (?)", [VERSION])
        elif found > VERSION:
            raise StoreFailed(f"{self.file} was written by a newer version (layout {found}, this one knows {VERSION})")
        self._ready = True


def _roll_back(connection: Connection) -> None:
    try:
        connection.execute("rollback")
    except duckdb.Error:
        return  # the engine has already given the transaction up


def _lock_holder(message: str) -> str:
    start, end = message.find("(PID "), message.find(")", message.find("(PID "))
    return f"process {message[start + 5 : end]} has it; close it there" if start >= 0 else message


def _translated(error: duckdb.Error, file: Path) -> StoreFailed | None:
    """An engine error about the file as ours; None for anything else (a wrong statement is a bug, not a failure)."""
    text = str(error)
    lowered = text.lower()
    if any(sign in lowered for sign in _FULL):
        return StoreFailed(f"the disk under {file} is full; nothing of this transaction was kept ({text})")
    if any(sign in lowered for sign in _UNWRITABLE):
        return StoreFailed(f"{file} cannot be written ({text})")
    if isinstance(error, duckdb.IOException | duckdb.FatalException):
        return StoreFailed(f"{file} failed ({text})")
    return None
