"""A list of what is newest: each day others stand on it."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from tests.heal.town import Town
from tests.here import Here

ROWS = 24


class Story(BaseModel):
    """What stands on a front page."""

    headline: str
    section: str


STORIES = Family.model_validate(
    {
        "family": "town/story",
        "schema": "tests.heal.test_newest_rows:Story",
        "kind": "listing",
        "key": ["headline"],
        "discover": {},
    }
)
WHO = ("harbour", "market", "school", "choir", "ferry", "mayor", "bakery", "library")
WHAT = ("opens", "moves", "closes", "grows", "waits", "wins", "pays", "sings", "votes")
SECTIONS = ("Local", "Culture", "Sport", "Business")


def story(at: int) -> dict[str, str]:
    """One of them, each with a headline of its own."""
    who, what = WHO[at % len(WHO)], WHAT[at // len(WHO) % len(WHAT)]
    return {
        "headline": f"The {who} {what}, for the {at}th time",
        "section": SECTIONS[at % len(SECTIONS)],
    }


def front(newest: int, visitors: int = 0) -> Page:
    """The front page when so many stories have been told."""
    rows = "".join(
        f"<article><h2>{one['headline']}</h2><span class='section'>{one['section']}</span></article>"
        for one in map(story, range(newest, newest - ROWS, -1))
    )
    return Page(
        url="http://town.test/",
        body=f"<html><title>The town</title><main>{rows}</main><p>{visitors} were here</p></html>".encode(),
        headers={"content-type": "text/html"},
    )


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """A front page and its first version, read on twelve days on which nothing was new."""
    town = Town(tmp_path)
    known = tuple(map(story, range(ROWS, ROWS - 3, -1)))
    sample = HealSample((front(ROWS),), (Example(page=0, records=known),))
    made = Regenerator(STORIES, town.store, Here(), "first").first(sample)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    for day in range(12):
        assert not town.refresh(STORIES, [front(ROWS, day)])
    return town


@pytest.mark.parametrize("new", [5, 12, ROWS], ids="{} new".format)
def test_what_leaves_it_day_by_day_ceases_to_be_a_surprise(
    town: Town, new: int
) -> None:
    surprises = []
    for day in range(1, 9):
        if town.refresh(STORIES, [front(ROWS + new * day)]):
            surprises.append(day)
    assert surprises == [1, 3], "once is no habit, twice is one"
