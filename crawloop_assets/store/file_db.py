"""The private database as a file: opened only for one short transaction at a time, under a lock
every process respects.

DuckDB lets one process write a file while no other has it open. So nobody keeps it
open: a writer takes the lock, opens, commits once, closes. What a person opens is the
published copy, never this file.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store import generations
from crawloop_assets.store.counter import (
    CommitMark,
    CommitNote,
    begin_count,
    check_holds,
    count_commit,
    holds,
    last_commit,
)
from crawloop_assets.store.db import TABLES, Database, check_layout, layout_of
from crawloop_assets.store.engine import Connection, Engine, OpenMode, write_anew
from crawloop_assets.store.generations import Generations
from crawloop_assets.store.lock import StoreLock
from crawloop_assets.store.migrate import LAYOUT, migrate
from crawloop_assets.store.signs import SignsOfLife


class FileDatabase(Database):
    """The store's database under `var`.

    Safe for threads and processes; StoreBusy after `wait_s` seconds.
    """

    def __init__(self, var: Path, wait_s: float = 60):
        super().__init__(var, wait_s)
        self.lock = StoreLock(var, wait_s)
        self._engine = Engine(var)
        self._generations = Generations(var, self._engine)
        self._note = CommitNote(var)
        self._ready = False

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed when the block ends, rolled back when it raises.

        Blocks must not nest, nor be within `one_state`: RuntimeError.
        """
        self._not_within_a_look()
        with self.lock.held() as deadline:
            base = self._base(deadline)
            with self._opened(base, deadline, OpenMode.APPEND) as connection:
                connection.execute("begin")
                try:
                    yield connection
                    mark = count_commit(connection)
                    whole = self._is_whole(connection)
                    connection.execute("commit")
                except BaseException:
                    _roll_back(connection)
                    raise
            if not whole:
                return  # nothing is noted over what tells of the loss, and no file of it is replaced
            self._note.write(mark)
            if self._generations.worth_folding(base):
                with suppress(
                    StoreFailed
                ):  # what was committed is safe in the log; the next commit tries again
                    self._generations.fold(base, deadline)

    def signs_of_runs(self) -> SignsOfLife:
        return SignsOfLife(self.var / "runs")

    @contextmanager
    def _opened_to_read(self) -> Iterator[Connection]:
        with (
            self.lock.held(to_look=True) as deadline,
            self._opened(self._base(deadline), deadline, OpenMode.READ) as connection,
        ):
            yield connection

    def check_whole(self, *noted: tuple[Path, CommitMark]) -> CommitMark | None:
        """The last commit; CommitsLost if one is lost that is noted beside the store,
        or in one of the `noted` files."""
        with self.read() as connection:
            check_holds(connection, self.var, [*self._note.read(), *noted])
            return last_commit(connection)

    def _is_whole(self, connection: Connection) -> bool:
        """Whether every commit is there that is noted beside the store."""
        return all(holds(connection, mark) for _, mark in self._note.read())

    def copy(self, target: Path) -> str:
        """Copy the database file and its log to `target` and beside it; the `state` of
        the copy.

        May raise OSError.
        """
        with self.lock.held(to_look=True) as deadline:
            base = self._completed_base(deadline)
            generations.copy(base, target)
            return generations.state(base)

    def rewrite(self) -> None:
        """Write the store anew, row by row: what was deleted is in none of its files
        any more."""
        with self.lock.held() as deadline:
            base = self._completed_base(deadline)
            number = self._generations.next_number()
            fresh = self._generations.fresh()
            with self._engine.opened(base, deadline, OpenMode.READ) as connection:
                write_anew(connection, fresh)
            self._generations.adopt(fresh, number, deadline)

    def state(self) -> str:
        """Names what the store holds: it differs after every commit that wrote
        something; "" before the first."""
        with self.lock.held(to_look=True):
            base = self._generations.current()
            return generations.state(base) if base else ""

    def layout(self) -> int:
        """The layout of the store as it lies there, 0 if there is none yet.

        Nothing is brought up to date by asking.
        """
        with self.lock.held(to_look=True) as deadline:
            base = self._generations.current()
            if base is None:
                return 0
            with self._engine.opened(base, deadline, OpenMode.READ) as connection:
                return layout_of(connection)

    def _base(self, deadline: float) -> Path:
        """The file to open; made if there is none."""
        base = self._generations.current()
        if base is None:
            base = self._generations.first(deadline, _prepare)
            self._ready = True
        return base

    def _completed_base(self, deadline: float) -> Path:
        """The same for who does not open it as the others do."""
        base = self._base(deadline)
        if not self._ready:
            with self._opened(base, deadline, OpenMode.READ):
                pass
        return base

    @contextmanager
    def _opened(
        self, base: Path, deadline: float, mode: OpenMode
    ) -> Iterator[Connection]:
        """The base, its tables completed. To see that they are changes nothing, so that a
        store which cannot be written can be read."""
        if not self._ready and base.stat().st_size:
            with self._engine.opened(base, deadline, mode) as connection:
                if layout_of(connection) == LAYOUT:
                    self._ready = True
                    yield connection
                    return
        if not self._ready:
            with self._engine.opened(base, deadline, OpenMode.APPEND) as connection:
                _prepare(connection)
            self._ready = True
        with self._engine.opened(base, deadline, mode) as connection:
            yield connection


def _prepare(connection: Connection) -> None:
    """Make the control tables of this layout, unless they are there."""
    found = check_layout(connection)
    if found == LAYOUT:
        return
    connection.execute(f"begin; {TABLES}")
    if found:
        migrate(connection, found)
    else:
        begin_count(connection)
    connection.execute(f"delete from meta; insert into meta values ({LAYOUT}); commit")


def _roll_back(connection: Connection) -> None:
    try:
        connection.execute("rollback")
    except duckdb.Error:
        return  # the engine has already given the transaction up
