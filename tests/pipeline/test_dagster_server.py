"""Runs begin as copies of a process that has imported what they need. Contract tests."""

import inspect
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dagster._grpc import server
from dagster._grpc.impl import start_run_in_subprocess

from crawloop_assets.pipeline.dagster_server import (
    PRELOADED,
    begin_runs_by_fork,
    job_of_run,
    listen_by_steady_clock,
)


def begun_by(self: Any, request: object, context: object) -> tuple[Any, object]:
    """Instead of what begins a run: how it would, and of what."""
    return self._mp_ctx, request


@pytest.fixture
def servicer(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(server.DagsterApiServer, "StartRun", begun_by)
    made: Any = object.__new__(server.DagsterApiServer)
    made._mp_ctx = "Dagster's own"
    return made


def test_a_server_of_code_begins_its_runs_by_fork(servicer: Any) -> None:
    begin_runs_by_fork()
    begin_runs_by_fork()
    context, request = servicer.StartRun("a run", None)
    assert request == "a run"
    assert context.get_start_method() == "forkserver"
    begin: Any = server.DagsterApiServer.StartRun
    assert begin.__wrapped__ is begun_by, "it is changed once"


def note_job(given: str, job: Any, said: Any, end: Any) -> None:
    """Instead of a run."""
    said.put((given, job.job_name, job_of_run()))


def test_the_process_of_a_run_knows_its_job(servicer: Any) -> None:
    begin_runs_by_fork()
    context, _ = servicer.StartRun("a run", None)
    said, end = context.Queue(), context.Event()
    job = SimpleNamespace(job_name="refresh_shop__product")
    run = context.Process(target=note_job, args=["a run", job, said, end])
    run.start()
    assert said.get(timeout=60) == ("a run", job.job_name, job.job_name)
    run.join()
    assert job_of_run() == "", "who begins it is no run"


def test_elsewhere_nothing_is_changed(
    servicer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
        begin_runs_by_fork()
    monkeypatch.delitem(sys.modules, "dagster._grpc.server")
    begin_runs_by_fork()
    assert servicer.StartRun("a run", None) == ("Dagster's own", "a run")


def test_dagster_still_begins_its_runs_with_what_we_set() -> None:
    source = inspect.getsource(server.DagsterApiServer.StartRun)
    assert "self._mp_ctx.Process(" in source
    assert "self._mp_ctx.Queue()" in source
    began = list(inspect.signature(start_run_in_subprocess).parameters)
    assert began[1] == "recon_pipeline", "of which the job is told"


def test_what_is_imported_beforehand_starts_no_thread_and_reads_no_project(
    tmp_path: Path,
) -> None:
    """A copy of a process with threads may wait for a lock for ever."""
    code = (
        "import importlib, sys, threading\n"
        f"[importlib.import_module(name) for name in {PRELOADED!r}]\n"
        "print(threading.active_count(), 'schemas' in sys.modules, 'resources' in sys.modules)\n"
        "print(len(__import__('os').listdir('/proc/self/task')) if sys.platform == 'linux' else 1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "CRAWLOOP_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "False", "False", "1"]


@pytest.mark.parametrize("is_steady", [True, False])
def test_a_server_that_hears_nothing_ends_though_the_clock_was_set_back(
    servicer: Any, monkeypatch: pytest.MonkeyPatch, is_steady: bool
) -> None:
    monkeypatch.setattr(server, "time", time)
    if is_steady:
        listen_by_steady_clock()
    servicer._shutdown_once_executions_finish_event = ends = threading.Event()
    servicer._logger = SimpleNamespace(warning=lambda _: None)
    servicer._DagsterApiServer__last_heartbeat_time = server.time.time()
    truth = time.time
    monkeypatch.setattr(time, "time", lambda: truth() - 7200)
    listener = threading.Thread(target=servicer._heartbeat_thread, args=(0.1,))
    listener.start()
    assert ends.wait(1.5) is is_steady
    ends.set()
    listener.join()
