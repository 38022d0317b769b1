"""Rebuilding a store from a published file.

A published file is the whole store as it was when it was made, but for what was pending
then. So it can take the store's place: what was committed later is lost, and is asked
for again at the next refresh. Nothing is overwritten: what was there is moved aside.
"""

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.counter import CommitMark, CommitNote, last_commit
from crawloop_assets.store.db import SharedDatabase
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.engine import Connection, Engine, looked_at
from crawloop_assets.store.generations import Generations, fold
from crawloop_assets.store.lock import StoreLock
from crawloop_assets.store.pending import forget_pending
from crawloop_assets.store.places import database_of
from crawloop_assets.store.rows import read_all
from crawloop_assets.store.typemap import quoted


@dataclass(frozen=True)
class RestoreSource:
    """A file that a store can be rebuilt from: when it was made, and its last
    commit."""

    file: Path
    made_at: datetime
    mark: CommitMark


@dataclass(frozen=True)
class Restored:
    """What a store was rebuilt from, and where what was there is now."""

    source: RestoreSource
    aside: Path | str


class Restorer:
    """The store in `var`, and the files it can be rebuilt from."""

    def __init__(self, var: Path, published: Path, wait_s: float = 60):
        self._var, self._published = var, published
        self._database = database_of(var, wait_s)
        self._lock = StoreLock(var, wait_s)
        self._note = CommitNote(var)

    def last_noted(self) -> int:
        """How many commits the store had, as far as that is noted; 0 if nothing is."""
        return max((mark.number for _, mark in self._note.read()), default=0)

    def source(self, chosen: Path | None = None) -> RestoreSource:
        """The chosen file, else the newest that can be read from its first to its last
        row.

        StoreFailed if there is none.
        """
        files = [chosen] if chosen else self._files()
        for file in files:
            if found := readable_copy(file, time.monotonic() + self._lock.wait_s):
                return found
        raise StoreFailed(
            f"nothing to rebuild the store from: {', '.join(map(str, files)) or 'there is no file'} cannot be read; "
            f"put a backup there, or move {self._var}/store-* and {self._published} away and begin anew: "
            "stored pages alone do not say which url they are of"
        )

    def _files(self) -> list[Path]:
        found = [self._published, *EarlierFiles(self._var).newest_first()]
        return [file for file in found if file.exists()]

    def restore(self, source: RestoreSource) -> Restored:
        """Put a store made of `source` in the place of what is there."""
        if isinstance(self._database, SharedDatabase):
            return self._take(source, self._database)
        with self._lock.held() as deadline:
            try:
                return self._restore(source, deadline)
            except OSError as error:
                raise StoreFailed(
                    f"cannot rebuild the store of {self._var}: {error.strerror or error}"
                ) from error

    def _take(self, source: RestoreSource, database: SharedDatabase) -> Restored:
        """The same where the store is no file of this machine."""
        aside = database.take(source.file)
        if source.file != self._published:
            _move([self._published], _aside(self._var))
        return Restored(source, aside)

    def _restore(self, source: RestoreSource, deadline: float) -> Restored:
        generations = Generations(self._var, Engine(self._var))
        number = generations.next_number()
        fresh = generations.copied(source.file)
        # All that needs room on the disk comes first.
        fold(fresh, deadline, _made_store)
        aside = _aside(self._var)
        lost = list(self._var.glob("store-*.duckdb*"))
        if source.file != self._published:
            # It may hold what the rebuilt store does not: that is published no more, and not lost either.
            lost.append(self._published)
        _move([*lost, self._note.file], aside)
        generations.adopt(fresh, number, deadline)
        return Restored(source, aside)


def readable_copy(file: Path, deadline: float) -> RestoreSource | None:
    """A copy of a store of which every row can be read; None if it is none."""
    with (
        suppress(StoreFailed, duckdb.Error, OSError),
        looked_at(file, deadline) as connection,
    ):
        read_all(connection)
        mark = last_commit(connection)
        made_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        return RestoreSource(file, made_at, mark) if mark else None
    return None


def _made_store(connection: Connection) -> None:
    """Make a store of a published file: without its views, and with nothing pending."""
    views = connection.execute(
        "select view_name from duckdb_views() where not internal"
    )
    for (name,) in views.fetchall():
        connection.execute(f"drop view {quoted(name)}")
    forget_pending(connection)


def _aside(var: Path) -> Path:
    """A new folder for what was there."""
    folder = var / f"aside-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    folder.mkdir(parents=True)
    return folder


def _move(files: Iterable[Path], folder: Path) -> None:
    for file in files:
        if file.exists():
            shutil.move(file, folder / file.name)
