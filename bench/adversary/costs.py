"""What a run costs and leaves behind, read off the kernel."""

import os
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_EVERY_S = 0.05
_FIRST = 1  # the process that all others inside come from


@dataclass(frozen=True)
class Cost:
    """Seconds of one page."""

    cpu_s: float
    wall_s: float


class Meter(threading.Thread):
    """Notes the CPU seconds of everybody but this process, many times a second."""

    def __init__(self) -> None:
        """Starts with the first call of `start`."""
        super().__init__(daemon=True, name="meter")
        self._at: list[float] = [0.0]
        self._cpu: list[float] = [0.0]

    def run(self) -> None:
        """Until the process ends."""
        while True:
            self._cpu.append(sum(map(_cpu_of, others())))
            self._at.append(time.time())
            time.sleep(_EVERY_S)

    def cpu(self, at: float) -> float:
        """CPU seconds used up to a time (seconds since the epoch)."""
        place = bisect_right(self._at, at) - 1
        return self._cpu[max(0, place)]

    def between(self, batches: Mapping[str, float], began: float) -> dict[str, Cost]:
        """What each batch cost, of batches that were made one after the other."""
        ordered = sorted(batches.items(), key=lambda one: one[1])
        times = [("", began), *ordered]
        return {
            batch: Cost(self.cpu(at) - self.cpu(before), at - before)
            for (_, before), (batch, at) in pairwise(times)
        }


def others() -> Iterator[int]:
    """Every process inside but this one and the first."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) not in (_FIRST, os.getpid()):
            yield int(entry.name)


def _cpu_of(process: int) -> float:
    """CPU seconds of a process and of its children that ended; 0 for one that is gone."""
    with suppress(OSError):
        text = Path(f"/proc/{process}/stat").read_text()
        fields = text.rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS
    return 0.0


def named(process: int) -> str:
    """The command line of a process."""
    with suppress(OSError):
        raw = Path(f"/proc/{process}/cmdline").read_bytes()
        return f"{process} {raw.replace(bytes(1), b' ').decode(errors='replace')[:160]}"
    return str(process)


def left_in(*folders: Path) -> list[str]:
    """Files and folders that are there but should not be."""
    return [str(path) for folder in folders for path in folder.iterdir()]
