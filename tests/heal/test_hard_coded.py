"""What is returned of a copy of a page in which it was replaced was not read there."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.heal.hard_coded import (
    by_heart_in_words,
    changed_copy,
    exchanged,
    fields_by_address,
    fields_by_heart,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Extracted
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Ware",
    fields=(
        FieldSpec(name="title"),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
        FieldSpec(name="stock", kind=FieldKind.CHOICE, choices=("in stock",)),
    ),
)
PAGE = Page(
    url="http://shop.test/red-kettle",
    body=b"<h1>Pots &amp; Co Kettle</h1><p>47.90 EUR, red</p><i>in stock</i>",
)
ROW = {"title": "Pots & Co Kettle", "price": "47.90", "colour": "red", "n": 4}
VALUES = {"title": "Pots & Co Kettle", "price": "47.9", "stock": "in stock"}


def test_everything_that_was_returned_is_another_text_of_the_same_form() -> None:
    body = changed_copy(PAGE, [ROW]).body
    assert body == (
        b"<h1>Qput &amp; Dp Lfuumf</h1><p>58.10 EUR, red</p><i>in stock</i>"
    ), "what the address says, or is short, is left"


TITLE, PRICE = text_form(VALUES["title"]), numeral_form(VALUES["price"])


def read(shown: dict[str, bool], **values: str) -> frozenset[str]:
    before = ExtractedRecord(values=VALUES)
    after = Extraction(records=(ExtractedRecord(values=VALUES | values),))
    facts = PageFacts(stands=shown)
    return fields_by_heart(SCHEMA, [before], Extracted(extraction=after, facts=facts))


def test_what_stands_on_no_copy_and_is_returned_is_known_by_heart() -> None:
    gone = {TITLE: False, PRICE: False}
    assert read(gone) == {"title", "price"}
    assert read(gone, title="Qput & Dp Lfuumf") == {"price"}
    assert "price" in by_heart_in_words(read(gone))


@pytest.mark.parametrize("shown", [{}, {TITLE: True, PRICE: True}])
def test_what_may_stand_there_in_another_form_proves_nothing(
    shown: dict[str, bool],
) -> None:
    assert read(shown) == frozenset()


OTHER = Page(url="http://shop.test/blue-jar", body=b"<h1>Jar</h1>")


def test_each_address_shows_the_next_page() -> None:
    pages = exchanged([PAGE, OTHER])
    assert [page.url for page in pages] == [PAGE.url, OTHER.url]
    assert [page.text for page in pages] == [OTHER.text, PAGE.text]


def looked_up(now: str | None, **values: str) -> frozenset[str]:
    """Fields of the one title at an address, another on its page and that one now."""
    titles = ("Kettle", values.get("other", "Jar"), now)
    before, other, mixed = (
        [ExtractedRecord(values={"title": title} if title else {})] for title in titles
    )
    return fields_by_address(
        SCHEMA, before, other, mixed, values.get("url", "http://shop.test/7")
    )


def test_what_an_address_gives_whatever_stands_there_is_looked_up() -> None:
    assert looked_up("Kettle") == {"title"}
    assert looked_up("Jar") == looked_up(None) == frozenset()
    assert looked_up("Kettle", other="Kettle") == frozenset(), "all pages say it"
    says_so = looked_up("Kettle", url="http://shop.test/red-kettle")
    assert says_so == frozenset(), "the address itself says so"
