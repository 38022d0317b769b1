"""The SQLite files that this process has open, each with one connection that stays.

Whoever closes the last connection to a file writes the whole log into it and waits for
the disk, and Dagster opens and closes for every event.
"""

import os
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError

_MOST = 32  # one per run, the index, the runs, the schedules
_INODE = "crawloop/inode"


class SqliteFiles:
    """The engine of each file; those asked for last are kept. Safe for threads."""

    def __init__(self, timeout_s: float):
        """`timeout_s`: how long to wait for who writes at the moment."""
        self._timeout_s = timeout_s
        self._engines: dict[str, Engine] = {}
        self._of_parent: list[Any] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave_parents)

    def engine(self, url: str) -> Engine:
        """The engine of a file, there or not."""
        found = self._engines.get(url)
        if found is None:
            found = self._engines[url] = _engine(url, self._timeout_s)
            for oldest in list(self._engines)[:-_MOST]:
                self._engines.pop(oldest).dispose()
        return found

    def close(self) -> None:
        """Close what is not in use at the moment; it is opened again when need be."""
        for engine in list(self._engines.values()):
            engine.dispose()

    def _leave_parents(self) -> None:
        """In a forked process: what its parent has open it may not even close."""
        self._of_parent.append(self._engines)
        self._engines = {}


def _engine(url: str, timeout_s: float) -> Engine:
    engine = create_engine(
        url,
        pool_size=1,
        connect_args={"timeout": timeout_s, "check_same_thread": False},
    )
    file = str(engine.url.database)

    def note_file(_: Any, record: Any) -> None:
        record.info[_INODE] = _inode(file)

    def check_file(_: Any, record: Any, __: Any) -> None:
        """What was put away and made again is another file, under the same name."""
        if record.info[_INODE] != _inode(file):
            raise DisconnectionError(f"{file} is another file by now")

    event.listen(engine, "connect", note_file)
    event.listen(engine, "checkout", check_file)
    return engine


def _inode(file: str) -> int:
    """Which file a name leads to; 0 for none."""
    try:
        return os.stat(file).st_ino  # noqa: PTH116 - before every event
    except FileNotFoundError:
        return 0
