"""`crawloop report`: all waves, one of them, and its page."""

import json

import pytest
from typer.testing import CliRunner

from crawloop_assets.access.chromium import picture
from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import AuditKind, Store
from tests.cli.conftest import PRODUCT, Say


def test_waves_are_listed_and_the_last_one_of_a_family_is_reported(
    project: Project, say: Say
) -> None:
    store = Store(project.var, project.published)
    assert json.loads(say("report", "--json")) == []
    store.audit(
        AuditKind.WAVE_STARTED,
        PRODUCT,
        None,
        {"wave": "w-1", "batches": {"000001": "r1"}},
    )
    assert "w-1" in say("report")
    said = say("report", PRODUCT)
    assert "$0: no model was asked" in said and "No version was made." in said
    (file,) = (project.var / "reports").rglob("wave-*.html")
    assert "heal wave w-1" in file.read_text()
    assert json.loads(say("report", "w-1", "--json"))["wave"] == "w-1"


@pytest.mark.parametrize("taken", [True, False])
def test_who_waits_for_a_browser_is_told(
    project: Project, say: Say, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    store = Store(project.var, project.published)
    wave = {"wave": "w-1", "batches": {"000001": "r1"}}
    store.audit(AuditKind.WAVE_STARTED, PRODUCT, None, wave)
    monkeypatch.setattr(picture, "are_taken", lambda: taken)
    result = CliRunner().invoke(app, ["report", PRODUCT])
    assert ("CRAWLOOP_PICTURES=no" in result.stderr) is taken


def test_a_wave_that_was_none_is_one_sentence(project: Project) -> None:
    result = CliRunner().invoke(app, ["report", "nothing"])
    assert result.exit_code == 1 and "no wave 'nothing'" in str(result.exception)
