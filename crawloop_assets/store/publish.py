"""The published copy: what analysts open. Always complete, never locked, replaced by an atomic rename."""

import json
import os
import shutil
import time
from pathlib import Path

from filelock import FileLock, Timeout

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.db import Database

_PAUSE_S = 2.0
_PAUSE_FACTOR = 10.0


class Publisher:
    """Copies the store to `published`. Publishers take turns, so that an older copy never replaces a newer one."""

    def __init__(self, database: Database, published: Path):
        self.database, self.published = database, published
        self._memory = database.var / "published.json"

    def publish(self) -> Path:
        """Make `published` what the store holds now. StoreFailed leaves the file that was there untouched."""
        try:
            self.database.var.mkdir(parents=True, exist_ok=True)
            with FileLock(self.database.var / "publish.lock", timeout=self.database.wait_s, thread_local=False):
                return self._publish()
        except Timeout as error:
            raise StoreBusy(f"another process has been publishing {self.published} for too long") from error
        except OSError as error:
            raise StoreFailed(f"cannot publish {self.published}: {error.strerror or error}") from error

    def publish_if_due(self) -> Path | None:
        """Publish unless the last one is so recent that it would cost writers a tenth of their time."""
        last_at, took = self._last()
        if time.time() - last_at < max(_PAUSE_S, _PAUSE_FACTOR * took):
            return None
        return self.publish()

    def _publish(self) -> Path:
        started = time.monotonic()
        self.published.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.published.with_name(f".{self.published.name}.new")
        try:
            fresh.unlink(missing_ok=True)
            self._copy(fresh)
            self._move_orphan_log()
            fresh.replace(self.published)
        finally:
            fresh.unlink(missing_ok=True)
        _sync_folder(self.published.parent)
        self._memory.write_text(json.dumps({"published_at": time.time(), "took_s": time.monotonic() - started}))
        return self.published

    def _copy(self, fresh: Path) -> None:
        """Writers wait while the bytes are copied, not while they reach the disk."""
        with self.database.held() as deadline:
            self.database.checkpoint(deadline)
            shutil.copyfile(self.database.file, fresh)
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.chmod(0o444)

    def _move_orphan_log(self) -> None:
        """Left by somebody who opened the copy for writing; replayed on the next copy it would make it unreadable."""
        log = self.published.with_name(f"{self.published.name}.wal")
        if log.exists():
            log.replace(log.with_name(f"{log.name}.orphan"))

    def _last(self) -> tuple[float, float]:
        try:
            last = json.loads(self._memory.read_text())
            return float(last["published_at"]), float(last["took_s"])
        except (OSError, ValueError, KeyError):
            return 0.0, 0.0


def _sync_folder(folder: Path) -> None:
    """A rename survives a power cut only once its folder is written."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
