"""The Dagster daemons that work on a project, whoever started them."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project

_PROGRAMS = ("crawloop_assets.pipeline.daemon", "dagster._daemon", "dagster-daemon")
_ENDING_S = 15.0
"""How long the daemon of a `crawloop dev` that was killed takes to end with it."""


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
