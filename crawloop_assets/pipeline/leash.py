"""One `crawloop dev` per project: a lock that dies with its process, and processes that
do not outlive the one that started them."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from filelock import FileLock, Timeout

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project, private_folder
from crawloop_assets.store.lock import OWNER_ONLY

_PR_SET_PDEATHSIG = 1
PARENT = "CRAWLOOP_PARENT"
"""Who a process belongs to: its number, in the environment."""


@contextmanager
def alone(project: Project, says: str) -> Iterator[None]:
    """Nobody else works on the project until the end of the block; ConfigError if
    somebody does, with what they say of themselves.

    The kernel gives the lock back when its process dies, however it dies.
    """
    var = private_folder(project.var)
    holder = var / "dev.holder"
    lock = FileLock(var / "dev.lock", mode=OWNER_ONLY, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        running = ""
        with suppress(OSError):
            running = holder.read_text(encoding="utf-8")
        raise ConfigError(
            f"this project is running already: {running}",
            hint="use that one, or stop it first",
        ) from error
    try:
        holder.touch(OWNER_ONLY)
        holder.write_text(f"process {os.getpid()}, {says}", encoding="utf-8")
        yield
    finally:
        lock.release()


def end_with_parent() -> None:
    """Let this process be asked to stop when the one that started it is gone, even if
    that was killed; where the kernel cannot, nothing is done.

    Whoever blocks or ignores the signal hands that down to what it starts, so both are
    undone first.
    """
    parent = os.environ.get(PARENT, "")
    if not parent or sys.platform != "linux":
        return
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(parent):
        raise SystemExit("the process that started this one is gone")
