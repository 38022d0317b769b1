"""What a soak takes of the machine while it goes on: memory by role, and disk.

Memory is flat where the last third of the looks finds no more than the first; what a run
leaves on disk is told per run, as Dagster keeps every run there was.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

from bench.fetch import memory_mb
from bench.product_soak.roles import Role, roles_of

LOOK_EVERY_S = 20.0
_GROWN, _GROWN_MB = 1.3, 20
"""Memory that is as many times as much, and as many megabytes more, is not flat."""


@dataclass(frozen=True)
class Look:
    """The machine at one moment: megabytes of the largest process of each role, and on
    disk; how many runs there had been."""

    memory: Mapping[Role, float]
    disk: float
    runs: int


@dataclass
class Footprint:
    """All looks, in order, at what is kept in a folder and at the processes there."""

    folder: Path
    looks: list[Look] = field(default_factory=list)

    def look(self, started: Iterable[int], runs: int) -> None:
        """Look at some processes, those under them, and the folder."""
        memory = {
            role: max(map(memory_mb, found))
            for role, found in roles_of(started).items()
        }
        self.looks.append(Look(memory, _disk_mb(self.folder), runs))

    def lines(self) -> Iterator[str]:
        """The table: medians of the first third of the looks and of the last."""
        for role, (first, last) in self._memory():
            name = f"MB of the largest {role}, at first"
            yield f"{name:44} {first:10,.0f} and in the end {last:,.0f}"
        if self.looks:
            first, last = self.looks[0], self.looks[-1]
            runs, grown = last.runs - first.runs, last.disk - first.disk
            yield f"{'MB on disk, at first':44} {first.disk:10,.0f} and in the end {last.disk:,.0f}"
            yield f"{'runs meanwhile':44} {runs:10,}, of {grown / max(runs, 1):.2f} MB each"

    def grown(self) -> Iterator[str]:
        """The roles whose memory is not flat."""
        for role, (first, last) in self._memory():
            if last > first * _GROWN and last > first + _GROWN_MB:
                yield f"the largest {role} has {last:.0f} MB, {first:.0f} at first"

    def _memory(self) -> Iterator[tuple[Role, tuple[float, float]]]:
        """The two medians of each role that was there in both thirds."""
        third = len(self.looks) // 3
        for role in Role:
            of = partial(_megabytes, role)
            first, last = of(self.looks[:third]), of(self.looks[-third:])
            if first and last:
                yield role, (median(first), median(last))


def _megabytes(role: Role, looks: Iterable[Look]) -> list[float]:
    return [one.memory[role] for one in looks if role in one.memory]


def _disk_mb(folder: Path) -> float:
    """Of every file there; what goes away meanwhile counts nothing."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.lstat().st_blocks * 512
        except OSError:
            continue
    return total / 1e6
