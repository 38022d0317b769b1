"""A list whose rows lose one required field: all else of the known rows is served, and a person is asked for that."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family
from crawloop_assets.heal.novelty import HealEvidence, Novelty
from crawloop_assets.heal.past import asked_about
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import QuestionKind
from tests.heal.stuck import wave
from tests.heal.town import NAMES, PLACES, Town

ROWS, PAGES = 8, 3
KNOWN = ROWS * PAGES
FIRST = date(2026, 12, 1)


class Tender(BaseModel):
    """What a town wants to buy."""

    reference: str
    title: str
    buyer: str
    deadline: date
    amount: Decimal | None = None


TENDERS = Family.model_validate(
    {
        "family": "town/tender",
        "schema": "tests.heal.test_lists_in_part:Tender",
        "kind": "listing",
        "key": ["reference"],
        "discover": {},
    }
)


def tender(at: int, **changes: str) -> dict[str, Any]:
    """One of them."""
    made = {
        "reference": f"AO-{at:04}",
        "title": f"{NAMES[at % 8]} for {PLACES[at // 8 % 8]} no. {at}",
        "buyer": f"Town of {PLACES[at * 3 % 8]}",
        "deadline": str(FIRST + timedelta(days=at * 2)),
        "amount": f"{1250 + 37 * at}.00",
    }
    return made | changes


def card(of: dict[str, Any], day: str) -> str:
    facts = (
        f"<p class='buyer'>{of['buyer']}</p>{day}<p class='sum'>{of['amount']} EUR</p>"
    )
    return (
        f"<li class='card'><b>{of['reference']}</b><h3>{of['title']}</h3>{facts}</li>"
    )


def line(of: dict[str, Any], day: str) -> str:
    cells = (of["reference"], of["title"], of["buyer"], day, f"{of['amount']} EUR")
    return f"<tr>{''.join(map('<td>{}</td>'.format, cells))}</tr>"


def row(at: int, design: str, words: int) -> str:
    """A tender; of every so many `words` the last day is said as a number of days."""
    of = tender(at)
    day = f"<time datetime='{of['deadline']}'>{of['deadline']}</time>"
    if words and at % words == 0:
        day = f"<i>in {at % 5 + 2} days</i>"
    return card(of, day) if design == "cards" else line(of, day)


def pages(newest: int, design: str = "cards", words: int = 0) -> list[Page]:
    """The list, newest first, when there are so many tenders."""
    every = range(newest - 1, newest - 1 - KNOWN, -1)
    return list(_pages([row(at, design, words) for at in every], design))


def _pages(rows: list[str], design: str) -> Iterator[Page]:
    box = "ul" if design == "cards" else "table"
    for number in range(PAGES):
        shown = "".join(rows[number * ROWS : (number + 1) * ROWS])
        html = f"<html><head><title>Tenders</title></head><body><h1>Tenders</h1><{box}>{shown}</{box}></body></html>"
        yield Page(
            url=f"http://town.test/tenders?page={number + 1}",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )


def town_of_tenders(folder: Path) -> Town:
    """The list and its first version, read twice."""
    town = Town(folder)
    known = tuple(tender(KNOWN - 1 - at) for at in range(4))
    sample = HealSample(tuple(pages(KNOWN)), (Example(page=0, records=known),))
    made = Regenerator(TENDERS, town.store, default_pool(), "first").first(sample)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    for _ in range(2):
        assert not town.refresh(TENDERS, pages(KNOWN))
    return town


def rows_of(town: Town) -> dict[str, dict[str, Any]]:
    """The published rows by reference."""
    found = town.store.known(TENDERS).values()
    return {one["reference"]: one for rows in found for one in rows}


@pytest.mark.parametrize("design", ["cards", "lines"])
def test_known_rows_keep_what_no_row_says_any_more_and_new_ones_wait(
    tmp_path: Path, design: str
) -> None:
    town = town_of_tenders(tmp_path)
    assert town.refresh(TENDERS, pages(KNOWN + 2, design, words=1))
    ended = wave(town, family=TENDERS)
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    assert ended.reason.endswith("without deadline, whose known values are kept")
    assert Program.from_json(ended.program).field("deadline") is None
    served = town.read(TENDERS, pages(KNOWN + 3, design, words=1))
    assert served.judgement.drifted
    assert served.kept == {"deadline": KNOWN - 3}, "three are new, and three have left"
    assert rows_of(town).keys() <= {tender(at)["reference"] for at in range(KNOWN)}
    wave(town, "heal1", TENDERS)
    (question,) = town.store.questions.waiting(TENDERS.family)
    assert (question.kind, question.fields) == (QuestionKind.UNREAD, ("deadline",))


@pytest.mark.parametrize(("words", "is_news"), [(1, False), (5, True), (0, True)])
def test_known_values_that_the_pages_say_again_are_news_to_whom_was_asked(
    tmp_path: Path, words: int, is_news: bool
) -> None:
    """A question about a field waits for an answer as long as its values are nowhere; where most rows say them again
    the next wave reads them."""
    town = town_of_tenders(tmp_path)
    assert town.refresh(TENDERS, pages(KNOWN + 2, "lines", words=1))
    wave(town, family=TENDERS)
    town.read(TENDERS, pages(KNOWN + 3, "lines", words=1))
    wave(town, "heal1", TENDERS)
    before = HealEvidence.of(town.store, TENDERS.family).detail
    town.read(TENDERS, pages(KNOWN + 4, "lines", words=1))
    assert asked_about(town.store, TENDERS)
    served = town.read(TENDERS, pages(KNOWN + 5, "lines", words=words))
    assert served.judgement.drifted
    now = HealEvidence.of(town.store, TENDERS.family)
    assert (not asked_about(town.store, TENDERS)) is is_news
    assert now.beside(before) is (Novelty.OTHER if is_news else Novelty.SAME_SIGNS)
    ended = wave(town, "heal2", TENDERS)
    assert (ended.outcome is RegenerationOutcome.PROMOTED) is is_news, ended.reason
    if is_news:
        kept = town.read(TENDERS, pages(KNOWN + 5, "lines", words=words)).kept
        assert kept == {"deadline": 4} if words else not kept


def test_what_is_read_of_a_list_is_served_before_it_is_healed(tmp_path: Path) -> None:
    """Rows that are overlooked hold no others back."""
    town = town_of_tenders(tmp_path)
    judged = town.read(TENDERS, pages(KNOWN, words=2)).judgement
    assert judged.drifted and judged.hold_all is None and not judged.held
    assert sum(len(one.findings) for one in judged.waiting.values()) == KNOWN / 2


def test_a_redesign_after_which_some_rows_lack_a_field_still_reads_it_in_others(
    tmp_path: Path,
) -> None:
    town = town_of_tenders(tmp_path)
    assert town.refresh(TENDERS, pages(KNOWN, "lines", words=2))
    ended = wave(town, family=TENDERS)
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    served = town.read(TENDERS, pages(KNOWN, "lines", words=2))
    assert served.kept == {"deadline": KNOWN / 2}


@pytest.mark.parametrize("words", [2, 5])
def test_a_row_without_what_makes_it_one_stays_as_it_is_known(
    tmp_path: Path, words: int
) -> None:
    """Some rows say in words until when, and stand where they stood."""
    town = town_of_tenders(tmp_path)
    for day in range(4):
        assert town.refresh(TENDERS, pages(KNOWN, words=words))
        assert len(rows_of(town)) == KNOWN
        if not day:
            ended = wave(town, family=TENDERS)
            assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
            assert ended.reason.endswith("the known deadline where nothing is read")
    served = town.read(TENDERS, pages(KNOWN, words=words))
    assert served.kept == {"deadline": len(range(0, KNOWN, words))}


@pytest.mark.parametrize(("newer", "left"), [(6, 0), (ROWS, 0), (KNOWN - 2, 1)])
def test_a_first_version_is_made_of_examples_that_newer_rows_have_pushed_on(
    tmp_path: Path, newer: int, left: int
) -> None:
    """Some, or all, to the next page, and the last of them off the list."""
    town = Town(tmp_path)
    known = tuple(tender(KNOWN - 1 - at) for at in range(3))
    sample = HealSample(tuple(pages(KNOWN + newer)), (Example(page=0, records=known),))
    made = Regenerator(TENDERS, town.store, default_pool(), "first").first(sample)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    said = f"{left} of 3 rows of the examples stand on no page any more"
    assert made.reason.endswith(said) is bool(left)
