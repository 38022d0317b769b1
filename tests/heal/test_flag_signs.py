"""A flag that pages say by an icon, and a model that takes none for no."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from tests.heal.town import NAMES, Town

PAGES = 24
PLUS = [at % 3 == 0 or at % 7 == 1 for at in range(PAGES)]


class Tale(BaseModel):
    """A story, and whether only those who pay may read it."""

    title: str
    plus: bool = False


TALES = Family.model_validate(
    {
        "family": "town/tale",
        "schema": "tests.heal.test_flag_signs:Tale",
        "discover": {},
    }
)


def tale(at: int, for_plus: str, visits: int = 0) -> Page:
    """A page, with what those have that only who pays may read."""
    title = f"{NAMES[at % 8]} of {at} seasons"
    mark = '<i class="ico plus"></i>' + for_plus if PLUS[at] else ""
    body = f"<main><h1>{title}</h1><div class='meta'>{mark}<b>Harlow</b></div><p>{visits} visits</p></main>"
    return Page(
        url=f"http://town.test/t/{at}",
        body=f"<html><title>{title}</title>{body}</html>".encode(),
        headers={"content-type": "text/html"},
    )


def as_before(at: int, visits: int = 0) -> Page:
    """Without a wall."""
    return tale(at, "", visits)


def walled(at: int) -> Page:
    """A wall where the icon is."""
    return tale(at, '<section class="wall"><a href="/join">Join us</a></section>')


def flags(town: Town) -> list[bool]:
    """What the table has, page by page."""
    rows = town.published(TALES)
    return [bool(rows[as_before(at).url].get("plus")) for at in range(PAGES)]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Tales that were read three times."""
    town = Town(tmp_path)
    pages = list(map(as_before, range(PAGES)))
    known = [
        {"title": f"{NAMES[at % 8]} of {at} seasons", "plus": PLUS[at]}
        for at in range(8)
    ]
    made = town.learn(TALES, pages, known)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    for visits in range(3):
        town.refresh(TALES, list(map(partial(as_before, visits=visits), range(PAGES))))
    assert flags(town) == PLUS
    return town


def test_a_sign_that_no_page_had_makes_no_flag_untrue(town: Town) -> None:
    pages = list(map(walled, range(PAGES)))
    for _ in range(3):
        town.refresh(TALES, pages)
        assert flags(town) == PLUS
    ended = town.regenerate(TALES)
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    town.refresh(TALES, pages)
    assert flags(town) == PLUS and not town.store.past.red(TALES.family)


@pytest.mark.parametrize("then", [as_before, walled])
def test_what_was_healed_reads_both_designs(
    town: Town, then: Callable[[int], Page]
) -> None:
    pages = list(map(walled, range(PAGES)))
    town.refresh(TALES, pages)
    town.regenerate(TALES)
    for _ in range(2):
        town.refresh(TALES, list(map(then, range(PAGES))))
        assert flags(town) == PLUS


@pytest.mark.parametrize("plus", [True, False])
def test_a_new_page_with_a_sign_that_no_page_had_waits_until_a_person_says_what_it_means(
    town: Town, plus: bool
) -> None:
    known = list(map(as_before, range(PAGES)))
    icon = known[1].body.replace(b"ico plus", b"ico early")
    new = Page(url="http://town.test/t/new", body=icon, headers=known[1].headers)
    for _ in range(3):
        town.refresh(TALES, [*known, new])
        assert flags(town) == PLUS and new.url not in town.published(TALES)
    said = PersonSays("plus", "ada", "yes" if plus else "no", url=new.url)
    taught = Decisions(TALES, town.store, "run-99").teach(said, default_pool())
    assert taught.outcome is RegenerationOutcome.PROMOTED, taught.reason
    town.refresh(TALES, [*known, new])
    assert flags(town) == PLUS
    assert town.published(TALES)[new.url]["plus"] is plus
