"""Opening a DuckDB file: fixed options, waiting for whoever has it open, its errors as ours."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

import duckdb

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.lock import POLL_S

Connection = duckdb.DuckDBPyConnection


class Mode(Enum):
    """READ cannot write. APPEND writes to the log beside the file, never to the file. FOLD folds the log into it."""

    READ = "read"
    APPEND = "append"
    FOLD = "fold"


_Options = dict[str, str | bool | int | float | list[str]]
_COMMON: _Options = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
    "threads": 2,
}
_NEVER = "1TB"
_OPTIONS: dict[Mode, _Options] = {
    Mode.READ: _COMMON,
    # A file made without this version cannot be opened by any DuckDB before 2.0.
    Mode.FOLD: _COMMON | {"storage_compatibility_version": "v1.5.0"},
    Mode.APPEND: _COMMON | {"storage_compatibility_version": "v1.5.0", "checkpoint_threshold": _NEVER},
}
_FULL = ("no space left", "disk quota", "file too large")
_UNWRITABLE = ("permission denied", "read-only file system", "not a directory")
_DAMAGED = ("corrupt", "not a valid duckdb database", "checksum")


@contextmanager
def opened(file: Path, deadline: float, mode: Mode) -> Iterator[Connection]:
    """A connection, session in UTC. StoreBusy while somebody else has the file open, StoreFailed if it is no good."""
    try:
        connection = _connect(file, deadline, mode)
        try:
            connection.execute("set timezone = 'UTC'")
            yield connection
        finally:
            connection.close()
    except duckdb.Error as error:
        if ours := _translated(error, file):
            raise ours from error
        raise


def _connect(file: Path, deadline: float, mode: Mode) -> Connection:
    while True:
        try:
            connection = duckdb.connect(str(file), read_only=mode is Mode.READ, config=_OPTIONS[mode])
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise
            if time.monotonic() >= deadline:
                raise StoreBusy(f"{file} is open elsewhere: {_lock_holder(str(error))}") from error
            time.sleep(POLL_S)
            continue
        if mode is Mode.APPEND:
            connection.execute("pragma disable_checkpoint_on_shutdown")
        return connection


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
    if any(sign in lowered for sign in _DAMAGED) or isinstance(error, duckdb.IOException | duckdb.FatalException):
        return StoreFailed(f"{file} failed ({text})")
    return None
