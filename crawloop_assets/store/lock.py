"""The store's lock: one holder among all threads and processes, released by the kernel
when the holder dies."""

import errno
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.project import private_folder

POLL_S = 0.02
OWNER_ONLY = 0o600
"""Whoever may open a lock may hold it for ever."""

_PID_WIDTH = 20  # characters: as wide as any, so that nothing of the last is left
_UNWRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}


class _Held(Protocol):
    """A lock that was taken."""

    def release(self) -> object:
        """Give it back."""


class StoreLock:
    """`var/store.lock`.

    StoreBusy after `wait_s` seconds, naming the process that holds it.
    """

    def __init__(self, var: Path, wait_s: float):
        self.var, self.wait_s = var, wait_s
        self._file, self._holder = var / "store.lock", var / "store.holder"
        self._mutex = threading.Lock()

    @contextmanager
    def held(self, *, to_look: bool = False) -> Iterator[float]:
        """Hold it; yields the deadline until which the holder may wait for the file
        itself (monotonic seconds).

        Who only wants `to_look` needs no right to write anything.
        """
        deadline = time.monotonic() + self.wait_s
        if not self._mutex.acquire(timeout=self.wait_s):
            raise StoreBusy(
                f"another thread of this process has held {self.var} for {self.wait_s:g} s"
            )
        try:
            lock = self._taken(deadline, to_look)
            try:
                yield deadline
            finally:
                lock.release()
        finally:
            self._mutex.release()

    def _taken(self, deadline: float, to_look: bool) -> _Held:
        try:
            return self._to_write(deadline)
        except Timeout as error:
            raise StoreBusy(
                f"{self.var} is held by process {self._pid()} for more than {self.wait_s:g} s"
            ) from error
        except OSError as error:
            if to_look and error.errno in _UNWRITABLE:
                return _LookLock(self._file, deadline)
            raise StoreFailed(
                f"cannot lock {self.var}: {error.strerror or error}; "
                "give this user the right to write there"
            ) from error

    def _to_write(self, deadline: float) -> _Held:
        # A new lock each time: one that lived on would be useless in a forked child.
        private_folder(self.var)
        lock = FileLock(
            self._file, mode=OWNER_ONLY, thread_local=False, poll_interval=POLL_S
        )
        lock.acquire(timeout=max(0.0, deadline - time.monotonic()))
        with suppress(
            OSError
        ):  # who holds it is told as a courtesy; a full disk must not stop readers
            self._name_holder()
        return lock

    def _name_holder(self) -> None:
        # Written over, never emptied first: some file systems wait for the disk when
        # an emptied file is closed, which costs more than opening the store.
        file = os.open(self._holder, os.O_WRONLY | os.O_CREAT, OWNER_ONLY)
        try:
            os.write(file, f"{os.getpid():<{_PID_WIDTH}}".encode())
        finally:
            os.close(file)

    def _pid(self) -> str:
        try:
            return self._holder.read_text().strip() or "unknown"
        except OSError:
            return "unknown"


class _LookLock:
    """The same lock, of a file that may only be read; where there is none, nobody
    writes."""

    def __init__(self, file: Path, deadline: float):
        self._handle = -1
        with suppress(OSError):
            self._handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        while not self._is_mine():
            if time.monotonic() >= deadline:
                self.release()
                raise StoreBusy(f"{file} is held by another process")
            time.sleep(POLL_S)

    def _is_mine(self) -> bool:
        if self._handle < 0:
            return True
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Give it back."""
        if self._handle >= 0:
            os.close(self._handle)
