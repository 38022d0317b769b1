"""A site that says times as its own clocks show them, in a table of moments."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from tests.heal.town import Town

PAGES = 6


class Concert(BaseModel):
    """What is played, and when it begins."""

    title: str
    begins: datetime


CONCERTS = Family.model_validate(
    {
        "family": "town/concert",
        "schema": "tests.heal.test_local_times:Concert",
        "notation": {"dates": "DMY", "timezone": "America/New_York"},
        "discover": {},
    }
)
TITLES = ("Dawn", "Noon", "Dusk", "Night", "Storm", "Thaw")


def begins(at: int) -> datetime:
    """On the clocks of the hall: late in the evening, in summer and in winter."""
    return datetime(2026, 1 + 2 * at, 10 + at, 21 + at % 3, 30)


def concert(at: int, said: str) -> Page:
    """Its page, with the moment as it is said there."""
    title = f"{TITLES[at]} in the hall"
    body = f"<main><h1>{title}</h1>{said}</main>"
    return Page(
        url=f"http://town.test/c/{at}",
        body=f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def shown(at: int) -> Page:
    """As the first design says it."""
    return concert(at, f"<p>Begins: <time>{begins(at):%d/%m/%Y %H:%M}</time></p>")


def instants(town: Town) -> list[datetime]:
    """What the table has, page by page."""
    rows = town.published(CONCERTS)
    return [datetime.fromisoformat(rows[url]["begins"]) for url in sorted(rows)]


KNOWN = [
    {"title": f"{TITLES[at]} in the hall", "begins": begins(at).isoformat()}
    for at in range(3)
]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Concerts whose first version was made from local times."""
    town = Town(tmp_path)
    pages = list(map(shown, range(PAGES)))
    assert town.learn(CONCERTS, pages, KNOWN).outcome is RegenerationOutcome.PROMOTED
    town.read(CONCERTS, pages)
    return town


NEW_YORK = ZoneInfo("America/New_York")
WANTED = [begins(at).replace(tzinfo=NEW_YORK).astimezone(UTC) for at in range(PAGES)]


def test_the_table_has_the_moment_that_the_clocks_of_the_site_mean(town: Town) -> None:
    assert instants(town) == WANTED
    assert [moment.hour for moment in WANTED][:3] == [2, 2, 3], "the next day, in UTC"


def test_a_zone_that_is_named_later_holds_for_the_version_that_there_is(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    notation = CONCERTS.notation.model_copy(update={"timezone": ""})
    before = CONCERTS.model_copy(update={"notation": notation})
    pages = list(map(shown, range(PAGES)))
    town.learn(before, pages, KNOWN)
    town.read(before, pages)
    assert instants(town) == [begins(at).replace(tzinfo=UTC) for at in range(PAGES)]
    town.read(CONCERTS, pages)
    assert instants(town) == WANTED


def in_words(at: int) -> Page:
    """As a second design says it, on the clocks of the hall."""
    said = begins(at).strftime("%B %d, %Y at %I:%M %p")
    return concert(at, f"<div class='when'><b>{said}</b></div>")


def for_machines(at: int) -> Page:
    """As a third one states it, in UTC."""
    said = WANTED[at].strftime("%Y-%m-%dT%H:%M:%SZ")
    return concert(at, f"<div>Tickets <time datetime='{said}'>soon</time></div>")


@pytest.mark.parametrize("new", [in_words, for_machines])
def test_a_redesign_that_says_it_otherwise_is_healed(
    town: Town, new: Callable[[int], Page]
) -> None:
    pages = list(map(new, range(PAGES)))
    town.read(CONCERTS, pages)
    ended = town.regenerate(CONCERTS)
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    town.read(CONCERTS, pages)
    assert instants(town) == WANTED
