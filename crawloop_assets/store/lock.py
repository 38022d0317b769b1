"""The store's lock: one holder among all threads and processes, released by the kernel
when the holder dies."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from crawloop_assets.errors import StoreBusy, StoreFailed

POLL_S = 0.02


class StoreLock:
    """`var/store.lock`.

    StoreBusy after `wait_s` seconds, naming the process that holds it.
    """

    def __init__(self, var: Path, wait_s: float):
        self.var, self.wait_s = var, wait_s
        self._holder = var / "store.holder"
        self._mutex = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[float]:
        """Hold it; yields the deadline until which the holder may wait for the file
        itself (monotonic seconds)."""
        deadline = time.monotonic() + self.wait_s
        if not self._mutex.acquire(timeout=self.wait_s):
            raise StoreBusy(
                f"another thread of this process has held {self.var} for {self.wait_s:g} s"
            )
        try:
            lock = self._taken(deadline)
            try:
                yield deadline
            finally:
                lock.release()
        finally:
            self._mutex.release()

    def _taken(self, deadline: float) -> BaseFileLock:
        # A new lock each time: one that lived on would be useless in a forked child.
        try:
            self.var.mkdir(parents=True, exist_ok=True)
            lock = FileLock(
                self.var / "store.lock", thread_local=False, poll_interval=POLL_S
            )
            lock.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except Timeout as error:
            raise StoreBusy(
                f"{self.var} is held by process {self._pid()} for more than {self.wait_s:g} s"
            ) from error
        except OSError as error:
            raise StoreFailed(
                f"cannot lock {self.var}: {error.strerror or error}"
            ) from error
        with suppress(
            OSError
        ):  # who holds it is told as a courtesy; a full disk must not stop readers
            self._holder.write_text(str(os.getpid()))
        return lock

    def _pid(self) -> str:
        try:
            return self._holder.read_text() or "unknown"
        except OSError:
            return "unknown"
