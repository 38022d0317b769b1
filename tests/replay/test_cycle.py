"""A made-up redesign of a small kitchen site, replayed through the whole pipeline: real sockets, workers and files."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from crawloop_assets.errors import ConfigError
from crawloop_assets.replay.cycle import replay, run_replay
from crawloop_assets.replay.folder import ReplayFolder, family_name
from crawloop_assets.replay.report import ReplayReport
from crawloop_assets.replay.server import ReplayFamily
from crawloop_assets.replay.verdict import ServedState

Values = dict[str, Any]
Layout = Callable[[Values], str]

DISHES: tuple[Values, ...] = (
    {
        "title": "Leek and Barley Broth",
        "author": "Ottilie Marsh",
        "total_time": 55,
        "ingredients": ["three leeks", "a cup of barley", "two litres of stock"],
        "instructions": [
            "Sweat the leeks slowly.",
            "Add barley and stock.",
            "Simmer until it thickens.",
        ],
    },
    {
        "title": "Nettle Gnocchi",
        "author": "Bram Coldwell",
        "total_time": 80,
        "ingredients": ["a bag of nettles", "four old potatoes", "white flour"],
        "instructions": [
            "Boil and rice the potatoes.",
            "Chop the blanched nettles.",
            "Roll, cut and poach.",
        ],
    },
    {
        "title": "Burnt Honey Custard",
        "author": "Ines Halloran",
        "total_time": 35,
        "ingredients": ["dark honey", "six yolks", "a pint of cream"],
        "instructions": [
            "Burn the honey a little.",
            "Whisk in yolks and cream.",
            "Bake in a bath of water.",
        ],
    },
    {
        "title": "Smoked Beet Salad",
        "author": "Teodor Vance",
        "total_time": 20,
        "ingredients": ["smoked beets", "sharp goat cheese", "toasted walnuts"],
        "instructions": [
            "Slice the beets thinly.",
            "Crumble over the cheese.",
            "Finish with walnuts.",
        ],
    },
    {
        "title": "Rye Pancakes with Plums",
        "author": "Maren Oakes",
        "total_time": 25,
        "ingredients": ["rye flour", "buttermilk", "ripe plums"],
        "instructions": [
            "Stir flour into buttermilk.",
            "Fry small cakes.",
            "Warm the plums and spoon over.",
        ],
    },
)


def _items(tag: str, css: str, values: list[str]) -> str:
    return "".join(f'<{tag} class="{css}">{value}</{tag}>' for value in values)


def old_layout(dish: Values) -> str:
    return f"""<html><head><title>{dish["title"]} | Kitchen Notes</title></head><body><div id="page">
    <div class="banner">Kitchen Notes, a quiet site about cooking, with new dishes on most weekends</div>
    <h1 class="dish-name">{dish["title"]}</h1><p class="cook">by <a class="cook-name">{dish["author"]}</a></p>
    <table class="facts"><tr><th>Total time</th><td class="minutes">{dish["total_time"]} minutes</td></tr></table>
    <h2>Ingredients</h2><ul class="needs">{_items("li", "need", dish["ingredients"])}</ul>
    <h2>Method</h2><ol class="how">{_items("li", "how-step", dish["instructions"])}</ol></div></body></html>"""


def new_layout(dish: Values) -> str:
    return f"""<html><head><title>Kitchen Notes: {dish["title"]}</title></head><body><main class="app">
    <header class="app-top"><nav><a href="/">Home</a><a href="/about">About this kitchen</a></nav></header>
    <article class="card card--dish"><section class="card__intro"><h1 class="card__title">{dish["title"]}</h1>
    <span class="byline">Written by <b class="byline__who">{dish["author"]}</b></span>
    <dl class="meta"><dt>Total time</dt><dd class="meta__time">{dish["total_time"]} minutes</dd></dl></section>
    <section class="card__list"><h3>Ingredients</h3>{_items("p", "card__item", dish["ingredients"])}</section>
    <section class="card__steps"><h3>Method</h3>{_items("div", "card__step", dish["instructions"])}</section>
    </article></main></body></html>"""


def lost_layout(_dish: Values) -> str:
    return """<html><body><main class="farewell"><h1>Our kitchen moved</h1><p>The dishes you knew are in our printed
    book now, which every good shop has. Thank you for cooking with us for eleven years.</p></main></body></html>"""


def pack(folder: Path, after: Layout, *, author_after: str = "") -> Path:
    """Four dishes before; after the switch the same four and one that is new. `author_after` is what is then known of
    the author, though it stands only on the pages of the first three dishes."""
    pages: list[dict[str, Any]] = []
    (folder / "kitchen").mkdir(parents=True)

    def capture(side: str, dish: Values, layout: Layout, changes: Values) -> str:
        slug = dish["title"].lower().replace(" ", "-")
        name = f"{slug}-{side}"
        (folder / "kitchen" / f"{name}.html").write_text(layout(dish), encoding="utf-8")
        known = {**dish, **changes}
        shown = dict.fromkeys(known, 1.0 if not changes or dish in DISHES[:3] else 0.4)
        pages.append(
            {
                "id": name,
                "file": f"kitchen/{name}.html",
                "url": f"https://kitchen.example/dish/{slug}",
                "records": [known],
                "in_dom": shown,
            }
        )
        return name

    olds = [capture("old", dish, old_layout, {}) for dish in DISHES[:4]]
    changes = {"author": author_after} if author_after else {}
    news = [capture("new", dish, after, changes) for dish in DISHES]
    redesign = {
        "before": olds,
        "after": news,
        "same_page": [list(pair) for pair in zip(olds, news, strict=False)],
    }
    family = {
        "family": "kitchen/kitchen.example",
        "schema": "Recipe",
        "kind": "detail",
        "pages": pages,
    }
    (folder / "index.json").write_text(
        json.dumps({"format": 1, "families": [family | {"redesigns": [redesign]}]})
    )
    return folder


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
