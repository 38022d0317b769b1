"""Whether a process that was seen before is still there, and not another one under its
number."""

import os
from pathlib import Path

SLACK_S = 5.0


def process_alive(pid: int, seen_at: float) -> bool:
    """Whether process `pid`, known to run at `seen_at` (seconds since 1970), still
    runs.

    Where the kernel tells when a process began (Linux), one that began later is
    another: after a restart of a machine or container, numbers come back soon.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    began = _began(pid)
    return began is None or began <= seen_at + SLACK_S


def _began(pid: int) -> float | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        boot = next(
            line
            for line in Path("/proc/stat").read_text(encoding="ascii").splitlines()
            if line.startswith("btime ")
        )
    except (OSError, StopIteration):
        return None
    state, *rest = stat.rpartition(")")[2].split()
    if state == "Z":
        return float("inf")
    return float(boot.split()[1]) + int(rest[18]) / os.sysconf("SC_CLK_TCK")
