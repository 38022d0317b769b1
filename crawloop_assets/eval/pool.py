"""Families side by side, each in its own process: one that crashes, hangs or eats
memory costs only its own fields."""

import multiprocessing
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing.connection import Connection
from pathlib import Path

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.layouts import Unit
from crawloop_assets.eval.pack import PackFamily
from crawloop_assets.eval.plan import Case, cases, units
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.run import Bench
from crawloop_assets.eval.tasks import CPU_SECONDS, Input, Task
from crawloop_assets.induce.trust import vary

WALL_SECONDS = 900
MEMORY_BYTES = 4 << 30
TIMEOUT = "timeout"


@dataclass
class FamilyResult:
    """What all cases of one family showed, in plan order.

    `failures` names what died and how.
    """

    family: str
    schema_name: str
    results: list[CaseResult] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EvalJob:
    """A family, where its captures are, in which form they are shown, how long it may
    take (CPU seconds), which tasks are run (all of them if none is named), and what is
    changed in the compiler's trust table (see `vary`)."""

    folder: Path
    family: PackFamily
    form: Input
    cpu_seconds: int = CPU_SECONDS
    tasks: frozenset[Task] = frozenset()
    vary: tuple[str, ...] = ()

    def plan(self) -> list[tuple[Unit, Case]]:
        """All chosen cases of the family, in a fixed order."""
        chosen: list[tuple[Unit, Case]] = []
        for unit in units(self.family):
            chosen += zip(repeat(unit), filter(self._is_chosen, cases(unit)))
        return chosen

    def _is_chosen(self, case: Case) -> bool:
        """True for a case of the tasks asked for; without any, all are."""
        return not self.tasks or case.task in self.tasks


def evaluate(
    jobs: Sequence[EvalJob], workers: int, done: Callable[[FamilyResult], None]
) -> list[FamilyResult]:
    """Evaluate families, `workers` at a time; calls `done` as each ends; returns them
    in the order given."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["crawloop_assets.eval.run"])
    results: dict[int, FamilyResult] = {}
    with ThreadPoolExecutor(max_workers=workers) as threads:
        waiting: dict[Future[FamilyResult], int] = {
            threads.submit(evaluate_family, job): index
            for index, job in enumerate(jobs)
        }
        while waiting:
            ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                result = results[waiting.pop(future)] = future.result()
                done(result)
    return [results[index] for index in range(len(jobs))]


def evaluate_family(job: EvalJob) -> FamilyResult:
    """Run every case of a family; a case whose process died counts with all its fields
    as none."""
    family = FamilyResult(job.family.family, job.family.schema_name)
    try:
        plan = job.plan()
    except ConfigError as error:  # a schema the benchmark has no model for: nothing of the family can be scored
        family.failures.append(str(error))
        return family
    deadline = time.monotonic() + WALL_SECONDS
    while len(family.results) < len(plan):
        failure = _run_from(job, len(family.results), family.results, deadline)
        left = plan[len(family.results) :]
        if failure and left:
            _, case = left[0]
            family.failures.append(f"{case.task} {case.test[0]}: {failure}")
            family.results += _lost(job, left, failure)
    return family


def _lost(
    job: EvalJob, left: Sequence[tuple[Unit, Case]], failure: str
) -> list[CaseResult]:
    """What a failure costs: the case that ran, so that the next process begins behind
    it; all that are left where the time of the family is over."""
    lost = left if failure.startswith(TIMEOUT) else left[:1]
    return [Bench(job.folder, unit, job.form).missing(case) for unit, case in lost]


def _run_from(
    job: EvalJob, first: int, results: list[CaseResult], deadline: float
) -> str | None:
    """Append results of cases from `first` on; returns how the process failed, None if
    it ended well."""
    context = multiprocessing.get_context("forkserver")
    reader, writer = context.Pipe(duplex=False)
    with tempfile.NamedTemporaryFile(
        "r+", prefix="crawloop-eval-", errors="replace"
    ) as log:
        process = context.Process(
            target=_child, args=(job, first, writer, log.name), daemon=True
        )
        process.start()
        writer.close()
        in_time = _drain(reader, results, deadline)
        if not in_time:
            process.kill()
        process.join()
        said = log.read()
    if process.exitcode == 0:
        return None
    if not in_time or process.exitcode == -signal.SIGXCPU:
        return f"{TIMEOUT} after {job.cpu_seconds} s of CPU"
    return _last_line(said) or f"exit code {process.exitcode}"


def _last_line(said: str) -> str:
    """The last line that a process wrote, where Python names the error that ended it,
    cut to 300 characters; "" if it wrote nothing."""
    lines = said.strip().splitlines()
    return lines[-1][:300] if lines else ""


def _drain(reader: Connection, results: list[CaseResult], deadline: float) -> bool:
    """Receive until the process closes its end (True) or the deadline passes
    (False)."""
    with reader:
        while (left := deadline - time.monotonic()) > 0:
            if not reader.poll(left):
                return False
            try:
                results.append(reader.recv())
            except EOFError:
                return True
    return False


def _child(job: EvalJob, first: int, writer: Connection, log: str) -> None:
    """Runs in the process: limits itself, sends each result as it is made.

    Its last word goes to `log`.
    """
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (job.cpu_seconds, job.cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    vary(job.vary)
    bench: Bench | None = None
    for unit, case in job.plan()[first:]:
        if bench is None or bench.unit != unit:
            bench = Bench(job.folder, unit, job.form)
        writer.send(bench.run(case))
