"""The private database of a project, wherever it is: one short transaction at a time for
whoever changes it, one consistent state for whoever looks."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.counter import CommitMark
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.migrate import LAYOUT
from crawloop_assets.store.rows import rows_if_there

TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")


class _Look(threading.local):
    """What each thread has open for `one_state`."""

    connection: Connection | None = None


class RunSigns(Protocol):
    """Signs of life of runs."""

    def given(self, run_id: str) -> AbstractContextManager[bool]:
        """Let others see that a run is alive, until the block ends or the process does."""

    def is_alive(self, run_id: str) -> bool:
        """Whether the process of a run is alive."""


class Database(ABC):
    """The store's database of the project that keeps its files in `var`.

    Safe for threads and processes; StoreBusy after `wait_s` seconds.
    """

    def __init__(self, var: Path, wait_s: float):
        self.var, self.wait_s = var, wait_s
        self._look = _Look()

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """One transaction: committed when the block ends, rolled back when it raises.

        Blocks must not nest, nor be within `one_state`: RuntimeError.
        """

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one consistent state and cannot write."""
        if self._look.connection is not None:
            yield self._look.connection
            return
        with self._opened_to_read() as connection:
            yield connection

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """All that this thread reads inside is of one state and costs one opening.

        Of a file everybody else waits meanwhile: nothing slow belongs inside.
        """
        with self.read() as connection:
            outer, self._look.connection = self._look.connection, connection
            try:
                yield
            finally:
                self._look.connection = outer

    @abstractmethod
    def check_whole(self, *noted: tuple[Path, CommitMark]) -> CommitMark | None:
        """The last commit; CommitsLost if one is lost that is noted beside the store,
        or in one of the `noted` files."""

    @abstractmethod
    def copy(self, target: Path) -> str:
        """Make a DuckDB file of it, and its log if it has one; the `state` of the copy.

        May raise OSError.
        """

    @abstractmethod
    def rewrite(self) -> None:
        """Write the store anew, row by row: what was deleted is in none of its files
        any more."""

    @abstractmethod
    def state(self) -> str:
        """Names what the store holds: it differs after every commit that wrote
        something; "" before the first."""

    @abstractmethod
    def layout(self) -> int:
        """The layout of the store as it lies there, 0 if there is none yet.

        Nothing is brought up to date by asking.
        """

    @abstractmethod
    def signs_of_runs(self) -> RunSigns:
        """How runs let each other know that they are alive, on whichever machine."""

    @abstractmethod
    def _opened_to_read(self) -> AbstractContextManager[Connection]:
        """As `read`, outside of `one_state`."""

    def _not_within_a_look(self) -> None:
        if self._look.connection is not None:
            raise RuntimeError(
                "whoever looks at one state of the store cannot change it"
            )


class SharedDatabase(Database):
    """One that is no file of this machine."""

    @abstractmethod
    def take(self, source: Path) -> str:
        """Put what a published file holds in the place of the store; where that is now."""


def layout_of(connection: Connection) -> int:
    """The layout of an opened store, 0 if nothing was made in it yet."""
    made = rows_if_there(connection, "meta", "select max(version) from meta")
    return int(made[0][0]) if made else 0


def check_layout(connection: Connection) -> int:
    """The layout of an opened store, 0 if there is none yet; StoreFailed if it is of a
    newer version."""
    found = layout_of(connection)
    if found > LAYOUT:
        raise StoreFailed(
            f"the store was written by a newer version (layout {found}, this one knows {LAYOUT}); "
            "install that version, or a newer one"
        )
    return found
