"""Which pack has a body: one SQLite file beside the packs, which are the truth.

It knows the packs that nobody appends to any more. Lost or damaged it is made again from
them, so nothing rests on it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.engine import file_identity
from crawloop_assets.store.lock import OWNER_ONLY
from crawloop_assets.store.pack import PackEntry, PackKind

__all__ = ["IndexDamaged", "PackIndex", "PackPlace"]

_WAIT_S = 60.0
_TABLES = (
    "create table if not exists packs (pack integer primary key)",
    "create table if not exists bodies (name blob primary key, pack integer not null, at integer not null, "
    "size integer not null, stored integer not null) without rowid",
)
_TORN = "no such table"
"""Of an index whose first transaction was undone."""
_FIND = "select pack, at, size, stored from bodies where name = ?"


class IndexDamaged(StoreFailed):
    """The index is not what it was; the bodies are where they were."""


class PackPlace(NamedTuple):
    """Where the compressed bytes of a body are; `stored` in seconds since 1970."""

    pack: int
    at: int
    size: int
    stored: int


class PackIndex:
    """An index, which need not be there. It is opened for each question: nothing open is
    inherited by a fork. Who writes holds the lock of the packs."""

    def __init__(self, file: Path):
        self._file = file

    def identity(self) -> str:
        """Changes whenever the index is made anew or written."""
        return file_identity(self._file)

    def sealed(self) -> set[int]:
        """The packs it knows."""
        with self._read() as connection:
            return {row[0] for row in connection.execute("select pack from packs")}

    def find(self, names: Iterable[bytes]) -> dict[bytes, PackPlace]:
        """Where bodies are, of those that are there."""
        with self._read() as connection:
            rows = ((name, connection.execute(_FIND, [name])) for name in names)
            return {name: PackPlace(*row) for name, found in rows for row in found}

    def stored_before(self, moment: float) -> list[bytes]:
        """Names last stored before a moment."""
        with self._read() as connection:
            rows = connection.execute(
                "select name from bodies where stored < ?", [moment]
            )
            return list(map(itemgetter(0), rows))

    def take(self, pack: int, entries: Iterable[PackEntry]) -> None:
        """Take in a pack that nobody appends to any more."""
        with self._written() as connection:
            for one in entries:
                if one.kind is PackKind.BODY:
                    row = (one.name, pack, one.at, one.size, one.stored)
                    connection.execute(
                        "insert or replace into bodies values (?, ?, ?, ?, ?)", row
                    )
                elif one.kind is PackKind.AGAIN:
                    connection.execute(
                        "update bodies set stored = ? where name = ?",
                        (one.stored, one.name),
                    )
            connection.execute("insert or ignore into packs values (?)", [pack])

    def forget(self, names: Iterable[bytes]) -> None:
        """Know these bodies no more."""
        with self._written() as connection:
            connection.executemany(
                "delete from bodies where name = ?", ((name,) for name in names)
            )

    def become(self, other: "PackIndex") -> None:
        """Take the place of this one by another one, which is whole."""
        self._journal.unlink(missing_ok=True)
        other._file.replace(self._file)

    def begin(self) -> None:
        """Be empty, whatever there was."""
        self._journal.unlink(missing_ok=True)
        self._file.unlink(missing_ok=True)
        self._file.touch(OWNER_ONLY)

    @property
    def _journal(self) -> Path:
        """What SQLite would undo when the file is opened next."""
        return Path(f"{self._file}-journal")

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        self._file.touch(OWNER_ONLY)
        with self._opened(self._file) as connection:
            connection.execute("begin immediate")
            for table in _TABLES:
                connection.execute(table)
            yield connection
            connection.execute("commit")

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """Where there is no index nothing is in it, and none is made by looking."""
        if file_identity(self._file):
            with self._opened(self._file) as connection:
                yield connection
            return
        with self._opened(":memory:") as connection:
            for table in _TABLES:
                connection.execute(table)
            yield connection

    @contextmanager
    def _opened(self, file: Path | str) -> Iterator[sqlite3.Connection]:
        """IndexDamaged, or StoreFailed for whatever else SQLite says."""
        try:
            connection = sqlite3.connect(file, timeout=_WAIT_S, isolation_level=None)
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            damaged = type(error) is sqlite3.DatabaseError or _TORN in str(error)
            kind = IndexDamaged if damaged else StoreFailed
            raise kind(f"{self._file}: {error}") from error
