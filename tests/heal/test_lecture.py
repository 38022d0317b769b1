"""What is made of lessons, of the page that was shown or of pages as they are now."""

from pathlib import Path

import pytest

from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import QuestionState
from tests.heal.stuck import PAGES, asked, price, redesigned, unlabelled, wave
from tests.heal.town import GOODS, Town, good, old


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods of which a question shows one page."""
    town = redesigned(tmp_path)
    wave(town)
    return town


def shown(town: Town) -> int:
    """Which good's page the question shows."""
    return int(asked(town).url.rpartition("/")[2])


def teach(town: Town, value: str, url: str = "", at: str = "") -> Regeneration:
    said = PersonSays("price", "ada", value, at, url=url)
    return Decisions(GOODS, town.store, "run-9").teach(said, default_pool())


def with_in_place(at: int, page: Page) -> list[Page]:
    """The redesigned pages, but for one."""
    return [page if at == other else unlabelled(other) for other in range(PAGES)]


@pytest.mark.parametrize("at", ["", ".nums li:nth-child(2)"])
def test_a_page_is_taught_as_the_question_showed_it(town: Town, at: str) -> None:
    here = shown(town)
    # The site shows that page in its old design today.
    town.read(GOODS, with_in_place(here, old(GOODS, here, good(here))))
    made = teach(town, "" if at else price(here), at=at)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert asked(town).state is QuestionState.TAUGHT
    served = town.read(GOODS, list(map(unlabelled, range(PAGES))))
    assert not served.judgement.drifted
    prices = {url: row["price"] for url, row in town.published(GOODS).items()}
    assert prices == {
        unlabelled(other).url: str(float(price(other))) for other in range(PAGES)
    }


def test_what_stands_on_the_page_as_it_is_now_is_taught_of_that(town: Town) -> None:
    here = shown(town)
    moved = unlabelled(here)
    body = moved.body.replace(price(here).encode(), b"8.15")
    town.read(GOODS, with_in_place(here, moved.model_copy(update={"body": body})))
    made = teach(town, "8.15")
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    (lesson,) = town.store.questions.lessons(GOODS.family)
    entry = town.store.url(GOODS.family, lesson.url)
    assert entry is not None and lesson.page_sha256 == entry.page_sha256


def test_what_is_read_right_already_answers_no_question(town: Town) -> None:
    other = PAGES - 1
    assert other != shown(town)
    pages = with_in_place(other, old(GOODS, other, good(other)))
    town.read(GOODS, pages)
    made = teach(town, good(other)["price"], url=pages[other].url)
    assert asked(town).state is QuestionState.OPEN
    assert made.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert "published as you say: teach it of a page that is held" in made.reason
