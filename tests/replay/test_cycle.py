"""A made-up redesign of a small kitchen site, replayed through the whole pipeline: real sockets, workers and files."""

import json
import os
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from crawloop_assets.errors import ConfigError
from crawloop_assets.replay.cycle import replay, run_replay
from crawloop_assets.replay.folder import ReplayFolder, family_name
from crawloop_assets.replay.report import ReplayReport
from crawloop_assets.replay.server import ReplayFamily
from crawloop_assets.replay.verdict import ServedState
from tests.replay.kitchen import (
    DISHES,
    Values,
    lost_layout,
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


def test_a_redesign_is_noticed_and_healed(tmp_path: Path, home: Path) -> None:
    before = (Path.cwd(), dict(os.environ))
    report = replayed(pack(tmp_path / "pack", new_layout))
    assert (Path.cwd(), dict(os.environ)) == before
    assert report.before.counts == {ServedState.RIGHT: 20}
    refresh = report.steps[-2]
    assert refresh.title == "Crawl the pages after" and refresh.red
    assert [(one.outcome, one.first) for one in report.decisions] == [
        ("promoted", True),
        ("promoted", False),
    ]
    assert report.green and report.crawler == 2
    # Five dishes: the one that came with the redesign is read as well.
    assert report.after.counts == {ServedState.RIGHT: 25}
    assert report.after.of(own=False).counts == {ServedState.RIGHT: 5}
    assert {cell.by for cell in report.after.cells} == {"crawler v2"}
    # What is known of the pages after is used for the verdict and given to nobody.
    text = (
        home
        / "var/replay/kitchen__kitchen_example/families/kitchen__kitchen_example.yaml"
    ).read_text()
    assert "rye-pancakes-with-plums" in text and DISHES[4]["author"] not in text
    assert len(yaml.safe_load(text)["examples"]) == 4


def test_what_no_crawler_reads_of_the_examples_is_left_out(
    tmp_path: Path, home: Path
) -> None:
    report = replayed(pack(tmp_path / "pack", new_layout, unread="author"))
    assert report.left_out == ("author",)
    assert [one.outcome for one in report.decisions][:2] == ["rejected", "promoted"]
    assert report.went_red and report.green
    states = {cell.state for cell in report.after.cells if cell.field != "author"}
    assert states == {ServedState.RIGHT}


def test_a_site_that_lost_its_records_is_refused_and_the_last_good_ones_stay(
    tmp_path: Path, home: Path
) -> None:
    report = replayed(pack(tmp_path / "pack", lost_layout))
    assert report.steps[-2].red and not report.green
    assert [one.outcome for one in report.decisions] == ["promoted", "rejected"]
    assert report.verdict == "rejected, red at the end"
    kept = [cell for cell in report.after.cells if cell.state is ServedState.KEPT]
    assert len(kept) == 20 and all(
        cell.known == cell.published for cell in kept if cell.field == "author"
    )
    assert {cell.state for cell in report.after.cells if cell not in kept} == {
        ServedState.HELD
    }


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


CASES = (
    ("Harrow v. Pell County", "2024-03-04", "H-2201"),
    ("Estate of Minna Lorne", "2024-03-11", "L-2207"),
    ("Vance Quarry Co. v. Ostrander", "2024-03-18", "V-2214"),
    ("State v. Tobias Fenwick", "2024-03-25", "S-2230"),
    ("In re Marriage of Calder", "2024-04-02", "M-2241"),
    ("Brandt v. Northfield Rail", "2024-04-09", "B-2256"),
)
LATER_CASES = (
    ("Oakes v. Merrow Township", "2025-01-07", "O-3102"),
    ("State v. Lydia Crane", "2025-01-14", "S-3119"),
    ("Pell Foundry v. Ashdown", "2025-01-21", "P-3127"),
    ("Estate of Rufus Halloway", "2025-01-28", "H-3140"),
    ("In re Guardianship of Wynn", "2025-02-04", "W-3155"),
    ("Tamsin v. Greer Mills", "2025-02-11", "T-3161"),
)


def _opinions(cases: tuple[tuple[str, str, str], ...]) -> list[Values]:
    return [
        {
            "name": name,
            "date": date,
            "docket_number": docket,
            "url": f"https://court.example/opinions/{docket}.pdf",
        }
        for name, date, docket in cases
    ]


def court_pack(folder: Path) -> Path:
    """A court's list of opinions; after the switch another layout, and not one case of before is still on it."""
    (folder / "court").mkdir(parents=True)
    old = "".join(
        f'<tr class="case"><td class="day">{one["date"]}</td><td class="no">{one["docket_number"]}</td>'
        f'<td class="style"><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></td></tr>'
        for one in _opinions(CASES)
    )
    new = "".join(
        f'<div class="opinion-card"><h3><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></h3>'
        f'<p class="meta"><time>{one["date"]}</time> <span>{one["docket_number"]}</span></p></div>'
        for one in _opinions(LATER_CASES)
    )
    (folder / "court/old.html").write_text(
        f"<html><body><h1>Opinions</h1><table>{old}</table></body></html>"
    )
    (folder / "court/new.html").write_text(
        f"<html><body><h1>Opinions</h1><main>{new}</main></body></html>"
    )
    url = "https://court.example/opinions"
    pages = [
        {
            "id": "old",
            "file": "court/old.html",
            "url": url,
            "records": _opinions(CASES),
        },
        {
            "id": "new",
            "file": "court/new.html",
            "url": url,
            "records": _opinions(LATER_CASES),
        },
    ]
    redesigns = [{"before": ["old"], "after": ["new"]}]
    family = {
        "family": "court",
        "schema": "Opinion",
        "kind": "listing",
        "pages": pages,
        "redesigns": redesigns,
    }
    (folder / "index.json").write_text(json.dumps({"format": 1, "families": [family]}))
    return folder


def test_a_guess_that_no_known_value_confirms_waits_for_a_person(
    tmp_path: Path, home: Path
) -> None:
    report = replay(
        court_pack(tmp_path / "pack"),
        "court",
        -1,
        daemon=False,
        console=Console(quiet=True),
    )
    assert (
        report.before.counts == {ServedState.RIGHT: 24}
        and report.before.extra_rows == 0
    )
    assert [one.outcome for one in report.decisions] == ["promoted", "awaiting_review"]
    assert "none of the known values confirms it" in report.decisions[1].reason
    assert report.crawler == 1 and not report.green
    # Nothing of the page is published under the old crawler or the guess; the known rows stay, marked stale.
    assert (
        report.after.counts == {ServedState.HELD: 24} and report.after.extra_rows == 0
    )


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
