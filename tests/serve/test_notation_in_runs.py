"""A page whose prices stand with another currency; with a real store and real workers."""

from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
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
SCHEMA = FAMILY.schema_spec()
PAGES = 40


def euros(number: int, day: int) -> str:
    """The price of a product; a few move from day to day."""
    return f"{10 + 3 * number + (day if number % 20 == 7 else 0)}.50"


def item(number: int, price: str, more: str = "") -> Page:
    body = f'<h1>Tea no. {number}</h1><p>Now <b class="price">{price}</b></p>{more}'
    return html_page(f"{SITE}/{number}", f"<html><body>{body}</body></html>")


def shelf(day: int, **others: Page) -> list[Page]:
    """All pages of a day in euros, some of them replaced."""
    pages = [item(number, f"{euros(number, day)} €") for number in range(PAGES)]
    return [others.get(f"p{number}", page) for number, page in enumerate(pages)]


def add_version(store: Store, body: str, why: str = "a test") -> None:
    version = store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    store.promote(FAMILY.family, version, why=why)


def three_days(folder: Path) -> None:
    """A family that has learned its currency, and three refreshes."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    pages = shelf(0)[:3]
    record = {"title": "Tea no. 0", "price": euros(0, 0)}
    program = compile_program(
        SCHEMA, pages, [Example(page=0, records=(record,))]
    ).program
    assert program is not None and program.notation.currency == "EUR"
    add_version(made, program.to_json())
    for day in range(3):
        assert refresh(made, day, shelf(day)).counts.held == 0


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(three_days, tmp_path)


def refresh(store: Store, day: int, pages: list[Page]) -> ServedBatch:
    return refreshed(store, FAMILY, pages, f"run-{day}")


def test_a_page_in_another_currency_is_held_for_as_long_as_it_is(store: Store) -> None:
    for day in (3, 4):
        served = refresh(store, day, shelf(day, p5=item(5, "27.10 $")))
        assert set(served.judgement.held) == {f"{SITE}/5"}
        assert not served.judgement.drifted
    (known,) = store.known(FAMILY)[f"{SITE}/5"]
    assert Decimal(known["price"]) == Decimal(euros(5, 0))
    assert refresh(store, 5, shelf(5)).counts.held == 0


def test_one_without_a_currency_or_with_dollars_elsewhere_is_not(store: Store) -> None:
    silent = item(5, euros(5, 3))
    abroad = item(6, f"{euros(6, 3)} €", "<p>In the US $19.99, USD 19.99</p>")
    served = refresh(store, 3, shelf(3, p5=silent, p6=abroad))
    assert served.counts.held == 0 and not served.judgement.drifted


def test_a_family_in_another_currency_is_read_once_it_is_healed(store: Store) -> None:
    dollars = [item(number, f"{float(euros(number, 0)) * 1.1:.2f} $") for number in range(PAGES)]  # fmt: skip
    served = refresh(store, 3, dollars)
    assert served.judgement.drifted and served.counts.held == PAGES
    active = store.active(FAMILY.family)
    assert active is not None
    known = [
        Example(page=at, records=({"title": f"Tea no. {at}", "price": euros(at, 0)},))
        for at in range(5)
    ]
    healed = heal_program(SCHEMA, Program.from_json(active.body), dollars[:5], known)
    assert healed.program is not None and healed.program.notation.currency == "$"
    add_version(store, healed.program.to_json(), "healed")
    assert not [
        finding
        for findings in refresh(store, 4, dollars).judgement.held.values()
        for finding in findings
        if "the version was made for" in finding.message
    ]
