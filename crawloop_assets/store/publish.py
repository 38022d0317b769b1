"""The published copy: what analysts open. Always complete, never locked, replaced by an atomic rename."""

import json
import time
from pathlib import Path

from filelock import FileLock, Timeout

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.db import Database
from crawloop_assets.store.generations import fold, log_of, sync_folder

_PAUSE_S = 2.0
_PAUSE_FACTOR = 10.0


class Publisher:
    """Copies the store to `published`. Publishers take turns, so that an older copy never replaces a newer one."""

    def __init__(self, database: Database, published: Path):
        self.database, self.published = database, published
        self._var, self._wait_s = database.lock.var, database.lock.wait_s
        self._memory = self._var / "published.json"

    def publish(self) -> Path:
        """Make `published` what the store holds now. StoreFailed leaves the file that was there untouched."""
        try:
            self._var.mkdir(parents=True, exist_ok=True)
            with FileLock(self._var / "publish.lock", timeout=self._wait_s, thread_local=False):
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
            _remove(fresh)
            self.database.copy(fresh)
            fold(fresh, time.monotonic() + self._wait_s)
            fresh.chmod(0o444)
            self._move_orphan_log()
            fresh.replace(self.published)
        finally:
            _remove(fresh)
        sync_folder(self.published.parent)
        self._memory.write_text(json.dumps({"published_at": time.time(), "took_s": time.monotonic() - started}))
        return self.published

    def _move_orphan_log(self) -> None:
        """Left by somebody who opened the copy for writing; replayed on the next copy it would make it unreadable."""
        log = log_of(self.published)
        if log.exists():
            log.replace(log.with_name(f"{log.name}.orphan"))

    def _last(self) -> tuple[float, float]:
        try:
            last = json.loads(self._memory.read_text())
            return float(last["published_at"]), float(last["took_s"])
        except (OSError, ValueError, KeyError):
            return 0.0, 0.0


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    log_of(file).unlink(missing_ok=True)
