"""Runs that workers have. Contract tests: what we rely on in Dagster's launcher for Celery, and in Celery."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from celery.app.defaults import NAMESPACES
from celery.concurrency import prefork
from dagster._core.code_pointer import CodePointer
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.events import EngineEventData
from dagster._core.launcher import WorkerStatus
from dagster._core.origin import JobPythonOrigin, RepositoryPythonOrigin
from dagster._core.test_utils import create_run_for_test
from dagster._daemon.run_coordinator import QueuedRunCoordinatorDaemon
from dagster._grpc.types import ExecuteRunArgs
from dagster._serdes import pack_value
from dagster_celery import tasks
from dagster_celery.config import TASK_EXECUTE_JOB_NAME
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline import dagster_private
from crawloop_assets.pipeline.dagster_private import free_orphan
from crawloop_assets.pipeline.dagster_workers import (
    WorkerRunLauncher,
    signs_of_workers,
    worker_app,
)
from crawloop_assets.project import Project
from tests.store.test_signs import working

SHIPPED = yaml.safe_load(
    (
        Path(__file__).parent.parent.parent / "deploy" / "dagster-workers.yaml"
    ).read_text()
)
STARTING, STARTED = dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED


@pytest.fixture
def launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The shipped launcher of a project; its broker is this process."""
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    shipped = SHIPPED["run_launcher"]["config"] | {"broker": "memory://"}
    with dg.DagsterInstance.ephemeral() as instance:
        made: Any = WorkerRunLauncher(default_queue="dagster", **shipped)
        made.register_instance(instance)
        monkeypatch.setattr(instance, "_run_launcher", made)
        yield made


def run_of(launcher: Any, status: dg.DagsterRunStatus) -> dg.DagsterRun:
    """A run that was handed to the broker."""
    tags = {DAGSTER_CELERY_TASK_ID_TAG: "a task"}
    made: dg.DagsterRun = create_run_for_test(
        launcher._instance, status=status, tags=tags
    )
    return made


def asked(run_id: str) -> ExecuteRunArgs:
    """What the broker keeps of a run."""
    code = CodePointer.from_module("crawloop_assets.definitions", "defs", None)
    repository = RepositoryPythonOrigin(sys.executable, code)
    return ExecuteRunArgs(
        job_origin=JobPythonOrigin("a_job", repository),
        run_id=run_id,
        instance_ref=None,
    )


def status(launcher: Any, run: dg.DagsterRun) -> dg.DagsterRunStatus:
    return launcher._instance.get_run_by_id(run.run_id).status


def workers_folder() -> Path:
    return Project.find().var / "workers"


def test_a_run_whose_worker_was_killed_has_failed(launcher: Any) -> None:
    run = run_of(launcher, STARTED)
    with working(workers_folder(), run.run_id) as worker:
        found = launcher.check_run_worker_health(run)
        assert found.status is WorkerStatus.RUNNING
        worker.kill()
        worker.wait()
        found = launcher.check_run_worker_health(run)
        assert found.status is WorkerStatus.FAILED
    assert launcher.get_run_worker_debug_info(run) is None


def test_a_run_that_is_sent_twice_is_worked_on_once(
    launcher: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def execute(*, run_id: str, **more: object) -> int:
        assert signs_of_workers().is_alive(run_id) or not begun
        begun.append(run_id)
        return 0

    monkeypatch.setattr(tasks, "_execute_run_command_body", execute)
    monkeypatch.setattr(
        dg.DagsterInstance, "get", lambda: dg.DagsterInstance.ephemeral()
    )
    monkeypatch.setattr("crawloop_assets.pipeline.dagster_workers._OTHER_S", 0.1)
    task = worker_app(launcher._instance).tasks[TASK_EXECUTE_JOB_NAME]
    sent = {name: pack_value(asked(name)) for name in ("a", "b")}
    with working(workers_folder(), "a"):
        assert task(execute_job_args_packed=sent["a"]) == 0
        assert task(execute_job_args_packed=sent["b"]) == 0
    assert begun == ["b"], "another worker has a"


def test_a_broker_that_is_gone_is_waited_for(
    launcher: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*given: object) -> None:
        raise ConnectionRefusedError("redis://:a-password@broker")

    monkeypatch.setattr(CeleryRunLauncher, "launch_run", gone)
    with pytest.raises(DagsterUserCodeUnreachableError) as caught:
        launcher.launch_run(None)
    assert "a-password" not in str(caught.value)
    source = inspect.getsource(QueuedRunCoordinatorDaemon)
    assert "(DagsterUserCodeUnreachableError, DagsterCodeLocationLoadError)" in source
    assert "re-submitting the run" in source


def test_a_run_that_no_worker_has_is_canceled_at_once(launcher: Any) -> None:
    waits, works = run_of(launcher, STARTING), run_of(launcher, STARTED)
    assert launcher.terminate(waits.run_id)
    assert status(launcher, waits) is dg.DagsterRunStatus.CANCELED
    with working(workers_folder(), works.run_id):
        assert launcher.terminate(works.run_id)
    assert status(launcher, works) is dg.DagsterRunStatus.CANCELING, "its worker says"
    assert not launcher.terminate(waits.run_id), "it has ended"


def test_a_run_that_the_broker_keeps_is_no_orphan_until_its_worker_dies(
    launcher: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dagster_private, "_START_GRACE_S", 0.0)
    instance, run = launcher._instance, run_of(launcher, STARTING)
    assert not free_orphan(instance, run), "no worker has taken it up yet"
    with working(workers_folder(), run.run_id) as worker:
        message = f"Started process for run (pid: {worker.pid})."
        instance.report_engine_event(message, run, EngineEventData.in_process(1))
        assert not free_orphan(instance, run)
    assert free_orphan(instance, run)
    assert status(launcher, run) is dg.DagsterRunStatus.FAILURE


def test_a_project_without_a_broker_has_no_workers() -> None:
    with (
        dg.DagsterInstance.ephemeral() as instance,
        pytest.raises(ConfigError, match="are not handed to workers"),
    ):
        worker_app(instance)


def test_the_shipped_file_names_it_and_what_celery_knows() -> None:
    shipped = SHIPPED["run_launcher"]
    assert shipped["module"] == WorkerRunLauncher.__module__
    assert shipped["class"] == WorkerRunLauncher.__name__
    assert SHIPPED["run_monitoring"]["enabled"] is True
    known = {
        f"{group}_{name}"
        for group in ("worker", "task", "broker")
        for name in NAMESPACES[group]
    }
    assert shipped["config"]["config_source"].keys() <= known


def test_a_run_ends_with_the_worker_that_began_it() -> None:
    assert "set_pdeathsig('SIGKILL')" in inspect.getsource(prefork.process_initializer)
