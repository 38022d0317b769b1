"""The daemon with a shorter loop."""

import runpy
import sys
from typing import Any

import pytest
from dagster._daemon import controller
from dagster._daemon.cli import run_command

from crawloop_assets.pipeline.rereading import ProjectFiles

MODULE = "crawloop_assets.pipeline.daemon"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How Dagster's own command was called, instead of its daemons."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(controller, "DEFAULT_DAEMON_INTERVAL_SECONDS", 30)
    kind = controller.DagsterDaemonController
    for changed in ("check_daemon_threads", "check_workspace_freshness"):
        monkeypatch.setattr(kind, changed, getattr(kind, changed))
    monkeypatch.setattr(run_command, "main", lambda **given: calls.append(given))
    monkeypatch.setattr(sys, "argv", ["daemon", "7"])
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    return calls


def test_the_daemons_run_as_often_as_was_asked(started: list[dict[str, Any]]) -> None:
    kind = controller.DagsterDaemonController
    before = (kind.check_daemon_threads, kind.check_workspace_freshness)
    runpy.run_module(MODULE, run_name="__main__")
    assert controller.DEFAULT_DAEMON_INTERVAL_SECONDS == 7
    after = (kind.check_daemon_threads, kind.check_workspace_freshness)
    assert not set(after) & set(before), "sensors hurry, and the server is kept"
    assert [call["args"] for call in started] == [[]], "our number is not Dagster's"


def test_files_are_looked_at_before_the_first_server_reads_them(
    started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    monkeypatch.setattr(
        ProjectFiles, "have_changed", lambda self: looks.append(len(started))
    )
    runpy.run_module(MODULE, run_name="__main__")
    assert looks == [0], "later it would miss what changed meanwhile"


def test_importing_it_starts_nothing(started: list[dict[str, Any]]) -> None:
    runpy.run_module(MODULE)
    assert started == [] and controller.DEFAULT_DAEMON_INTERVAL_SECONDS == 30
