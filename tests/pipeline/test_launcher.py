"""A run whose process was killed is noticed. Contract tests: what we rely on in Dagster's launcher and monitoring."""

import inspect
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.events import EngineEventData
from dagster._core.launcher import WorkerStatus
from dagster._core.test_utils import create_run_for_test
from dagster._daemon.monitoring import run_monitoring
from dagster._daemon.run_coordinator import QueuedRunCoordinatorDaemon
from dagster._grpc import impl

from crawloop_assets.pipeline import alive
from crawloop_assets.pipeline.dagster_private import LocalRunLauncher

DAGSTER_YAML = Path(__file__).parent.parent.parent / "dagster.yaml"


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def health(instance: dg.DagsterInstance, pid: int | None) -> WorkerStatus:
    """What the launcher says of a run that process `pid` took up (None: nobody yet)."""
    run = create_run_for_test(instance, status=dg.DagsterRunStatus.STARTED)
    if pid is not None:
        message = f"Started process for run (pid: {pid})."
        instance.report_engine_event(message, run, EngineEventData.in_process(pid))
    launcher = LocalRunLauncher()
    launcher.register_instance(instance)
    return launcher.check_run_worker_health(run).status


def test_a_run_whose_process_lives_is_running(instance: dg.DagsterInstance) -> None:
    assert health(instance, os.getpid()) is WorkerStatus.RUNNING


def test_a_run_whose_process_is_gone_has_failed(instance: dg.DagsterInstance) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert health(instance, child.pid) is WorkerStatus.FAILED


def test_a_clock_that_is_set_ends_no_run(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", "/a/project")
    worker = multiprocessing.get_context("spawn").Process(target=time.sleep, args=[60])
    worker.start()
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    truth = alive._boot_time() or 0.0
    monkeypatch.setattr(alive, "_boot_time", lambda: truth + 7200)
    assert worker.pid is not None and not alive.process_alive(worker.pid, time.time())
    assert health(instance, worker.pid) is WorkerStatus.RUNNING
    assert health(instance, other.pid) is WorkerStatus.FAILED, "no worker of ours"
    monkeypatch.setenv("DAGSTER_HOME", "/another/project")
    assert health(instance, worker.pid) is WorkerStatus.FAILED
    for process in (worker, other):
        process.kill()
    other.communicate()
    worker.join()


def test_a_run_nobody_took_up_here_is_left_alone(instance: dg.DagsterInstance) -> None:
    assert health(instance, None) is WorkerStatus.RUNNING


def test_dagster_still_notes_the_process_and_asks_the_launcher() -> None:
    assert 'f"Started process for run (pid: {pid})."' in inspect.getsource(impl)
    assert "supports_check_run_worker_health" in inspect.getsource(
        run_monitoring.monitor_started_run
    )
    assert dg.DefaultRunLauncher().supports_check_run_worker_health is False, (
        "ours can go if Dagster can do it"
    )


def test_the_shipped_instance_uses_it() -> None:
    config = yaml.safe_load(DAGSTER_YAML.read_text(encoding="utf-8"))
    assert config["run_launcher"] == {
        "module": LocalRunLauncher.__module__,
        "class": LocalRunLauncher.__name__,
    }
    assert config["run_monitoring"]["enabled"] is True


def test_a_queued_run_outlives_the_server_that_was_to_start_it() -> None:
    config = yaml.safe_load(DAGSTER_YAML.read_text(encoding="utf-8"))
    shipped = config["run_coordinator"]["config"]
    coordinator = dg.QueuedRunCoordinator(**shipped)
    queue = coordinator.get_run_queue_config()
    patience = queue.max_user_code_failure_retries * queue.user_code_failure_retry_delay
    assert patience >= 180, "a server is begun anew within a minute"
    assert "re-submitting the run" in inspect.getsource(QueuedRunCoordinatorDaemon)
