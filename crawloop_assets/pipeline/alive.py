"""Whether a process that was seen before is still there, and not another one under its
number."""

import os
from pathlib import Path

_SLACK_S = 5.0
_WORKERS = ("--multiprocessing-fork", "multiprocessing.forkserver")
"""What their command lines hold: begun from nothing, or as a copy."""
# Place of `starttime` in /proc/PID/stat after the state; see proc(5).
_START_TICKS = 18


def process_alive(pid: int, seen_at: float) -> bool:
    """Whether process `pid`, known to run at `seen_at` (seconds since 1970), still
    runs.

    Where the kernel tells when a process began (Linux), one that began later is
    another: after a restart of a machine or container, numbers come back soon.
    """
    if not _has_process(pid):
        return False
    began = _began(pid)
    return began is None or began <= seen_at + _SLACK_S


def works_on_runs(pid: int) -> bool:
    """Whether a process is one that Dagster began for a run of this project, where the
    kernel tells.

    No clock is asked: one that was set makes every process younger or older than it is.
    """
    home = f"DAGSTER_HOME={os.environ.get('DAGSTER_HOME', '')}"
    try:
        command = _kernel_file(f"{pid}/cmdline")
        settings = _kernel_file(f"{pid}/environ")
    except OSError:
        return False
    is_worker = any(mark in command for mark in _WORKERS)
    return is_worker and home in settings.split("\0")


def _has_process(pid: int) -> bool:
    """Whether a process of that number runs, whoever owns it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _began(pid: int) -> float | None:
    """When the process began, in seconds since 1970; never for one that has ended and
    that nobody has waited for; None where the kernel does not tell."""
    try:
        stat = _kernel_file(f"{pid}/stat")
        booted = _boot_time()
    except OSError:
        return None
    if booted is None:
        return None
    # The name of the program comes first, in brackets, and may hold anything.
    state, *rest = stat.rpartition(")")[2].split()
    if state == "Z":
        return float("inf")
    return booted + int(rest[_START_TICKS]) / os.sysconf("SC_CLK_TCK")


def _boot_time() -> float | None:
    """When the machine was started, in seconds of the epoch; None where the kernel does not say."""
    for line in _kernel_file("stat").splitlines():
        if line.startswith("btime "):
            return float(line.split()[1])
    return None


def _kernel_file(name: str) -> str:
    """What the kernel says under a name of /proc."""
    return Path("/proc", name).read_text(encoding="ascii", errors="replace")
