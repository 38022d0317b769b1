"""Which records are known from another page, asked of a real store."""

from decimal import Decimal

import pytest

from crawloop_assets.store import (
    Clash,
    ClashKind,
    FoundUrl,
    ServedPage,
    Store,
    names_itself,
)
from tests.models import Numbered
from tests.store.conftest import commit, family, fetched, served

SHOP = family(
    "shop/stock",
    "tests.models:Numbered",
    key=["sku"],
    discover={"seeds": ["http://a/"]},
)
HOME, OTHER = "http://shop.test/tea", "http://shop.test/milk"


def lamp(url: str, sku: str, title: str = "Tea", version: int = 1) -> ServedPage:
    return served(
        url, Numbered(sku=sku, title=title, price=Decimal(1)), version=version
    )


def found(store: Store, *pages: ServedPage, **moved: str | None) -> list[Clash]:
    places = {HOME: moved["home"]} if moved else {}
    return store.owners.clashes(SHOP, pages, places)


@pytest.fixture
def written(store: Store) -> Store:
    """The page HOME is known for the record A."""
    store.add_urls(SHOP, [FoundUrl(HOME), FoundUrl(OTHER)])
    seen = fetched(HOME, final_url=HOME, page_sha256="a" * 64)
    store.commit_batch(commit("r1", [lamp(HOME, "A")], SHOP, fetched=[seen]))
    return store


def test_nothing_is_known_of_an_empty_store(store: Store) -> None:
    assert found(store, lamp(HOME, "A")) == []


def test_a_page_may_say_again_what_it_is_known_for(written: Store) -> None:
    assert found(written, lamp(HOME, "A"), lamp(OTHER, "B")) == []


def test_a_known_key_belongs_to_its_url(written: Store) -> None:
    assert found(written, lamp(OTHER, "A", "Milk")) == [
        Clash(OTHER, "A", ClashKind.TAKEN, HOME)
    ]
    assert found(written, lamp(OTHER, "A")) == [
        Clash(OTHER, "A", ClashKind.REPEATED, HOME)
    ]


def test_a_page_may_not_be_renamed(written: Store) -> None:
    other = lamp(HOME, "B")
    assert found(written, other) == [Clash(HOME, "B", ClashKind.RENAMED, HOME, "A")]
    assert found(written, lamp(HOME, "B", version=2)) == [], "the same document"


def test_a_url_that_leads_nowhere_owns_nothing(written: Store) -> None:
    rival = lamp(OTHER, "A", "Milk")
    assert found(written, rival, home=None) == []
    assert found(written, rival, home=OTHER) == []
    assert len(found(written, rival, home="http://shop.test/third")) == 1


def test_a_url_that_led_elsewhere_before_owns_nothing(written: Store) -> None:
    moved = fetched(HOME, final_url=OTHER, page_sha256="b" * 64)
    written.commit_batch(commit("r2", of=SHOP, fetched=[moved]))
    assert found(written, lamp(OTHER, "A", "Milk")) == []


def test_of_two_pages_the_first_has_a_new_key(written: Store) -> None:
    pages = [lamp("http://shop.test/1", "N"), lamp("http://shop.test/2", "N", "Milk")]
    assert found(written, *pages) == [
        Clash("http://shop.test/2", "N", ClashKind.TAKEN, "http://shop.test/1")
    ]


@pytest.mark.parametrize(
    "url", ["https://shop.test/tea", "http://www.shop.test/tea", f"{HOME}/"]
)
def test_styles_of_a_url_are_one_page(written: Store, url: str) -> None:
    assert found(written, lamp(url, "A", "Milk")) == []


def test_only_details_with_keys_of_their_own_are_asked_about() -> None:
    assert names_itself(SHOP)
    assert not names_itself(family(key=["url"]))
    assert not names_itself(family(schema="tests.models:Numbered", key=["url", "sku"]))
    assert not names_itself(
        family(schema="tests.models:Numbered", key=["sku"], kind="listing")
    )
