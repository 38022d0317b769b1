"""Whether a page shows what is known of it: by its longest text, or by most of the values that stand there."""

from typing import Any

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift import page_facts
from crawloop_assets.drift.likeness import Likeness, likeness_of
from crawloop_assets.drift.value_lookup import known_forms
from crawloop_assets.page import Page
from crawloop_assets.schema import schema_of
from schemas.product import Product

SCHEMA = schema_of(Product)
KETTLE = {
    "url": "https://shop.example/p/1",
    "title": "Copper Kettle",
    "brand": "Acme",
    "price": "12.50",
    "currency": "EUR",
}
LAMP = KETTLE | {"title": "Brass Lamp", "url": "https://shop.example/p/2"}


def likeness(
    known: list[dict[str, Any]], read: list[dict[str, Any]], body: str = ""
) -> Likeness:
    page = Page(url="https://shop.example/p/1", body=f"<div>{body}</div>".encode())
    asked = known_forms(known, SCHEMA.fields)
    return likeness_of(known, read, page_facts(Document(page), page, asked), SCHEMA)


def test_a_record_is_known_by_its_longest_text() -> None:
    assert likeness([KETTLE], [KETTLE | {"price": "9.00"}]) is Likeness.KNOWN
    assert likeness([KETTLE], [LAMP]) is Likeness.OTHER, "brand, price and currency"


def test_one_row_of_many_is_enough() -> None:
    assert likeness([KETTLE, LAMP], [LAMP]) is Likeness.KNOWN
    assert likeness([KETTLE, LAMP], [KETTLE | {"title": "Tin Pot"}]) is Likeness.UNKNOWN


@pytest.mark.parametrize("read", [[], [KETTLE]])
def test_without_anything_known_nothing_is_said(read: list[dict[str, Any]]) -> None:
    assert likeness([], read, "Copper Kettle Acme 12.50") is Likeness.UNKNOWN


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>Copper Kettle</h1><i>Acme</i><b>12.50</b> <i>EUR</i>", Likeness.KNOWN),
        ("<h1>Copper Kettle</h1><i>Acme</i> No longer available", Likeness.OTHER),
        ("<h1>Copper Kettle</h1>Log in to see it", Likeness.OTHER),
        ("Welcome to the shop of Acme", Likeness.OTHER),
    ],
)
def test_where_nothing_was_read_most_known_values_have_to_stand_there(
    body: str, expected: Likeness
) -> None:
    assert likeness([KETTLE], [], body) is expected
