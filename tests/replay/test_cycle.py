"""A made-up redesign of a small kitchen site, replayed through the whole pipeline: real sockets, workers and files."""

from pathlib import Path

import pytest
from rich.console import Console

from crawloop_assets.errors import ConfigError
from crawloop_assets.replay.cycle import replay, run_replay
from crawloop_assets.replay.folder import ReplayFolder, family_name
from crawloop_assets.replay.report import ReplayReport
from crawloop_assets.replay.server import ReplayFamily
from crawloop_assets.replay.verdict import ServedState
from tests.replay.kitchen import (
    DISHES,
    new_layout,
    old_layout,
    pack,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def replayed(folder: Path) -> ReplayReport:
    return replay(
        folder, "kitchen/kitchen.example", -1, daemon=False, console=Console(quiet=True)
    )


def test_what_no_crawler_reads_of_the_examples_is_left_out(
    tmp_path: Path, home: Path
) -> None:
    report = replayed(pack(tmp_path / "pack", new_layout, unread="author"))
    assert report.left_out == ("author",)
    assert [one.outcome for one in report.decisions][:2] == [
        "awaiting_review",
        "promoted",
    ]
    assert report.went_red and report.green
    states = {cell.state for cell in report.after.cells if cell.field != "author"}
    assert states == {ServedState.RIGHT}


def test_a_wrong_value_is_called_wrong_and_unsure_where_the_page_does_not_bear_out_what_is_known(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = pack(tmp_path / "pack", old_layout, author_after="Somebody Else")
    out = tmp_path / "report.json"
    assert run_replay(folder, "kitchen/kitchen.example", json_file=out) == 1
    report = ReplayReport.model_validate_json(out.read_text())
    assert report.verdict == "never red"
    assert report.after.counts == {
        ServedState.RIGHT: 20,
        ServedState.WRONG: 3,
        ServedState.UNSURE: 2,
    }
    wrong = [cell for cell in report.after.cells if cell.state is ServedState.WRONG]
    assert {cell.field for cell in wrong} == {"author"}
    assert (
        wrong[0].published == DISHES[0]["author"] and wrong[0].known == "Somebody Else"
    )
    printed = capsys.readouterr().out
    assert "wrong" in printed and "20 right" in printed


def test_a_folder_that_is_no_replays_is_left_alone(tmp_path: Path) -> None:
    family = ReplayFamily.load(
        pack(tmp_path / "pack", new_layout), "kitchen/kitchen.example"
    )
    mine = tmp_path / "replay" / "kitchen__kitchen_example"
    mine.mkdir(parents=True)
    with pytest.raises(ConfigError, match="left alone"):
        ReplayFolder.make(tmp_path / "replay", family, 1)
    mine.rmdir()
    first = ReplayFolder.make(tmp_path / "replay", family, 1)
    (mine / "old").touch()
    again = ReplayFolder.make(tmp_path / "replay", family, 1)
    assert not (mine / "old").exists()
    assert first.family == again.family and len(again.family.discover.seeds) == 4
    again.declare(after=True)
    assert len(again.family.discover.seeds) == 5


def test_names_become_names_a_family_file_allows() -> None:
    assert family_name("recipes/15gram.be") == "recipes/15gram_be"
    assert family_name("Quotes/To-Scrape!") == "quotes/to_scrape"
