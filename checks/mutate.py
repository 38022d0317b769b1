"""Break the code on purpose and see whether a test notices: `python -m checks.mutate ROOM`.

Sixty faults, drawn by a seed from all that could be made in the functions of a room, are
put one by one into a copy of the project. A fault is noticed when the module's own test
file fails, or else a quick test of its room. What nobody notices is printed: either a
test is missing, or the code does more than anybody needs.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from checks.mutations import Mutant, mutants_of

PACKAGE = Path("crawloop_assets")
FLOORS = {
    "crawler": 0.75,
    "induce": 0.75,
    "drift": 0.75,
    "heal": 0.75,
    "serve": 0.75,
    "access": 0.75,
    "values": 0.75,
    "document": 0.75,
    "store": 0.75,
}
"""The share of faults that have to be noticed, by room."""
SLOW = "e2e or slow"
"""Tests of whole runs are not asked: they would take minutes for each fault."""
PATIENCE_S = 180
"""A fault that makes the tests hang is noticed after so long."""


@dataclass(frozen=True)
class Fault:
    """A mutant of one file."""

    file: Path
    mutant: Mutant

    @property
    def tests(self) -> Path:
        """The test file of its module."""
        inside = self.file.relative_to(PACKAGE)
        return Path("tests") / inside.parent / f"test_{inside.name}"

    def __str__(self) -> str:
        old = " ".join(self.mutant.old.split())
        new = " ".join(self.mutant.new.split())
        return f"{self.file}:{self.mutant.line}: {old[:90]}  ->  {new[:90]}"


def draw(room: Path, count: int, seed: int) -> list[Fault]:
    """Faults of a room's files, the same ones for the same seed and code."""
    faults = [
        Fault(file, mutant)
        for file in sorted(room.rglob("*.py"))
        for mutant in mutants_of(file.read_text(encoding="utf-8"))
    ]
    chosen = random.Random(f"{seed} {room}").sample(faults, min(count, len(faults)))
    return sorted(chosen, key=lambda fault: (fault.file, fault.mutant.start))


class Copy:
    """A copy of the project in which faults are tried."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._moment = 0
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listed, text=True).splitlines():
            if Path(name).is_file():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(name, target)

    def notices(self, fault: Fault, room_tests: Path) -> bool:
        """Whether a test fails with the fault in place."""
        target = self.folder / fault.file
        whole = target.read_text(encoding="utf-8")
        self._write(target, fault.mutant.applied_to(whole))
        try:
            asked = [path for path in (fault.tests, room_tests) if path.exists()]
            return any(not self.passes(tests) for tests in asked)
        finally:
            self._write(target, whole)

    def _write(self, target: Path, text: str) -> None:
        """Write at a moment of its own: bytecode is kept by the second and the size."""
        target.write_text(text, encoding="utf-8")
        self._moment += 2
        os.utime(target, (self._moment, self._moment))

    def passes(self, tests: Path) -> bool:
        """Run tests until the first failure; hanging is failing."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-m", f"not ({SLOW})", "--hypothesis-seed=0", str(tests)]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(PATIENCE_S) in (0, 5)  # 5: every test there is slow
        except subprocess.TimeoutExpired:
            return False
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a test run and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def copies(count: int) -> Iterator["SimpleQueue[Copy]"]:
    """Copies of the project that are free for the next fault."""
    free: SimpleQueue[Copy] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        for number in range(count):
            free.put(Copy(Path(folder) / str(number)))
        yield free


def survivors(faults: Sequence[Fault], room_tests: Path, jobs: int) -> list[Fault]:
    """The faults that no test noticed. AssertionError if tests fail without any."""
    with copies(jobs) as free, ThreadPoolExecutor(jobs) as threads:
        first = free.get()
        assert first.passes(room_tests), f"{room_tests} fails as it is"
        free.put(first)

        def survives(fault: Fault) -> bool:
            copy = free.get()
            try:
                noticed = copy.notices(fault, room_tests)
            finally:
                free.put(copy)
            print("." if noticed else f"\nnot noticed: {fault}", end="", flush=True)
            return not noticed

        lives = list(threads.map(survives, faults))
    print()
    return [fault for fault, alive in zip(faults, lives, strict=True) if alive]


def main() -> int:
    """Print what was not noticed and the share that was; 1 below the room's floor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "rooms",
        nargs="*",
        help="folders of crawloop_assets (crawler, induce/listing); all with a floor if none is named",
    )
    parser.add_argument("--count", type=int, default=60, help="faults to try (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="tried side by side (2)")
    options = parser.parse_args()
    rooms = options.rooms or list(FLOORS)
    for room in rooms:
        if not (PACKAGE / room).is_dir():
            parser.error(f"{PACKAGE / room} is not a folder")
    below = [room for room in rooms if not holds(room, options)]
    return int(bool(below))


def holds(room: str, options: argparse.Namespace) -> bool:
    """Try the faults of a room; whether enough of them were noticed."""
    faults = draw(PACKAGE / room, options.count, options.seed)
    alive = survivors(faults, Path("tests") / room, options.jobs)
    noticed = len(faults) - len(alive)
    share = noticed / len(faults) if faults else 1.0
    floor = FLOORS.get(room.split("/", 1)[0], 0.0)
    print(
        f"{room}: {noticed} of {len(faults)} faults noticed ({share:.2f}, floor {floor})"
    )
    return share >= floor


if __name__ == "__main__":
    sys.exit(main())
