"""The commands of the verbs: what they pause is what the brakes know, and what serves is told to Dagster."""

from pathlib import Path

import dagster as dg
import pytest
from typer.testing import CliRunner

from crawloop_assets.access.brakes import EVERYTHING, Brakes
from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.project import Project
from tests.cli.conftest import PRODUCT, Say


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


def test_what_a_verb_asks_for_is_on_its_help() -> None:
    shown = said("teach", "--help")
    assert "family" in shown and "--field" in shown and "Who decides" in shown


def test_a_version_that_serves_from_now_on_is_told_to_dagster(
    project: Project, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    say("rollback", PRODUCT, "--who", "ada")
    assert not (project.root / "dagster.yaml").exists(), "nothing of Dagster is made"
    (project.root / "dagster.yaml").write_text(
        "storage: {sqlite: {base_dir: var/dagster}}\ntelemetry: {enabled: false}\n"
    )
    say("promote", PRODUCT, "2", "--who", "ada", "--why", "better")
    assert not list(elsewhere.iterdir()), "its paths are of the project"
    monkeypatch.chdir(project.root)
    with dg.DagsterInstance.from_config(str(project.root)) as instance:
        key = AssetNames(project.family(PRODUCT)).crawler
        event = instance.get_latest_materialization_event(key)
    assert event is not None and event.asset_materialization is not None
    metadata = event.asset_materialization.metadata
    assert (metadata["version"].value, metadata["by"].value) == (2, "ada")
