"""Linked data that says for a day what the page showed yesterday; with a real store and real workers."""

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import NewCrawler, Store
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "key": ["url"],
        "discover": {},
    }
)
PAGES, MOVING, DAYS_TO_LEARN = 60, 4, 8


def price(number: int, day: int) -> str:
    """The true price: each day those of four other products rise by a little."""
    last = max(
        (at for at in range(1, day + 1) if number // MOVING == at % 15), default=0
    )
    return f"{20 + number + last / 4:.2f}"


def item(number: int, shown: str, stated: str) -> Page:
    offer = {"price": stated, "priceCurrency": "EUR"}
    data = {"@type": "Product", "name": f"Tea no. {number}", "offers": offer}
    return html_page(
        f"{SITE}/{number}",
        f'<html><head><script type="application/ld+json">{json.dumps(data)}</script></head>'
        f"<body><h1>Tea no. {number}</h1><p class=price>{shown} €</p></body></html>",
    )


def shelf(day: int, others: Mapping[int, Page] = {}) -> list[Page]:
    """All pages of a day; what they state is of the day before."""
    pages = [
        item(number, price(number, day), price(number, day - 1))
        for number in range(PAGES)
    ]
    return [others.get(number, page) for number, page in enumerate(pages)]


def refresh(store: Store, day: int, pages: list[Page] | None = None) -> ServedBatch:
    return refreshed(store, FAMILY, pages or shelf(day), f"run-{day}")


def faults(store: Store, day: int) -> int:
    """How many rows do not say what was true on that day."""
    known = store.known(FAMILY)
    return sum(
        Decimal(known[f"{SITE}/{number}"][0]["price"]) != Decimal(price(number, day))
        for number in range(PAGES)
    )


def moved(day: int) -> set[str]:
    """The pages whose price is another one than the day before."""
    return {
        f"{SITE}/{number}"
        for number in range(PAGES)
        if price(number, day) != price(number, day - 1)
    }


def one_day(folder: Path) -> None:
    """A crawler that reads the price of both kinds, and one quiet day."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    pages = [item(number, price(number, 0), price(number, 0)) for number in range(3)]
    known = [
        Example(page=at, records=({"title": f"Tea no. {at}", "price": price(at, 0)},))
        for at in range(3)
    ]
    program = compile_program(FAMILY.schema_spec(), pages, known).program
    assert program is not None
    field = program.field("price")
    assert field is not None
    assert {"jsonld", "class"} <= {reader.kin.value for reader in field.readers}
    body = program.to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    assert refresh(made, 0).counts.held == 0


def days_to_learn(folder: Path) -> None:
    """Refreshes after which it is known that what is stated is late."""
    one_day(folder)
    made = Store(folder / "var", folder / "crawloop.duckdb")
    for day in range(1, DAYS_TO_LEARN):
        refresh(made, day)


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(one_day, tmp_path)


@pytest.fixture
def learned(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(days_to_learn, tmp_path)


def test_without_history_a_contradiction_is_held(store: Store) -> None:
    served = refresh(store, 1)
    assert set(served.judgement.held) == moved(1) and len(moved(1)) == MOVING
    assert faults(store, 1) == MOVING


def test_moving_prices_are_published_right_once_it_is_learned(learned: Store) -> None:
    for day in range(DAYS_TO_LEARN, DAYS_TO_LEARN + 3):
        served = refresh(learned, day)
        assert served.judgement.held == {} and not served.judgement.waiting
        assert all(check.passed for check in served.judgement.checks)
        assert faults(learned, day) == 0 and len(moved(day)) == MOVING


def test_what_is_stated_and_never_was_is_held(learned: Store) -> None:
    day = DAYS_TO_LEARN
    lower = f"{float(price(50, day)) * 0.9:.2f}"
    odd = item(50, price(50, day), lower)
    for again in (day, day + 1):
        served = refresh(learned, again, shelf(again, {50: odd}))
        assert set(served.judgement.held) == {f"{SITE}/50"}


def test_one_price_that_is_late_while_others_are_in_time_is_held(
    learned: Store,
) -> None:
    """What is stated was made today: page 50 shows another number than its price."""
    day = DAYS_TO_LEARN
    pages = [item(at, price(at, day), price(at, day)) for at in range(PAGES)]
    pages[50] = item(50, f"{float(price(50, day)) * 0.9:.2f}", price(50, day))
    for again in (day, day + 1):
        served = refresh(learned, again, pages)
        assert set(served.judgement.held) == {f"{SITE}/50"}
        assert faults(learned, day) == 0


def test_prices_stated_lower_on_all_pages_are_held(learned: Store) -> None:
    day = DAYS_TO_LEARN
    before = learned.known(FAMILY)
    pages = [
        item(at, price(at, day), f"{float(price(at, day)) * 0.9:.2f}")
        for at in range(PAGES)
    ]
    served = refresh(learned, day, pages)
    assert served.judgement.drifted and len(served.judgement.held) == PAGES
    assert learned.known(FAMILY) == before


def test_a_crawler_that_shows_another_number_everywhere_is_held(learned: Store) -> None:
    """What is stated is as it was on all pages: so often it was never late."""
    day = DAYS_TO_LEARN
    pages = [
        item(at, f"{float(price(at, day)) * 1.21:.2f}", price(at, day - 1))
        for at in range(PAGES)
    ]
    served = refresh(learned, day, pages)
    assert served.judgement.drifted and len(served.judgement.held) >= PAGES - MOVING


def test_days_that_are_red_teach_nothing(store: Store) -> None:
    """Where half of the prices move every day each day is doubted, and nothing is published of it."""
    for day in range(1, DAYS_TO_LEARN + 3):
        pages = [
            item(
                at,
                f"{float(price(at, 0)) + (day if at % 2 else 0):.2f}",
                f"{float(price(at, 0)) + (day - 1 if at % 2 else 0):.2f}",
            )
            for at in range(PAGES)
        ]
        served = refresh(store, day, pages)
        assert len(served.judgement.held) >= PAGES // 2
