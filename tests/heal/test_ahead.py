"""An answer about one field tells which kind of evidence is ahead, with all that moves; with a real store and workers."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.heal.ahead import EvidenceAnswer
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import (
    HeldState,
    NewQuestion,
    QuestionKind,
    QuestionState,
    Store,
)
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import refreshed
from tests.serve.test_late_data import FAMILY, PAGES, item, one_day, price


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(one_day, tmp_path)


def now(number: int, day: int) -> str:
    """The true price: that of every other product is another one each day."""
    return f"{float(price(number, 0)) + (day if number % 2 else 0):.2f}"


def late(day: int) -> list[Page]:
    return [item(at, now(at, day), now(at, day - 1)) for at in range(PAGES)]


def refresh(store: Store, day: int, run: str = "") -> ServedBatch:
    return refreshed(
        store, FAMILY, late(day), f"run-{run or day}", refresh=f"run-{day}"
    )


def asked(store: Store, *fields: str) -> None:
    store.questions.ask(
        NewQuestion(
            family=FAMILY.family,
            kind=QuestionKind.NEWS,
            fields=fields,
            sentence="something else is said",
            since=datetime.now(UTC),
            url=f"{SITE}/1",
        )
    )


def say(store: Store, value: str) -> str:
    said = PersonSays("price", "ada", value, url=f"{SITE}/1")
    return Decisions(FAMILY, store, "run-9").teach(said, default_pool()).reason


def faults(store: Store, day: int) -> int:
    known = store.known(FAMILY)
    urls = {f"{SITE}/{at}": float(now(at, day)) for at in range(PAGES)}
    return sum(float(known[url][0]["price"]) != true for url, true in urls.items())


def test_one_answer_ends_what_is_late_on_every_page(store: Store) -> None:
    assert refresh(store, 1).judgement.drifted
    asked(store, "title", "price")
    assert say(store, now(1, 1)).startswith("price is shown as you say")
    (question,) = store.questions.all(FAMILY.family)
    assert question.state is QuestionState.TAUGHT
    assert say(store, now(1, 1)).startswith("price is shown as you say")
    again = refresh(store, 1, "again")
    assert not again.judgement.drifted
    assert {check.name for check in again.judgement.checks if not check.passed} <= {
        "history",
        "stale",
    }
    for day in (2, 3):
        assert not refresh(store, day).judgement.drifted
    assert refresh(store, 4).judgement.held == {} and faults(store, 4) == 0


def test_it_is_said_of_the_version_that_reads_the_pages(store: Store) -> None:
    refresh(store, 1)
    asked(store, "price")
    say(store, now(1, 1))
    said = store.questions.ahead(FAMILY.family, 1)
    assert (said["ahead"], said["late"], said["pages"]) == ("shown", {"price": 30}, 60)
    assert store.questions.ahead(FAMILY.family, 2) == {}


@pytest.mark.parametrize("value", ["3.50", now(1, 0)])
def test_what_no_kind_says_beside_what_was_tells_nothing(
    store: Store, value: str
) -> None:
    refresh(store, 1)
    asked(store, "price")
    say(store, value)
    assert store.questions.ahead(FAMILY.family, 1) == {}


def test_what_was_read_and_held_yesterday_is_what_was_before(store: Store) -> None:
    refresh(store, 1)
    refresh(store, 2)
    asked(store, "price")
    assert "shown" in say(store, now(1, 2))


def test_who_accepts_what_is_read_says_it_as_well(store: Store) -> None:
    refresh(store, 1)
    asked(store, "price")
    held = store.quarantine(FAMILY.family, HeldState.HELD)
    is_shown = {one.values[0]["price"] for one in held} == {
        now(at, 1) for at in range(PAGES) if at % 2
    }
    by = EvidenceAnswer(FAMILY, store, {"who": "ada"}).with_kind(held, ["price"])
    assert by.get("ahead") == ("shown" if is_shown else None)
    Decisions(FAMILY, store, "run-9").accept("ada")
    assert store.questions.ahead(FAMILY.family, 1).get("ahead") == by.get("ahead")


def test_of_what_never_moves_no_kind_is_late(store: Store) -> None:
    refresh(store, 1)
    held = store.quarantine(FAMILY.family, HeldState.HELD)
    assert EvidenceAnswer(FAMILY, store, {}).with_kind(held, ["title"]) == {}


def test_another_number_on_all_pages_is_not_what_was_late(store: Store) -> None:
    """What is stated is as it was on all pages: a person said it of half of them."""
    refresh(store, 1)
    asked(store, "price")
    say(store, now(1, 1))
    for day in (1, 2, 3):
        refresh(store, day, f"{day} again")
    taxed = [
        item(at, f"{float(now(at, 3)) * 1.21:.2f}", now(at, 3)) for at in range(PAGES)
    ]
    for day in (4, 5):
        assert refreshed(store, FAMILY, taxed, f"run-{day}").judgement.drifted
    assert faults(store, 3) == 0
