"""Dagster's server of code, whose runs begin as copies of a process that has imported
what they need: a run that begins from nothing spends two CPU seconds on that.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_server.py.
"""

import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from functools import wraps
from types import SimpleNamespace
from typing import Any

__all__ = [
    "PRELOADED",
    "begin_runs_by_fork",
    "job_of_run",
    "listen_by_steady_clock",
]

_SERVER = "dagster._grpc.server"
PRELOADED = (
    "crawloop_assets.pipeline",  # first: it says how seldom garbage is looked for
    "dagster._cli",
    "dagster._grpc.impl",
    "crawloop_assets.definitions",
    "crawloop_assets.access.fetcher",
    "crawloop_assets.frontier.discover",
    "crawloop_assets.heal.asking",
    "crawloop_assets.report.wave",
    "crawloop_assets.serve.model_fields",
    "crawloop_assets.serve.opinion",
    "crawloop_assets.serve.stream",
    "crawloop_assets.pipeline.preloaded",  # last: it starts a process
)
"""Nothing of a project's own is among them: a run reads its files as they are when it
begins."""


def begin_runs_by_fork() -> None:
    """Where this process is a server of code, let it begin its runs by fork; elsewhere
    nothing is done, nor where processes are begun in another way."""
    server: Any = sys.modules.get(_SERVER)
    if server is None or "forkserver" not in multiprocessing.get_all_start_methods():
        return
    original = server.DagsterApiServer.StartRun
    if hasattr(original, "__wrapped__"):
        return
    context = _runs_by_fork()
    context.set_forkserver_preload(list(PRELOADED))

    @wraps(original)
    def start_run(self: Any, *given: Any) -> Any:
        self._mp_ctx = context
        return original(self, *given)

    server.DagsterApiServer.StartRun = start_run


def listen_by_steady_clock() -> None:
    """Where this process is a server of code, let it tell how long it has heard nothing by
    a clock that nobody sets. By one that was set back it would stay for as long, though
    the daemon it belongs to was killed."""
    server: Any = sys.modules.get(_SERVER)
    if server is not None:
        server.time = SimpleNamespace(**{**vars(time), "time": time.monotonic})


def job_of_run() -> str:
    """The job whose run this process was begun for; "" in any other."""
    return _job[-1] if _job else ""


_job: list[str] = []


def _runs_by_fork() -> Any:
    """What processes of runs are made with; each knows the job of its run before it
    builds any definitions."""
    forks: Any = multiprocessing.get_context("forkserver")

    class _Runs(type(forks)):  # type: ignore[misc]
        def Process(self, target: Callable[..., None], args: Sequence[Any]) -> Any:
            return forks.Process(target=_run_of_job, args=[target, *args])

    return _Runs()


def _run_of_job(
    run: Callable[..., None], given: object, job: Any, *rest: object
) -> None:
    """In the process of a run: `job` is how Dagster makes the job anew."""
    _job.append(str(job.job_name))
    run(given, job, *rest)
