"""What is red now, and whether it is what a person was asked about."""

from pathlib import Path

import pytest

from crawloop_assets.heal.evidence import red_evidence
from crawloop_assets.heal.past import asked_about
from tests.heal.stuck import PAGES, asked, redesigned, town_of_goods, unlabelled, wave
from tests.heal.town import GOODS, good, old


def test_a_green_family_shows_nothing(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    evidence = red_evidence(town.store, GOODS)
    assert (evidence.fields, evidence.layouts) == ((), ())
    assert asked_about(town.store, GOODS) == ""


def test_red_pages_show_their_layout(tmp_path: Path) -> None:
    town = redesigned(tmp_path)
    evidence = red_evidence(town.store, GOODS)
    assert len(evidence.layouts) == 1
    town.read(GOODS, [old(GOODS, at, good(at)) for at in range(PAGES)])
    assert red_evidence(town.store, GOODS).layouts == ()


def test_the_same_pages_another_day_are_what_was_asked_about(tmp_path: Path) -> None:
    town = redesigned(tmp_path)
    assert asked_about(town.store, GOODS) == "", "nobody was asked yet"
    wave(town)
    assert asked_about(town.store, GOODS) == asked(town).sentence
    town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    assert asked_about(town.store, GOODS) == asked(town).sentence


def test_rows_that_are_found_no_more_are_something_else_than_a_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question about one field keeps nobody from healing the others."""
    town = redesigned(tmp_path)
    (red,) = town.store.past.red(GOODS.family)
    maker = red._replace(fields=("maker",), others=False)
    monkeypatch.setattr(town.store.past, "red", lambda _: [maker])
    wave(town)
    assert "title" not in asked(town).evidence.fields
    assert asked_about(town.store, GOODS) == asked(town).sentence
    lost = red._replace(fields=(), others=True)
    monkeypatch.setattr(town.store.past, "red", lambda _: [lost])
    assert asked_about(town.store, GOODS) == ""
    assert "title" in red_evidence(town.store, GOODS).fields


def test_another_redesign_is_something_else(tmp_path: Path) -> None:
    town = redesigned(tmp_path)
    wave(town)
    rows = "".join(f"<tr><td class='x{at}'>{at}</td></tr>" for at in range(40))
    pages = [
        unlabelled(at, f"<table>{rows}</table><form><input></form>")
        for at in range(PAGES)
    ]
    other = [
        type(page)(
            url=page.url,
            body=page.body.replace(b"<ul", b"<ol")
            .replace(b"<h2", b"<h5")
            .replace(b"div", b"article"),
            headers=page.headers,
        )
        for page in pages
    ]
    assert town.read(GOODS, other).judgement.drifted
    assert asked_about(town.store, GOODS) == ""
