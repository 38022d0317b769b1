"""The Dagster daemons that work on a project, whoever started them."""

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store.lock import OWNER_ONLY

_PROGRAMS = ("crawloop_assets.pipeline.daemon", "dagster._daemon", "dagster-daemon")
_LOG = logging.getLogger("dagster.daemon")
_LOOK_S = 0.5
_SET_S = 5.0
_ANOTHER = (
    "another daemon works on this project, or its storage is away; "
    "this one does nothing until it is the only one"
)
_ENDING_S = 15.0
"""How long the daemon of a `crawloop dev` that was killed takes to end with it."""


class DaemonTurn(Protocol):
    """What one process has at a time, until it is gone, however it goes, or loses it.

    So long, `late_s`, one that lost it may go on before it knows; 0 if none can.
    """

    late_s: float

    @property
    def is_held(self) -> bool:
        """Whether this process has it."""

    def take(self) -> bool:
        """Have it, if nobody else has; whether this process has it now. ConnectionError
        if nobody can tell."""


class FileTurn:
    """A lock on a file in a folder of this machine, which no process loses."""

    late_s = 0.0

    def __init__(self, folder: Path):
        self._lock = FileLock(
            folder / "daemon.lock", mode=OWNER_ONLY, thread_local=False
        )

    @property
    def is_held(self) -> bool:
        """Whether this process has it."""
        return self._lock.is_locked

    def take(self) -> bool:
        """Have it, if nobody else has."""
        with suppress(Timeout):
            self._lock.acquire(timeout=0)
        return self._lock.is_locked


class OneDaemon:
    """The right to be the daemon of an instance: one process has it at a time.

    Dagster's daemons know nothing of each other: two of them start every run twice,
    and fail the one that comes second.
    """

    def __init__(self, turn: DaemonTurn):
        self._turn, self._threads = turn, threading.Lock()
        self._has_worked = False

    def wait(self) -> None:
        """Return once this process has it; its other threads wait as well.

        Never fails: Dagster takes a sign of life that failed for none that was due, and
        goes on. A process that has lost it begins anew.
        """
        with self._threads:
            if self._turn.is_held:
                return
            if self._has_worked:
                self._end()
            if not self._take():
                _LOG.warning(_ANOTHER)
                while not self._take():
                    time.sleep(_LOOK_S)
            # Who had it may have lost it just now, also before this process began.
            time.sleep(self._turn.late_s)
            self._has_worked = True
            follow_clock()
            threading.Thread(target=self._keep, daemon=True).start()

    def _take(self) -> bool:
        """Have it, if nobody else has and that can be told."""
        with suppress(ConnectionError):
            return self._turn.take()
        return False

    def _keep(self) -> None:
        """Look again and again whether this process has it still: signs of life are half
        a minute apart, and another daemon works at once."""
        while True:
            time.sleep(_LOOK_S)
            self.wait()

    def _end(self) -> None:
        """Begin anew, as soon as that can be: what this process does right now another
        one may be doing as well."""
        while True:
            with suppress(ConnectionError):
                self._turn.take()
                _begin_anew("another daemon may have begun to work")
            time.sleep(_LOOK_S)


def follow_clock() -> None:
    """Let this process begin anew when the clock is set.

    All that Dagster waits for by the clock would come so much later, and a server of
    code that is asked for signs of life by the clock believes that it was left.
    """
    threading.Thread(target=_begin_anew_when_set, daemon=True).start()


def _begin_anew_when_set() -> None:
    """It stays the same process; what it does right now is as if it had been killed."""
    ahead = _ahead()
    while abs((now := _ahead()) - ahead) < _SET_S:
        ahead = now
        time.sleep(_LOOK_S)
    _begin_anew(f"the clock was set by {now - ahead:.0f} s")


def _begin_anew(why: str) -> None:
    """Let this process be as if it had just been started, with its number."""
    _LOG.warning(f"{why}: beginning anew")
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _ahead() -> float:
    """How far the clock is from one that nobody can set."""
    return time.time() - time.monotonic()


def daemons_of(project: Project) -> Iterator[int]:
    """The processes of this user that are daemons of the project, where the kernel
    tells."""
    home = f"DAGSTER_HOME={project.root}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            arguments = (folder / "cmdline").read_bytes().decode(errors="replace")
            settings = (folder / "environ").read_bytes().split(b"\0")
            of_us = home in settings and int(folder.name) != os.getpid()
            named = map(os.path.basename, arguments.split("\0"))
            if of_us and not set(_PROGRAMS).isdisjoint(named):
                yield int(folder.name)


def check_no_daemon(project: Project) -> None:
    """ConfigError if a daemon works on the project already: two would ask for
    everything twice."""
    deadline = time.monotonic() + _ENDING_S
    while running := list(daemons_of(project)):
        if time.monotonic() > deadline:
            raise ConfigError(
                f"a Dagster daemon works on this project already, process {running[0]}",
                hint="stop it first",
            )
        time.sleep(0.1)
