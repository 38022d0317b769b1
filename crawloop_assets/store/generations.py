"""The files of the private store: a base that is never written again, and the log of
what came after it.

DuckDB folds its log into the database file in place, overwriting blocks that are in
use. A process killed in the middle of that leaves a file nobody can open again (seen
once in some 3,000 kills; a torn write of block 0 does it every time). So nothing is
folded in place: a commit only appends to the log, and when the log has grown, base and
log are copied, the copy is folded, and takes over under the next number by a rename. At
every moment one complete pair exists.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.engine import Connection, Engine, OpenMode
from crawloop_assets.store.lock import OWNER_ONLY

# Every opening replays the log (200 ms per MB of small commits), every fold copies the base. A batch opens the store a
# dozen times for one commit: of 128 KB the openings took half of all the store costs, of 48 KB a third, and less than
# that costs as much in folds. For stores of 0.5 MB; of 64 MB the share decides.
_LOG_LIMIT = 48 * 1024
_LOG_SHARE = 1 / 128


class Generations:
    """`store-000001.duckdb` and following in one folder, which `engine` may open files of.

    All methods need the store's lock.
    """

    def __init__(self, folder: Path, engine: Engine):
        self.folder, self._engine = folder, engine

    def current(self) -> Path | None:
        """The base in use, None in a new project."""
        return max(self.folder.glob("store-*.duckdb"), default=None)

    def first(self, deadline: float, prepare: Callable[[Connection], None]) -> Path:
        """Make the first base; `prepare` makes its tables."""
        return self.adopt(self.fresh(), 1, deadline, prepare)

    def fold(self, base: Path, deadline: float) -> Path:
        """Base and log become the next base."""
        number = self.next_number()
        return self.adopt(self.copied(base), number, deadline)

    def next_number(self) -> int:
        """The number after that of the base in use."""
        base = self.current()
        return 1 + int(base.stem.removeprefix("store-")) if base else 1

    def copied(self, file: Path) -> Path:
        """A copy of a database file, with its log, that may become the next base."""
        fresh = self.fresh()
        try:
            copy(file, fresh)
        except OSError as error:
            raise StoreFailed(
                f"cannot copy {file}: {error.strerror or error}"
            ) from error
        return fresh

    def worth_folding(self, base: Path) -> bool:
        """Whether the log has become long enough."""
        log = log_of(base)
        return log.exists() and log.stat().st_size > max(
            _LOG_LIMIT, base.stat().st_size * _LOG_SHARE
        )

    def fresh(self) -> Path:
        """Where the next base is made; what was left there is gone."""
        fresh = self.folder / "store.new"
        fresh.unlink(missing_ok=True)
        log_of(fresh).unlink(missing_ok=True)
        return fresh

    def adopt(
        self,
        fresh: Path,
        number: int,
        deadline: float,
        first: Callable[[Connection], None] | None = None,
    ) -> Path:
        """Fold a file that nobody relies on yet, after `first` has changed what it holds,
        and let it take over as the base of that number."""
        _fold(self._engine.opened(fresh, deadline, OpenMode.APPEND), fresh, first)
        base = self.folder / f"store-{number:06d}.duckdb"
        try:
            fresh.chmod(OWNER_ONLY)  # whoever makes the first, a command or a run
            fresh.replace(base)
            sync_folder(self.folder)
            for old in self.folder.glob("store-*.duckdb*"):
                if old not in (base, log_of(base)):
                    old.unlink()
        except OSError as error:
            raise StoreFailed(
                f"cannot replace the files of {self.folder}: {error.strerror or error}"
            ) from error
        return base


def log_of(base: Path) -> Path:
    """Where DuckDB keeps the log of a database file."""
    return base.with_name(f"{base.name}.wal")


def state(base: Path) -> str:
    """Names the content of a base and its log."""
    files = [file.stat() for file in (base, log_of(base)) if file.exists()]
    return ":".join(
        [base.name, *(f"{found.st_size}:{found.st_mtime_ns}" for found in files)]
    )


def copy(base: Path, target: Path) -> None:
    """Copy a base and its log.

    `target` is complete only together with its own log.
    """
    shutil.copyfile(base, target)
    if log_of(base).exists():
        shutil.copyfile(log_of(base), log_of(target))


def fold(
    file: Path, deadline: float, first: Callable[[Connection], None] | None = None
) -> None:
    """Fold a file's log into it, so that it is complete alone and on disk; `first` may
    change what it holds.

    Only for files nobody relies on yet, in whichever folder.
    """
    opened = Engine(file.parent).opened(file, deadline, OpenMode.APPEND)
    _fold(opened, file, first)


def _fold(
    opened: AbstractContextManager[Connection],
    file: Path,
    first: Callable[[Connection], None] | None,
) -> None:
    with opened as connection:
        if first is not None:
            first(connection)
        connection.execute("checkpoint")
    log = log_of(file)
    if log.exists() and log.stat().st_size:
        raise StoreFailed(f"{log} could not be folded into {file}")
    try:
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
    except OSError as error:
        raise StoreFailed(
            f"cannot write {file} to the disk: {error.strerror or error}"
        ) from error


def sync_folder(folder: Path) -> None:
    """A rename survives a power cut only once its folder is written."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
