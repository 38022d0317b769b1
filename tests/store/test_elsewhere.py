"""What other families of the same site say of a record, asked of a real store."""

from decimal import Decimal

import pytest

from crawloop_assets.store import FoundUrl, ServedPage, Store
from crawloop_assets.store.models import HeldPage
from tests.models import Item, Numbered
from tests.store.conftest import commit, family, served

PAGES = family(
    "shop/stock",
    "tests.models:Numbered",
    key=["sku"],
    discover={"seeds": ["http://a/"]},
)
LIST = family(
    "shop/list",
    "tests.models:Item",
    kind="listing",
    key=["url"],
    discover={"seeds": ["http://a/"]},
)
API = family(
    "shop/api",
    "tests.models:Stocked",
    kind="json",
    key=["sku"],
    discover={"seeds": ["http://a/"]},
)
TEA, MILK = "http://shop.test/p/tea", "http://shop.test/p/milk"
ALL = "http://shop.test/all"


def page(url: str = TEA, sku: str = "A", price: str = "1.50") -> ServedPage:
    return served(url, Numbered(sku=sku, title="Tea", price=Decimal(price)))


def rows(*offers: tuple[str, str], url: str = ALL) -> ServedPage:
    items = [
        Item(url=link, title="Tea", price=Decimal(price)) for link, price in offers
    ]
    return served(url, *items)


@pytest.fixture
def written(store: Store) -> Store:
    """A list of two rows, and the page that the first one leads to."""
    store.add_urls(LIST, [FoundUrl(ALL)])
    store.add_urls(PAGES, [FoundUrl(TEA)])
    store.commit_batch(commit("r1", [rows((TEA, "1.50"), (MILK, "2.50"))], LIST))
    store.commit_batch(commit("r2", [page()], PAGES))
    return store


def test_nothing_is_said_in_an_empty_store(store: Store) -> None:
    assert store.others.say(PAGES, [page()]) == {}


def test_a_row_of_a_list_is_of_the_page_it_leads_to(written: Store) -> None:
    said = written.others.say(
        PAGES, [page(price="9.00"), page("http://shop.test/x", "B")]
    )
    assert said == {TEA: ({"title": "Tea", "price": "1.5"},)}


def test_a_page_speaks_of_the_row_that_leads_to_it(written: Store) -> None:
    said = written.others.say(LIST, [rows((MILK, "3.00"), (TEA, "3.00"))])
    assert said == {ALL: ({}, {"title": "Tea", "price": "1.5"})}


def test_records_of_one_key_are_one_record(written: Store) -> None:
    of_key = served(
        "http://api.shop.test/1", Numbered(sku="A", title="T", price=Decimal(2))
    )
    said = written.others.say(API, [of_key])
    assert [one["price"] for one in said["http://api.shop.test/1"]] == ["1.5"]


@pytest.mark.parametrize(
    "url", ["http://other.test/p/tea", "http://notshop.test/p/tea"]
)
def test_other_sites_say_nothing(written: Store, url: str) -> None:
    assert written.others.say(API, [page(url)]) == {}


def test_a_stale_row_says_nothing(written: Store) -> None:
    held = HeldPage(url=TEA, page_sha256=None, version=1, reasons=())
    written.commit_batch(commit("r3", [], PAGES, held=[held]))
    assert written.others.say(LIST, [rows((TEA, "3.00"), (MILK, "3.00"))]) == {}
