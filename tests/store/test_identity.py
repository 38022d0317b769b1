"""What a record is called, and when two of them are one."""

from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.family import Family
from crawloop_assets.store import ServedPage
from crawloop_assets.store.identity import keyed_rows
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import columns
from tests.models import Item
from tests.store.conftest import family, served
from tests.store.models import Link, Row

PAGE = "https://shop.test/list"


def keys(of: Family, *pages: ServedPage) -> list[str]:
    rows, _ = keyed_rows(of, table_of(of), pages)
    return list(rows)


def table_of(of: Family) -> Table:
    return Table("any", columns(of.model()), of.schema_spec())


def listing(schema: str, *key: str) -> Family:
    return family("shop/list", schema, kind="listing", key=list(key))


def row(title: str, price: str | None = None) -> Row:
    return Row(title=title, price=None if price is None else Decimal(price))


def test_a_detail_page_is_its_url_whatever_the_record_says() -> None:
    item = Item(url="https://elsewhere.test/x", title="Tea", price=Decimal(1))
    assert keys(family(key=["url"]), served(PAGE, item)) == [PAGE]


def test_a_listing_row_is_known_by_its_own_url() -> None:
    of = listing("tests.store.models:Link", "url")
    link = Link(url="https://shop.test/tea", title="Tea")
    assert keys(of, served(PAGE, link)) == ["https://shop.test/tea"]


@pytest.mark.parametrize(
    ("price", "key"),
    [("2.50", '["Tea", "2.5"]'), ("1E+2", '["Tea", "100"]')],
)
def test_a_key_of_several_fields_is_their_plain_values(price: str, key: str) -> None:
    of = listing("tests.store.models:Row", "title", "price")
    assert keys(of, served(PAGE, row("Tea", price))) == [key]


def test_a_url_among_several_parts_falls_back_to_the_page() -> None:
    of = listing("tests.models:Item", "url", "title")
    item = Item(title="Thé", price=Decimal(1))
    assert keys(of, served(PAGE, item)) == [f'["{PAGE}", "Thé"]']


def test_a_row_without_its_key_is_its_lasting_content_and_its_turn() -> None:
    of = listing("tests.store.models:Row", "price")
    first, second = keys(of, served(PAGE, row("Tea"), row("Tea")))
    assert first.startswith(f"{PAGE}#") and len(first) == len(PAGE) + 17
    assert second == first + "-2"
    by_url = listing("tests.models:Item", "url")
    old, new = (Item(title="Tea", price=Decimal(price)) for price in (1, 2))
    assert keys(by_url, served(PAGE, old)) == keys(by_url, served(PAGE, new)), (
        "a volatile price is no content"
    )
    assert keys(of, served(PAGE, row("Milk"))) != [first]
    other_page = keys(of, served("https://shop.test/2", row("Tea")))
    assert other_page == [first.replace(PAGE, "https://shop.test/2")]


def test_of_equal_keys_the_last_stays_and_the_others_are_counted() -> None:
    of = listing("tests.store.models:Row", "title")
    page = served(PAGE, row("Tea", "1"), row("Milk", "2"), row("Tea", "3"))
    rows, duplicates = keyed_rows(of, table_of(of), [page])
    assert duplicates == 1 and list(rows) == ["Milk", "Tea"]
    assert rows["Tea"].values["price"] == Decimal(3) and rows["Tea"].page is page
    assert rows["Tea"].record == row("Tea", "3")


def digest(**values: Any) -> str:
    of = listing("tests.store.models:Full", "title")
    model = of.model()
    rows, _ = keyed_rows(of, table_of(of), [served(PAGE, model(**values))])
    return rows["Tea"].digest


def test_the_fingerprint_is_of_values_not_of_how_they_are_written() -> None:
    plain = digest(title="Tea", price=Decimal("1.5"))
    assert digest(title="Tea", price=Decimal("1.5000")) == plain
    assert digest(title="Tea", price=Decimal("1.5"), order=None) == plain
    assert digest(title="Tea", price=Decimal("1.5"), order=0) != plain
    assert digest(title="Tea", price=Decimal("1.51")) != plain
