"""Fuzzes every parser of foreign bytes: `python -m bench.fuzz --seconds N`.

Each target of `bench.fuzz_targets` gets its share of the time in a process of its own.
Where Atheris is installed (`pip install -e .[fuzz]`) its engine is led by the branches
that an input takes; else Hypothesis changes inputs of the right kind and shrinks what
fails. The table says how many inputs were tried and what was found; a finding is saved,
shrunken, under `--keep`, and the exit status is 1.
"""

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bench.fuzz_law import MOST_BYTES, MOST_MEMORY_MB, MOST_SECONDS

_PATIENCE_S = 60.0
_PATIENCE = 10.0
"""For a target to begin and to end the input it is at; seconds for one of work."""
_TARGETS = "bench.fuzz_targets"
_BATCH = 200  # inputs between two looks at the clock


class Engine(StrEnum):
    """What makes the inputs."""

    ATHERIS = "atheris"
    HYPOTHESIS = "hypothesis"


class TooCostly(BaseException):
    """An input took more work or memory than any may. No engine catches it: to shrink
    it would cost as much for every try."""


class Outcome(BaseModel):
    """What came of one target: inputs tried, seconds, and what was found."""

    name: str
    tried: int = 0
    seconds: float = 0.0
    slowest_s: float = 0.0
    finding: str = ""
    saved: str = ""


def engine_here() -> Engine:
    """The better engine that is installed."""
    if importlib.util.find_spec("atheris"):
        return Engine.ATHERIS
    return Engine.HYPOTHESIS


class Watch:
    """Holds each input of one target against its law and its bounds, and notes in a file
    which one it is at: a process that hangs or dies has left its input there."""

    def __init__(self, check: Callable[[bytes], None], folder: Path):
        """`check` raises what is a finding; `folder` is kept for the caller."""
        self._check = check
        self._now = os.open(folder / "now", os.O_RDWR | os.O_CREAT)
        self._report = folder / "report.json"
        self._began = time.process_time()
        self.outcome = Outcome(name="")
        self.failing = b""

    def attempt(self, data: bytes) -> None:
        """One input; a finding comes out."""
        os.ftruncate(self._now, 0)
        os.pwrite(self._now, data, 0)
        memory, began = _peak_mb(), time.process_time()
        try:
            self._check(data)
            self._bounds(time.process_time() - began, _peak_mb() - memory)
        except (Exception, TooCostly) as error:
            self.failing = data
            self.outcome.finding = _in_words(error)
            self.note()
            raise
        self.outcome.tried += 1
        if self.outcome.tried % _BATCH == 0:
            self.note()

    def _bounds(self, seconds: float, grown_mb: float) -> None:
        """TooCostly for what an input may not cost."""
        self.outcome.slowest_s = max(self.outcome.slowest_s, seconds)
        if seconds > MOST_SECONDS:
            raise TooCostly(f"{seconds:.1f} s of work")
        if grown_mb > MOST_MEMORY_MB:
            raise TooCostly(f"{grown_mb:.0f} MB")

    def note(self) -> None:
        """Leaves what is known so far for the parent."""
        self.outcome.seconds = time.process_time() - self._began
        self._report.write_text(self.outcome.model_dump_json())


def _peak_mb() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_words(error: BaseException) -> str:
    """What came out, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "crawloop_assets" in frame.filename]
    (place,) = own[-1:] or frames[-1:]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return f"{type(error).__name__} in {where}: {str(error)[:120]}".replace("\n", " ")


# -- the engines ---------------------------------------------------------------------


def _by_hypothesis(
    watch: Watch, seeds: Sequence[bytes], seconds: float, seed: int
) -> None:
    """Changed inputs until the time is over; what fails is shrunken."""
    import hypothesis

    from bench.fuzz_inputs import changed

    until = time.process_time() + seconds  # of work, however busy the machine is
    quiet = list(hypothesis.HealthCheck)
    while time.process_time() < until:

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=_BATCH,
            deadline=None,
            database=None,
            suppress_health_check=quiet,
            phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        )
        @hypothesis.given(changed(seeds, MOST_BYTES))
        def attempt(data: bytes) -> None:
            if time.process_time() < until or watch.failing:
                watch.attempt(data)

        with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
            attempt()
        seed += 1


def _by_atheris(
    watch: Watch, seeds: Sequence[bytes], seconds: float, seed: int
) -> None:
    """Inputs that take new branches; libFuzzer ends the process by itself."""
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(seeds):
            (Path(corpus) / str(number)).write_bytes(data)
        options = [
            f"-max_total_time={max(1, round(seconds))}",
            f"-max_len={MOST_BYTES}",
            f"-seed={seed}",
            "-timeout=60",
            f"-artifact_prefix={corpus}/",
        ]
        atheris.Setup([sys.argv[0], *options, corpus], watch.attempt)
        atheris.Fuzz()


_ENGINES: Mapping[Engine, Callable[[Watch, Sequence[bytes], float, int], None]] = {
    Engine.HYPOTHESIS: _by_hypothesis,
    Engine.ATHERIS: _by_atheris,
}


@contextlib.contextmanager
def _led_by_branches(engine: Engine) -> Iterator[None]:
    """What is imported in the block tells Atheris which branches it takes."""
    if engine is Engine.HYPOTHESIS:
        yield
        return
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["crawloop_assets"]):
        yield


def work(arguments: argparse.Namespace) -> None:
    """In a process of its own: one target for its time."""
    engine = Engine(arguments.engine)
    with _led_by_branches(engine):
        targets = importlib.import_module(arguments.targets).TARGETS
    target, folder = targets[arguments.one], Path(arguments.folder)
    watch = Watch(target.check, folder)
    watch.outcome.name = arguments.one
    watch.note()
    try:
        for data in target.seeds:
            watch.attempt(data)
        _ENGINES[engine](watch, target.seeds, arguments.seconds, arguments.seed)
    except (Exception, TooCostly):  # noqa: BLE001 - the watch has noted what it was
        (folder / "failing").write_bytes(watch.failing)
    watch.note()


# -- all of them ---------------------------------------------------------------------


def fuzz(
    names: Sequence[str],
    seconds: float,
    *,
    seed: int = 1,
    keep: Path = Path("var/fuzz"),
    targets: str = _TARGETS,
    engine: Engine | None = None,
) -> list[Outcome]:
    """Each target for its share of the seconds, one after the other."""
    share = seconds / max(len(names), 1)
    engine = engine or engine_here()
    outcomes: list[Outcome] = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            options = {
                "--one": name,
                "--folder": folder,
                "--seconds": str(share),
                "--seed": str(seed),
                "--engine": engine.value,
                "--targets": targets,
            }
            outcomes.append(_fuzz_one(name, options, Path(folder), share, keep))
            print(_row(outcomes[-1]), flush=True)
    return outcomes


def _fuzz_one(
    name: str, options: Mapping[str, str], folder: Path, share: float, keep: Path
) -> Outcome:
    """One target in its process. One that hangs or dies is a finding, too."""
    command = [sys.executable, "-m", "bench.fuzz"]
    for option in options.items():
        command.extend(option)
    patience = _PATIENCE_S + _PATIENCE * share
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=patience, check=False
        )
        said = done.stderr.decode("utf-8", "replace").strip() or "no reason given"
        died = f"died: {said[-300:]}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        died = f"no end after {patience:.0f} s"
    outcome = _reported(name, folder)
    if died and not outcome.finding:
        outcome.finding = died.splitlines()[-1]
    if outcome.finding:
        _save(outcome, folder, keep)
    return outcome


def _reported(name: str, folder: Path) -> Outcome:
    """What a target has left; nothing if it did not begin."""
    report = folder / "report.json"
    if report.exists():
        return Outcome.model_validate_json(report.read_bytes())
    return Outcome(name=name, finding="did not begin")


def _save(outcome: Outcome, folder: Path, keep: Path) -> None:
    """Keeps the input of a finding: the shrunken one, or the one it hung at."""
    found = [folder / name for name in ("failing", "now") if (folder / name).exists()]
    keep.mkdir(parents=True, exist_ok=True)
    file = keep / outcome.name
    file.write_bytes(found[0].read_bytes() if found else b"")
    outcome.saved = str(file)


_HEAD = f"{'target':12} {'inputs':>9} {'s':>6} {'slowest':>8}  finding"


def _row(one: Outcome) -> str:
    """An outcome for people."""
    found = f"{one.finding} -> {one.saved}" if one.finding else "-"
    return f"{one.name:12} {one.tried:9,} {one.seconds:6.1f} {one.slowest_s:7.3f}s  {found}"


def main(argv: Sequence[str] | None = None) -> int:
    """1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--target", action="append", help="by name; all of them if not")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("var/fuzz"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--engine", choices=list(map(attrgetter("value"), Engine)))
    parser.add_argument("--targets", default=_TARGETS, help=argparse.SUPPRESS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.one:
        work(arguments)
        return 0
    known = importlib.import_module(arguments.targets).TARGETS
    unknown = set(arguments.target or ()) - known.keys()
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}: {', '.join(known)}")
    engine = Engine(arguments.engine) if arguments.engine else engine_here()
    print(f"engine: {engine.value}, seed {arguments.seed}", flush=True)
    print(_HEAD, flush=True)
    outcomes = fuzz(
        arguments.target or list(known),
        arguments.seconds,
        seed=arguments.seed,
        keep=arguments.keep,
        targets=arguments.targets,
        engine=engine,
    )
    if arguments.json:
        rows: list[dict[str, Any]] = [one.model_dump() for one in outcomes]
        arguments.json.write_text(json.dumps(rows, indent=1))
    return int(any(map(attrgetter("finding"), outcomes)))


if __name__ == "__main__":
    sys.exit(main())
