"""Takes a worker's powers away, once everything it will ever need is imported, and
proves that they are gone."""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial

from crawloop_assets.sandbox import seccomp

if sys.platform != "win32":
    import resource

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4


class Containment(StrEnum):
    """What holds a worker, weakest first.

    `rlimits` and `seccomp` were proved by attacking a locked copy of it.
    """

    PROCESS = "process"
    RLIMITS = "rlimits"
    SECCOMP = "seccomp"


def lock(
    answers_to: int, memory_mb: int, powers: seccomp.Powers = seccomp.Powers.WORKER
) -> None:
    """Give up every power but computing and writing to descriptor `answers_to`.

    There is no way back. Nothing can be imported afterwards: no file can be opened.
    """
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_FSIZE", 0)
    _limit("RLIMIT_NPROC", 0)
    _limit("RLIMIT_AS", memory_mb << 20)
    # Every new descriptor would have a higher number than the one we answer on: none
    # can be opened, on any kernel.
    _limit("RLIMIT_NOFILE", answers_to + 1)
    if sys.platform == "linux":
        seccomp.this_process().prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    with contextlib.suppress(seccomp.SeccompUnavailable):
        seccomp.install(answers_to, powers)


def _limit(name: str, value: int) -> None:
    """Set a limit where the platform has it and allows it; what really holds is what
    `prove_locked` finds out."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(getattr(resource, name), (value, value))


def die_with_parent() -> None:
    """Let the kernel end this process when its parent ends, where it does that; only for
    a child of a process with one thread."""
    if sys.platform == "linux":
        seccomp.this_process().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def lock_code(answers_to: int, memory_mb: int, seconds: int) -> None:
    """The same for a child that runs code somebody wrote: it has so many seconds of
    work and no clock, and it ends with its parent."""
    die_with_parent()
    _limit("RLIMIT_CPU", seconds)
    lock(answers_to, memory_mb, seccomp.Powers.CODE)


def prove_locked(answers_to: int, memory_mb: int) -> Containment:
    """Fork children that lock themselves and then misbehave; say what held them.

    Call in a single-threaded process, before `lock`.
    """
    return prove_held(partial(lock, answers_to, memory_mb))


def prove_held(locked: Callable[[], None]) -> Containment:
    """What holds a child that called `locked`, as found by attacking from there."""
    if not hasattr(os, "fork"):
        return Containment.PROCESS
    is_held = partial(_held, locked=locked)
    if not all(map(is_held, (_opens, _connects))):
        return Containment.PROCESS
    if not all(map(is_held, (_forks, _executes, _kills, _writes_elsewhere))):
        return Containment.RLIMITS
    return Containment.SECCOMP


def _held(attack: Callable[[], None], locked: Callable[[], None]) -> bool:
    """Whether a locked child fails to carry out `attack`: an error or a violent death,
    never success."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            locked()
            attack()
            code = 0
        except OSError:
            code = 3
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 3


def _opens() -> None:
    """Tries to open a file."""
    os.open(os.devnull, os.O_RDONLY)


def _connects() -> None:
    """Tries to make a socket that leads out."""
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def _forks() -> None:
    """Tries to make another process."""
    if os.fork() == 0:
        os._exit(0)


def _executes() -> None:
    """Tries to become another program."""
    os.execv(sys.executable, [sys.executable, "-S", "-c", ""])


def _kills() -> None:
    """Tries to send a signal to its parent (none, only whether it might)."""
    os.kill(os.getppid(), 0)


def _writes_elsewhere() -> None:
    """Tries to write to what is not the parent's socket."""
    os.write(1, b"x")


def die_after(seconds: float) -> None:
    """Let the kernel end this process when that time is over, whatever it is doing; 0
    calls it off.

    The parent's deadline comes first; this one ends workers whose parent is gone. (A
    parent-death signal would not do: it fires when the *thread* that started the worker
    ends.)
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)
