"""`crawloop upgrade`."""

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.migrate import LAYOUT
from tests.test_upgrade import OLDEST, left_behind


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    return left_behind(OLDEST, tmp_path)


def test_a_dry_run_says_what_would_change_and_changes_nothing(old: Project) -> None:
    done = CliRunner().invoke(app, ["upgrade", "--dry-run"])
    assert done.exit_code == 0, done.output
    assert "by the upgrade" in done.output and "_suspect" in done.output
    assert "nothing was changed" in done.output
    assert Store(old.var, old.published).layout() == 1


def test_an_upgrade_is_done_once(old: Project) -> None:
    done = CliRunner().invoke(app, ["upgrade"])
    assert done.exit_code == 0, done.output
    assert "the store is up to date" in done.output
    assert Store(old.var, old.published).layout() == LAYOUT
    again = CliRunner().invoke(app, ["upgrade"])
    assert "by the upgrade" not in again.output
    assert "the store is up to date" not in again.output


def test_what_is_left_to_a_person_is_exit_code_1(old: Project) -> None:
    (old.families / "broken.yaml").write_text("family: [", encoding="utf-8")
    done = CliRunner().invoke(app, ["upgrade", "--dry-run"])
    assert done.exit_code == 1
    assert "by hand" in done.output and "broken.yaml:" in done.output


def test_the_models_of_a_project_are_found_wherever_they_are(
    old: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    for file in old.families.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(
            re.sub("schema: .*", "schema: wicks:Lamp", text), encoding="utf-8"
        )
    (old.root / "wicks.py").write_text("from tests.releases.models import Lamp as Lamp")
    done = CliRunner().invoke(app, ["upgrade", "--dry-run"])
    assert "by hand" not in done.output
    assert done.exit_code == 0, done.output
