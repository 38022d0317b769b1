"""The published copy: what analysts open.

Always complete, never locked, replaced by an atomic rename.
"""

import time
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.project import private_folder
from crawloop_assets.store.counter import CommitMark, mark_in
from crawloop_assets.store.db import Database
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.engine import Connection, file_identity
from crawloop_assets.store.generations import fold, log_of, sync_folder
from crawloop_assets.store.lock import OWNER_ONLY
from crawloop_assets.store.pending import hide_pending
from crawloop_assets.store.rows import read_all
from crawloop_assets.store.views import make_views

_PAUSE_S = 2.0
_PAUSE_FACTOR = 10.0


class _Last(BaseModel):
    """The last publication: when (seconds since the epoch), how long it took, of which
    state, as which file, up to which commit."""

    at: float = 0.0
    took_s: float = 0.0
    state: str = ""
    file: str = ""
    mark: CommitMark | None = None


class Publisher:
    """Copies the store to `published`.

    Publishers take turns, so that an older copy never replaces a newer one.
    """

    def __init__(self, database: Database, published: Path):
        self.database, self.published = database, published
        self._var, self._wait_s = database.var, database.wait_s
        self._memory = self._var / "published.json"
        self._earlier = EarlierFiles(self._var)

    def publish(self) -> Path:
        """Make `published` what the store holds now, without what is pending; nothing
        is copied if it is that already.

        StoreFailed leaves the file that was there untouched; also where the store has
        lost what that file holds.
        """
        try:
            with FileLock(
                private_folder(self._var) / "publish.lock",
                timeout=self._wait_s,
                mode=OWNER_ONLY,
                thread_local=False,
            ):
                return self._publish()
        except Timeout as error:
            raise StoreBusy(
                f"another process has been publishing {self.published} for too long"
            ) from error
        except OSError as error:
            raise StoreFailed(
                f"cannot publish {self.published}: {error.strerror or error}"
            ) from error

    def check_whole(self) -> CommitMark | None:
        """The last commit; CommitsLost if the store does not hold one that is noted
        beside it or in the published file."""
        last, noted = self._last(), []
        mark = last.mark
        if mark is None or last.file != file_identity(self.published):
            mark = mark_in(self.published, time.monotonic() + self._wait_s)
        if mark is not None:
            noted.append((self.published, mark))
        return self.database.check_whole(*noted)

    def is_whole(self) -> bool:
        """Whether the store can be read, and holds every commit that is noted."""
        try:
            self.read_all()
            self.check_whole()
        except StoreFailed:
            return False
        return True

    def read_all(self) -> int:
        """Read every value of the store; how many tables it has."""
        with self.database.read() as connection:
            return read_all(connection)

    def publish_if_due(self) -> Path | None:
        """Publish unless the last one is so recent that it would cost writers a tenth
        of their time."""
        last = self._last()
        pause = max(_PAUSE_S, _PAUSE_FACTOR * last.took_s)
        if (
            0 <= time.time() - last.at < pause
        ):  # before it was only by a clock that was set since
            return None
        return self.publish()

    def _publish(self) -> Path:
        started, last = time.monotonic(), self._last()
        if (
            last.file
            and last.file == file_identity(self.published)
            and last.state == self.database.state()
        ):
            return self.published
        mark = self.check_whole()
        self.published.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.published.with_name(f".{self.published.name}.new")
        try:
            _remove(fresh)
            state = self.database.copy(fresh)
            fold(fresh, time.monotonic() + self._wait_s, _for_readers)
            fresh.chmod(0o444)
            self._move_orphan_log()
            if last.file and last.file == file_identity(self.published):
                self._earlier.keep(self.published)
            fresh.replace(self.published)
        finally:
            _remove(fresh)
        sync_folder(self.published.parent)
        took = time.monotonic() - started
        now = _Last(
            at=time.time(),
            took_s=took,
            state=state,
            file=file_identity(self.published),
            mark=mark,
        )
        self._memory.write_text(now.model_dump_json())
        return self.published

    def _move_orphan_log(self) -> None:
        """Left by somebody who opened the copy for writing; replayed on the next copy
        it would make it unreadable."""
        log = log_of(self.published)
        if log.exists():
            log.replace(log.with_name(f"{log.name}.orphan"))

    def _last(self) -> _Last:
        try:
            return _Last.model_validate_json(self._memory.read_text())
        except (OSError, ValidationError):
            return _Last()


def _for_readers(connection: Connection) -> None:
    """Make of a copy of the store what is published: only what is final, with views; in one
    transaction, as every statement alone would be another."""
    connection.execute("begin")
    hide_pending(connection)
    make_views(connection)
    connection.execute("commit")


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    log_of(file).unlink(missing_ok=True)
