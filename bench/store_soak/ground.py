"""Where a soak happens: a disk of its own that can be filled, notes elsewhere, and the
processes, each begun as a new one."""

import multiprocessing
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parent.parent.parent
_DISK = "1500m"
_LEAST_LEFT = 4096
_PATIENCE_S = 120.0
_CRAWLOOP = "from crawloop_assets.cli.app import main; main()"
_NURSERY = multiprocessing.get_context("forkserver")
"""Where processes come from: one that has read the code, and never opened a store."""

_NURSERY.set_forkserver_preload(["bench.store_soak.fire"])


class Ground:
    """The folders of one soak: `home` is the project, on a disk of its own if that is
    possible; `notes` are what writers and readers were told."""

    def __init__(self, folder: Path):
        self.home, self.notes = folder / "disk" / "home", folder / "notes"
        self.published = self.home / "crawloop.duckdb"
        self.has_disk = False
        self._filler = folder / "disk" / "filler"
        self.home.parent.mkdir(parents=True)
        self.notes.mkdir()

    @contextmanager
    def disk(self) -> Iterator[None]:
        """The project on a disk of its own, where this user may mount one."""
        disk = str(self.home.parent)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "none", disk]
        with suppress(OSError):
            self.has_disk = not subprocess.run(mount, capture_output=True).returncode
        self.home.mkdir()
        try:
            yield
        finally:
            if self.has_disk:
                subprocess.run(["umount", "-l", disk], check=False)

    @contextmanager
    def full(self, left: int) -> Iterator[None]:
        """The disk with no more than so many bytes left."""
        if not self.has_disk:
            yield
            return
        handle = os.open(self._filler, os.O_WRONLY | os.O_CREAT)
        try:
            free = os.statvfs(self._filler)
            size = free.f_bavail * free.f_frsize - left - _LEAST_LEFT
            with suppress(OSError):  # somebody was faster: it is full
                os.posix_fallocate(handle, 0, max(_LEAST_LEFT, size))
            yield
        finally:
            os.close(handle)
            self._filler.unlink()

    def begin(self, work: Callable[..., None], *given: Any) -> BaseProcess:
        """A new process; what it dies of is an error of the soak."""
        process = _NURSERY.Process(
            target=_guarded, args=(self.notes / "errors", work, *given), daemon=True
        )
        process.start()
        return process

    def answer(self, ask: Callable[[Path], str], home: Path) -> str:
        """What a function says of a folder in a process of its own."""
        file = self.notes / "answer"
        file.unlink(missing_ok=True)
        finish(self.begin(_answer, ask, home, file))
        return file.read_text() if file.exists() else "died"

    def crawloop(self, *given: str) -> subprocess.CompletedProcess[str]:
        """The command line, in this project."""
        return subprocess.run(
            [sys.executable, "-c", _CRAWLOOP, *given],
            cwd=_ROOT,
            env=os.environ | {"CRAWLOOP_HOME": str(self.home)},
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE_S,
        )

    def errors(self) -> list[str]:
        """What processes died of."""
        file = self.notes / "errors"
        return file.read_text().splitlines() if file.exists() else []


def _guarded(errors: Path, work: Callable[..., None], *given: Any) -> None:
    """Run it in a new process; note what it raises."""
    try:
        work(*given)
    except BaseException:
        with errors.open("a") as file:
            traceback.print_exc(file=file)
        raise


def _answer(ask: Callable[[Path], str], home: Path, file: Path) -> None:
    file.write_text(ask(home))


def kill(process: BaseProcess) -> bool:
    """SIGKILL; whether it was still alive."""
    was_alive = process.is_alive()
    process.kill()
    process.join()
    return was_alive


def finish(process: BaseProcess) -> None:
    """Wait for a process that ends by itself; one that does not is killed, and seen by
    what it leaves open."""
    process.join(_PATIENCE_S)
    kill(process)
