"""`crawloop notify`: telling by hand, and trying the addresses."""

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from tests.cli.conftest import Say


def test_who_can_be_reached_is_said_and_who_cannot_ends_with_1(
    project: Project, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["notify"], ["notify", "--test"]):
        assert "nobody to tell: no notify.yaml" in say(*words)
    sent = []
    monkeypatch.setattr(
        "crawloop_assets.desk.telling.send_by_apprise",
        lambda *message: sent.append(message),
    )
    monkeypatch.setenv("TO_TEAM", "json://team.test/")
    (project.root / "notify.yaml").write_text("receivers: {team: {url_env: TO_TEAM}}\n")
    assert "team: was reached" in say("notify", "--test")
    ((address, _, text),) = sent
    assert address == "json://team.test/" and "Crawloop can reach you" in text
    assert "nothing new to tell" in say("notify")
    monkeypatch.delenv("TO_TEAM")
    result = CliRunner().invoke(app, ["notify", "--test"])
    assert result.exit_code == 1 and "TO_TEAM is not set" in result.output
