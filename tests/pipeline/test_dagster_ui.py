"""The server of code of Dagster's webserver: a killed one is begun anew."""

import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import PythonFileTarget

from crawloop_assets.pipeline.dagster_ui import revive_code

CODE = "import dagster as dg\ndefs = dg.Definitions(jobs=[])\n"


def test_a_server_of_code_that_was_killed_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    (tmp_path / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    file = tmp_path / "code.py"
    file.write_text(CODE)
    target = PythonFileTarget(str(file), None, str(tmp_path), "toy")
    with (
        dg.DagsterInstance.get() as instance,
        WorkspaceProcessContext(instance, target) as context,
    ):
        assert not revive_code(context)
        first = server_of(context)
        os.kill(first.pid, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while first.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert revive_code(context)
        second = server_of(context)
        assert second.pid != first.pid and second.poll() is None
        location = context.create_request_context().get_code_location("toy")
        assert location.get_repositories()
        assert not revive_code(context)


def server_of(context: Any) -> Any:
    """The process of the one server of code."""
    (server,) = context._grpc_server_registry._active_entries.values()
    return server.process.server_process


def test_code_that_could_not_be_read_is_not_begun_again_and_again() -> None:
    failed = SimpleNamespace(error="no module", process=None)
    registry = SimpleNamespace(_active_entries={"toy": failed, "other": object()})
    assert not revive_code(SimpleNamespace(_grpc_server_registry=registry))
