"""Opening a DuckDB file: fixed options, waiting for whoever has it open, its errors as ours."""

import atexit
import ctypes
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import duckdb

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.lock import POLL_S
from crawloop_assets.store.typemap import ColumnType, is_text, sql

FileConnection = duckdb.DuckDBPyConnection


class Rows(Protocol):
    """What a statement gave; `description` has a tuple for each column, its name first."""

    @property
    def description(self) -> Sequence[Any] | None:
        """None where nothing is given."""

    def fetchall(self) -> list[Any]:
        """All rows, as tuples; how many were changed where nothing is given."""

    def fetchone(self) -> Any:
        """The first, None if there is none."""


class Appending(Protocol):
    """Takes rows in."""

    def append_rows(self, rows: Any, /) -> Any:
        """Rows of values, in the order of the columns."""


class Connection(Protocol):
    """What the store speaks SQL to, as DuckDB does: a file that is open, or a session with
    a Postgres."""

    def execute(self, query: str, parameters: Any = ...) -> Rows:
        """One statement, with a value for each `?`."""

    def appender(
        self, table: str, *, columns: list[str]
    ) -> AbstractContextManager[Appending]:
        """Many rows at once."""


def column_sql(connection: Connection, kind: ColumnType) -> str:
    """The type of a column as this engine has it: lists and structs are JSON texts where
    there are none."""
    has_structs = isinstance(connection, duckdb.DuckDBPyConnection)
    return sql(kind) if has_structs or not is_text(kind) else "JSON"


class OpenMode(Enum):
    """READ cannot write.

    APPEND writes to the log beside the file, never to the file.
    """

    READ = "(read_only)"
    APPEND = ""


_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    # A file made without this version cannot be opened by any DuckDB before 2.0.
    "storage_compatibility_version": "v1.5.0",
}
_START = """
set allowed_directories = [{folder}];
set enable_external_access = false;
set global timezone = 'UTC';
pragma disable_checkpoint_on_shutdown;
"""
_NEVER = "1TB"
_FAILED = "{} failed ({}); `crawloop doctor` says what is wrong with it"
_DAMAGE = "{} is damaged ({}); run `crawloop doctor`, then `crawloop restore`"
_FULL = ("no space left", "disk quota", "file too large")
_UNWRITABLE = ("permission denied", "read-only file system", "not a directory")
_DAMAGED = (
    "corrupt",
    "not a valid duckdb database",
    "checksum",
    "replaying wal",
    "could not read enough bytes",
    "serialization",
)
_TROUBLES = (
    (
        _FULL,
        "the disk under {} is full; nothing of this transaction was kept; free some space, then do it again ({})",
    ),
    (
        _UNWRITABLE,
        "{} cannot be written; give this user the right to write there, or look only ({})",
    ),
    (_DAMAGED, _DAMAGE),
)
"""Signs in what the engine says of a file, and what that means."""


_KEPT_FOLDERS = 4
"""Of which a process keeps what it started; it is one, and a copy of it."""

_FREE: OrderedDict[Path, list[FileConnection]] = OrderedDict()
"""What this process has started and is not in use, by folder, used last at the end."""


class Engine:
    """DuckDB without a file, which opens files of one `folder`. Starting it costs ten
    times what opening a file in it costs: whoever opens files of the folder in this
    process shares it, and it stays after them.

    One that is in use is not shared, another thread gets another. It has no threads of
    its own, and every process starts its own: one that was forked would inherit nothing
    but trouble.
    """

    def __init__(self, folder: Path):
        self._folder = folder.absolute()

    @contextmanager
    def opened(
        self, file: Path, deadline: float, mode: OpenMode
    ) -> Iterator[FileConnection]:
        """A connection to a file, session in UTC.

        StoreBusy while somebody else has the file open, StoreFailed if it is no good.
        """
        with _ours(file), self._started() as engine:
            _patiently(
                lambda: engine.execute(f"attach {_text(file)} as store {mode.value}"),
                file,
                deadline,
            )
            connection = engine.cursor()
            try:
                connection.execute("use store")
                yield connection
            finally:
                connection.close()
                engine.execute("detach store")

    @contextmanager
    def _started(self) -> Iterator[FileConnection]:
        """One that nobody else uses meanwhile. It stays, unless it has failed: nobody
        knows what has become of it."""
        free = _FREE.get(self._folder)
        engine = free.pop() if free else self._start()
        try:
            yield engine
        except duckdb.Error:
            engine.close()
            raise
        except BaseException:
            self._put_back(engine)
            raise
        self._put_back(engine)

    def _put_back(self, engine: FileConnection) -> None:
        """Keep it for who comes next; meanwhile the folder may have been given up."""
        _FREE.setdefault(self._folder, []).append(engine)
        _FREE.move_to_end(self._folder)
        _stop(_KEPT_FOLDERS)

    def _start(self) -> FileConnection:
        engine = duckdb.connect(
            config=_CLOSED | {"threads": 1, "checkpoint_threshold": _NEVER}
        )
        engine.execute(_START.format(folder=_text(self._folder) + " || '/'"))
        return engine


def write_anew(connection: FileConnection, target: Path) -> None:
    """Write all tables of the opened file into a new one, with their rows as they are
    now."""
    connection.execute(f"attach {_text(target)} as fresh")
    try:
        connection.execute("copy from database store to fresh")
    finally:
        connection.execute("detach fresh")


def _stop(kept: int = 0) -> None:
    """Stop what was started, but for the folders that were used last."""
    while len(_FREE) > kept:
        _, engines = _FREE.popitem(last=False)
        for engine in engines:
            engine.close()


def _leave_alone() -> None:
    """In a copy of a process: what that has started lacks its threads here, and would end
    this process if it were freed, also at the very end. So it never is."""
    for engine in chain.from_iterable(_FREE.values()):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    _FREE.clear()


atexit.register(_stop)  # before its library is gone
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_alone)


@contextmanager
def made_file(file: Path, folder: Path) -> Iterator[FileConnection]:
    """A connection to a new file that takes rows in from files of a folder, and whose log
    is folded into it at the end."""
    with _ours(file):
        connection = duckdb.connect(str(file), config=_CLOSED | {"threads": 2})
        try:
            connection.execute(_START.format(folder=_text(folder) + " || '/'"))
            yield connection
            connection.execute("checkpoint")
        finally:
            connection.close()


@contextmanager
def looked_at(file: Path, deadline: float) -> Iterator[FileConnection]:
    """A connection to a file that is nobody's store, as an analyst has it, though it may
    be replaced at any moment.

    Errors as above.
    """
    with _ours(file):
        connection = _patiently(lambda: _of_one_file(file, deadline), file, deadline)
        try:
            yield connection
        finally:
            connection.close()


def file_identity(file: Path) -> str:
    """Changes whenever a file is replaced or written; empty if there is none."""
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_ino}:{found.st_size}:{found.st_mtime_ns}"


def _of_one_file(file: Path, deadline: float) -> FileConnection:
    """DuckDB opens a file by its name three times: to see what it is, for its header, for
    the rest. A file that is replaced in between has the header of one and the rest of
    another, and fails as if it were damaged: it is opened again."""
    while True:
        before = file_identity(file)
        try:
            connection = duckdb.connect(str(file), read_only=True)
        except duckdb.IOException:
            if file_identity(file) == before or time.monotonic() >= deadline:
                raise
            continue
        if file_identity(file) == before or time.monotonic() >= deadline:
            return connection
        connection.close()


def _text(path: Path) -> str:
    return "'" + str(path.absolute()).replace("'", "''") + "'"


@contextmanager
def _ours(file: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        if ours := _translated(error, file):
            raise ours from error
        raise


def _patiently(
    open_it: Callable[[], FileConnection], file: Path, deadline: float
) -> FileConnection:
    """Wait until nobody else has the file open."""
    while True:
        try:
            return open_it()
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"{file} is open elsewhere: {_lock_holder(str(error))}"
                ) from error
            time.sleep(POLL_S)


def _lock_holder(message: str) -> str:
    start, end = message.find("(PID "), message.find(")", message.find("(PID "))
    return (
        f"process {message[start + 5 : end]} has it; close it there"
        if start >= 0
        else message
    )


def _translated(error: duckdb.Error, file: Path) -> StoreFailed | None:
    """An engine error about the file as ours; None for anything else (a wrong statement
    is a bug, not a failure)."""
    text = str(error)
    lowered = text.lower()
    for signs, trouble in _TROUBLES:
        if any(map(lowered.__contains__, signs)):
            return StoreFailed(trouble.format(file, text))
    if isinstance(error, duckdb.IOException | duckdb.FatalException):
        return StoreFailed(_FAILED.format(file, text))
    return None
