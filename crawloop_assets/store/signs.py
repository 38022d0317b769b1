"""Signs of life: who works on a run, told by the kernel.

A number of a process says nothing on another machine or in another container; a lock on
a file that all of them share does, and it is free once its process is gone, however it
went.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from crawloop_assets.project import private_folder
from crawloop_assets.store.lock import OWNER_ONLY

__all__ = ["SignsOfLife"]

FOR_EVER_S = -1.0


class SignsOfLife:
    """A small file in a folder for each run under way."""

    def __init__(self, folder: Path):
        self._folder = folder

    @contextmanager
    def given(self, run_id: str, wait_s: float = FOR_EVER_S) -> Iterator[bool]:
        """Let others see that a run is alive, until the block ends or the process does;
        False if another process has given its sign for so long."""
        file = self._file(run_id)
        lock = FileLock(file, mode=OWNER_ONLY, thread_local=False)
        private_folder(self._folder)
        try:
            lock.acquire(timeout=wait_s)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            file.unlink(missing_ok=True)
            lock.release()

    def is_alive(self, run_id: str) -> bool:
        """Whether the process of a run is alive; the file of a dead one is removed."""
        if not self._file(run_id).exists():
            return False
        with self.given(run_id, wait_s=0) as mine:
            return not mine

    def _file(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.lock"
