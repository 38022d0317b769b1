"""A field that nobody ever showed, and that one name on the first pages was taken for, is no loss once a redesign has
nothing of it."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.heal.guessed import without_guesses
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from tests.heal.stuck import wave
from tests.heal.town import MAKERS, NAMES, PLACES, Town, _page


class Tale(BaseModel):
    """What a gazette tells."""

    title: str
    maker: str
    place: str | None = None
    notes: list[str] | None = None


OF = Family.model_validate(
    {
        "family": "town/tale",
        "schema": "tests.heal.test_guessed:Tale",
        "discover": {},
    }
)
LINKS = ("About this gazette", "All our shops", "Write to the desk")


def tale(at: int) -> dict[str, str]:
    return {"title": NAMES[at], "maker": MAKERS[at], "place": PLACES[at]}


def page(at: int, design: str) -> Page:
    """In the first design a box of links is called by the field that no example has; in the second another box is."""
    title, maker, place = (text.replace("&", "&amp;") for text in tale(at).values())
    items = "".join(f"<p class='notes'>{link} {at}</p>" for link in LINKS)
    if design == "old":
        rows = f"<dt>Maker</dt><dd class='maker'>{maker}</dd><dt>Place</dt><dd class='place'>{place}</dd>"
        body = f"<main><h1 class='head'>{title}</h1><dl>{rows}</dl><div>{items}</div></main>"
        return _page(OF, at, body)
    rows = f"<tr><th>Place</th><td>{place}</td></tr>"
    body = (
        f"<section><h1>{title}</h1><p class='q5'>{maker}</p><table>{rows}</table>"
        "<b id='notes-bar'>4</b></section>"
    )
    return _page(OF, at, body)


def test_a_guess_that_a_redesign_leaves_out_asks_nobody(tmp_path: Path) -> None:
    town = Town(tmp_path)
    before = [page(0, "old")]
    made = town.learn(OF, before, [tale(0)])
    assert made.outcome is RegenerationOutcome.PROMOTED and made.scores is not None
    score = made.scores.field("notes")
    assert score is not None and score.is_guess
    town.read(OF, before)
    assert town.published(OF)[before[0].url]["notes"] == [f"{link} 0" for link in LINKS]
    after = [page(0, "new")]
    assert town.read(OF, after).judgement.drifted
    healed = wave(town, family=OF)
    assert healed.outcome is RegenerationOutcome.PROMOTED
    assert not town.read(OF, [page(0, "new")]).judgement.drifted
    assert not town.store.questions.waiting(OF.family)
    row = town.published(OF)[after[0].url]
    assert (row["title"], row.get("notes")) == (NAMES[0], None)


def score(**counts: object) -> FieldScore:
    return FieldScore.model_validate({"field": "notes", **counts})


GUESS = score(readers=1, kins=("class",), found=2)
LOST = score(readers=1, kins=("class",), changed=1)


def gone(before: FieldScore, now: FieldScore) -> bool:
    sheet = without_guesses(ScoreSheet(fields=(now,)), ScoreSheet(fields=(before,)))
    return sheet.fields[0].gone


def test_a_guess_of_which_nothing_is_left_is_gone() -> None:
    assert gone(GUESS, LOST)
    assert not gone(FieldScore(field="other"), LOST)


@pytest.mark.parametrize(
    "more",
    [
        {"right": 1},
        {"changed": 1},
        {"readers": 2},
        {"kins": ("jsonld",)},
        {"kins": ("meta",)},
        {"found": 0},
    ],
)
def test_what_was_shown_or_is_stated_is_no_guess(more: dict[str, object]) -> None:
    assert not gone(GUESS.model_copy(update=more), LOST)


@pytest.mark.parametrize("more", [{"silent": 1}, {"wrong": 1}, {"found": 1}])
def test_what_is_still_there_is_not_gone(more: dict[str, int]) -> None:
    assert not gone(GUESS, LOST.model_copy(update=more))


def test_a_required_field_is_never_gone() -> None:
    assert not gone(GUESS, LOST.model_copy(update={"required": True}))
