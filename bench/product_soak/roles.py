"""Which process is what, as the kernel tells."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path


class Role(StrEnum):
    """What can be killed."""

    DAEMON = "daemon"
    CODE_SERVER = "code server"
    RUN_WORKER = "run worker"
    SANDBOX = "sandbox worker"
    WORKER = "Celery worker"


_SIGNS = (
    ("dagster._daemon", Role.DAEMON),
    ("pipeline.daemon", Role.DAEMON),
    ("pipeline.worker", Role.WORKER),
    ("resource_tracker", None),
    ("forkserver", None),
    ("api\0grpc", Role.CODE_SERVER),
    ("_grpc", Role.CODE_SERVER),
    ("-P\0-s\0-c", Role.SANDBOX),
    ("spawn_main", Role.RUN_WORKER),
)
"""What a command line holds; the first that fits."""


def roles_of(started: Iterable[int]) -> dict[Role, list[int]]:
    """Some processes and those under them, by role."""
    found: dict[Role, list[int]] = defaultdict(list)
    for parent in started:
        for process in (parent, *children_of(parent)):
            if role := role_of(process):
                found[role].append(process)
    return found


def role_of(process: int) -> Role | None:
    """What a process is; None for what is gone, or nothing to kill."""
    with suppress(OSError):
        command = Path("/proc", str(process), "cmdline").read_text(errors="replace")
        return next((role for sign, role in _SIGNS if sign in command), None)
    return None


def children_of(process: int) -> Iterator[int]:
    """The processes under one, nearest first."""
    for parent, child in _parents():
        if parent == process:
            yield child
            yield from children_of(child)


def _parents() -> list[tuple[int, int]]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
            found.append((int(parent), int(stat.parent.name)))
    return found


def kill_process(process: int) -> None:
    """SIGKILL to one of ours."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
