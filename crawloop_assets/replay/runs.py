"""How a replay runs the pipeline: jobs and sensor in this process, or a webserver and a
daemon."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import dagster as dg

from crawloop_assets.errors import CrawloopError
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.dagster_private import (
    backfill_batches,
    end_backfill,
    failed_batches,
    open_backfills,
)
from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import dagster_processes, prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.pipeline.sensors import contiguous
from crawloop_assets.replay.folder import ReplayFolder
from crawloop_assets.resources import StoreResource

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
MAX_TICKS = 12
_PATIENCE_S = 300
SETTLED_S = 16


class Runs(Protocol):
    """The steps of a cycle; each returns when it has ended."""

    instance: dg.DagsterInstance

    def discover(self) -> None:
        """Find the urls; the first time this also makes the first crawler, if one can
        be made."""

    def refresh(self) -> str:
        """Fetch and serve every batch; the id of the run."""

    def heal(self) -> None:
        """Until the heal sensor has nothing left to do."""


@dataclass
class InProcess:
    """Runs jobs in this process, one after the other, on the project's own instance.

    The sensor is asked as the daemon asks it; what it requests (runs by their key,
    once; backfills) is then run.
    """

    folder: ReplayFolder
    instance: dg.DagsterInstance
    _launched: set[str] = field(default_factory=set)

    def discover(self) -> None:
        """See Runs."""
        self._run(
            self._job("discover"), self._names.tags(RunMode.REFRESH), may_fail=True
        )

    def refresh(self) -> str:
        """See Runs."""
        batches = self._batches()
        return self._run(
            self._job("refresh"),
            self._names.tags(RunMode.REFRESH, batches=(batches[0], batches[-1])),
        )

    def heal(self) -> None:
        """See Runs.

        A run that fails is an answer (a rejected candidate), not an error.
        """
        for _ in range(MAX_TICKS):
            requests = [
                one for one in self._tick() if one.run_key not in self._launched
            ]
            waiting = open_backfills(self.instance, self._names.tags())
            if not requests and not waiting:
                return
            for backfill in waiting:
                asked = backfill_batches(backfill, self._names.records)
                self._replay(asked, backfill.tags)
                end_backfill(self.instance, backfill)
            for request in requests:
                self._launched.add(request.run_key or "")
                self._run(str(request.job_name), request.tags, may_fail=True)
        raise CrawloopError(
            f"{self.folder.name}: the heal sensor still asks for runs after {MAX_TICKS} rounds"
        )

    def _replay(self, asked: Sequence[str], tags: Mapping[str, str]) -> None:
        """Makes these batches again, in one run where they follow each other."""
        for batches in contiguous(self._batches(), asked):
            own = self._names.tags(batches=batches)
            self._run(self._job("replay"), {**tags, **own}, may_fail=True)

    @property
    def _names(self) -> AssetNames:
        """What the family's assets and jobs are called."""
        return AssetNames(self.folder.family)

    def _batches(self) -> list[str]:
        """The keys of the family's batches, oldest first."""
        return sorted(self.instance.get_dynamic_partitions(self._names.partition_set))

    def _job(self, name: str) -> str:
        """The full name of one of the family's jobs."""
        return f"{name}_{self._names.family.slug}"

    def _run(self, job: str, tags: Mapping[str, str], *, may_fail: bool = False) -> str:
        """Runs a job to its end and gives the id of the run; what it raises is raised
        here, too, unless it `may_fail`."""
        # Definitions are built anew, as a run process does: the family file may have changed.
        found = build_definitions(self.folder.project).resolve_job_def(job)
        result = found.execute_in_process(
            instance=self.instance,
            tags=dict(tags),
            raise_on_error=not may_fail,
            run_config=QUIET,
        )
        return str(result.run_id)

    def _tick(self) -> list[dg.RunRequest]:
        """What the heal sensor asks for when it looks now."""
        repository = build_definitions(self.folder.project).get_repository_def()
        context = dg.build_sensor_context(
            instance=self.instance,
            repository_def=repository,
            resources={"store": StoreResource()},
            sensor_name="heal_on_drift",
        )
        return list(
            repository.get_sensor_def("heal_on_drift")
            .evaluate_tick(context)
            .run_requests
            or ()
        )


@dataclass
class Daemon:
    """Lets the webserver and the daemon of the project do everything; looks on from
    outside."""

    folder: ReplayFolder
    instance: dg.DagsterInstance
    drive: Drive

    def discover(self) -> None:
        """See Runs."""
        run = self.drive.discover(self.folder.family)
        self.drive.until(lambda: self._ended(run), "discovery", _PATIENCE_S)

    def refresh(self) -> str:
        """See Runs."""
        run = self.drive.refresh(self.folder.family)
        self.drive.wait([run], _PATIENCE_S)
        return run

    def heal(self) -> None:
        """Green and idle, or red and idle for longer than the sensor waits between two
        looks."""
        idle_since = time.monotonic()

        def settled() -> bool:
            """True once nothing runs and all is green, or red for so long that the
            sensor wants no more."""
            nonlocal idle_since
            family = self.folder.family
            if not self.drive.idle(family):
                idle_since = time.monotonic()
                return False
            red = failed_batches(self.instance, AssetNames(family).gate)
            return not red or time.monotonic() - idle_since > SETTLED_S

        self.drive.until(settled, "the heal wave to end", _PATIENCE_S)

    def _ended(self, run: str) -> bool:
        """True if the run is over, however it ended."""
        found = self.instance.get_run_by_id(run)
        return found is not None and found.is_finished


@contextmanager
def started(folder: ReplayFolder, *, daemon: bool, port: int = 0) -> Iterator[Runs]:
    """The runs of a project, on its own sqlite instance, until the block ends.

    `daemon`: with its own processes.
    """
    if not daemon:
        prepare(folder.project)
        with dg.DagsterInstance.get() as instance:
            yield InProcess(folder, instance)
        return
    with (
        dagster_processes(folder.project, port=port, loop_seconds=2) as processes,
        dg.DagsterInstance.get() as instance,
    ):
        yield Daemon(folder, instance, Drive(processes.url, instance))
