"""Both ways to run a pipeline, where nothing has been crawled yet."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.replay.folder import ReplayFolder
from crawloop_assets.replay.runs import Daemon, InProcess, started
from crawloop_assets.replay.server import ReplayFamily


@pytest.fixture
def folder(
    tmp_path: Path, quotes: ReplayFamily, monkeypatch: pytest.MonkeyPatch
) -> ReplayFolder:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    folder = ReplayFolder.make(tmp_path / "replay", quotes, 1)
    monkeypatch.setenv("CRAWLOOP_HOME", str(folder.project.root))
    return folder


@pytest.fixture
def runs(folder: ReplayFolder) -> Iterator[InProcess]:
    with started(folder, daemon=False) as runs:
        assert isinstance(runs, InProcess)
        yield runs


def test_runs_are_on_the_projects_own_instance(
    folder: ReplayFolder, runs: InProcess
) -> None:
    assert Path(os.environ["DAGSTER_HOME"]) == folder.project.root
    assert (Path.cwd() / runs.instance.root_directory).is_relative_to(
        folder.project.root
    )


def test_there_is_nothing_to_heal_where_nothing_is_red(runs: InProcess) -> None:
    runs.heal()
    assert runs.instance.get_runs_count() == 0


def test_the_daemon_has_settled_when_all_is_green_and_idle(
    folder: ReplayFolder, runs: InProcess
) -> None:
    Daemon(folder, runs.instance, Drive("http://127.0.0.1:1", runs.instance)).heal()
    assert runs.instance.get_runs_count() == 0
