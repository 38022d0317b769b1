"""What the commands pause is what the brakes know, and what they say."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.access.brakes import EVERYTHING, Brakes
from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    (tmp_path / "domains.yaml").write_text("domains: [{host: a.test}, {host: b.test}]")
    return tmp_path


def said(*words: str) -> str:
    return CliRunner().invoke(app, words, catch_exceptions=False).output


def test_a_site_is_paused_and_resumed(home: Path) -> None:
    brakes = Brakes(home / "var" / "brakes")
    out = said("pause", "a.test", "--who", "ann", "--why", "they asked us to")
    assert "a.test: paused since" in out and "by ann: they asked us to" in out
    said("pause", "--all")
    assert [pause.host for pause in brakes.pauses()] == [EVERYTHING, "a.test"]
    assert "a.test: resumed" in (out := said("resume", "a.test"))
    assert "still everything: paused since" in out
    assert "everything: resumed" in said("resume", "--all")
    assert brakes.pauses() == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("pause",), "one host, or --all"),
        (("pause", "a.test", "--all"), "one host, or --all"),
        (("pause", "c.test"), "not in domains.yaml. there are a.test, b.test"),
        (("resume", "a.test"), "a.test is not paused"),
        (("resume", "--all"), "everything is not paused"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(
    home: Path, words: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        said(*words)
