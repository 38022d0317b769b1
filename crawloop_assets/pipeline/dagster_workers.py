"""Runs on several workers: Dagster's launcher for Celery, which can also tell that a
run's process is gone, and what a worker does with a run.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_workers.py.
"""

from importlib import import_module
from typing import Any

import dagster as dg
from celery import Celery, Task
from celery.exceptions import OperationalError
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.launcher import (
    CheckRunHealthResult,
    LaunchRunContext,
    WorkerStatus,
)
from dagster._grpc.types import ExecuteRunArgs
from dagster._serdes import unpack_value
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tasks import create_execute_job_task

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline.dagster_server import PRELOADED
from crawloop_assets.project import Project
from crawloop_assets.store.signs import SignsOfLife

__all__ = ["WorkerRunLauncher", "signs_of_workers", "worker_app"]

_OTHER_S = 5.0  # whoever only looks is gone by then


class WorkerRunLauncher(CeleryRunLauncher):
    """Hands runs to workers through a broker.

    Celery knows what became of a task only from the worker that has it: of one that was
    killed it says for ever that it works. The sign of life of the run is gone
    then: run monitoring fails the run, and it is retried once.
    """

    def launch_run(self, context: LaunchRunContext) -> None:
        """A broker that does not answer is like a server of code that does not: the run
        goes back into the queue."""
        try:
            super().launch_run(context)
        except (OperationalError, OSError) as error:
            says = f"the broker does not answer ({type(error).__name__})"
            raise DagsterUserCodeUnreachableError(says) from None

    def terminate(self, run_id: str) -> bool:
        """Ask the worker that has the run to end it; a run that no worker has is
        canceled here."""
        run = self._instance.get_run_by_id(run_id)
        if run is None or run.is_finished:
            return False
        self._instance.report_run_canceling(run)
        super().terminate(run_id)
        if not signs_of_workers().is_alive(run_id):
            self._instance.report_run_canceled(run)
        return True

    def check_run_worker_health(self, run: dg.DagsterRun) -> CheckRunHealthResult:
        """FAILED only if the process that worked on the run is known to be gone."""
        if signs_of_workers().is_alive(run.run_id):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, "its worker is gone")

    def get_run_worker_debug_info(self, *run: object, **more: object) -> None:
        """Which workers there are is for their own logs."""


class HeldRun(Task):  # type: ignore[misc]
    """A run that its process holds; a broker that sends it a second time is not
    believed."""

    def __call__(self, execute_job_args_packed: Any) -> int:
        """The exit code of the run, 0 if another process works on it."""
        asked = unpack_value(execute_job_args_packed, as_type=ExecuteRunArgs)
        with signs_of_workers().given(asked.run_id, _OTHER_S) as mine:
            return int(self.run(execute_job_args_packed)) if mine else 0


def worker_app(instance: dg.DagsterInstance) -> Celery:
    """The app of a worker, as the project's dagster.yaml says; ConfigError if its runs
    are not handed to workers.

    What a run imports is there before: each begins as a copy of the worker.
    """
    launcher = instance.run_launcher
    if not isinstance(launcher, WorkerRunLauncher):
        raise ConfigError(
            "the runs of this project are not handed to workers",
            hint="take deploy/dagster-workers.yaml as its dagster.yaml",
        )
    for name in PRELOADED:
        import_module(name)
    create_execute_job_task(launcher.celery, base=HeldRun)  # type: ignore[arg-type]
    return launcher.celery


def signs_of_workers() -> SignsOfLife:
    """Of the runs that workers have, in the folder that all of them share."""
    return SignsOfLife(Project.find().var / "workers")
