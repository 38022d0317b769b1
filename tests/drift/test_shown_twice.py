"""Which rows of a batch are one record that stands in two places."""

from typing import Any

import pytest

from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.shown_twice import records_once
from tests.drift.small import LINK, PRICE, SKU, TITLE, family, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE)
LISTING = family("listing")


def row(sku: str, **more: Any) -> dict[str, Any]:
    return {"sku": sku, "title": f"Bike {sku}", "price": "90"} | more


def pages(*shown: list[dict[str, Any]], known: str = "abcdefgh") -> list[PageOutcome]:
    before = [row(sku, price="100") for sku in known]
    return [outcome(*rows, previous=before) for rows in shown]


def kept(*shown: list[dict[str, Any]], known: str = "abcdefgh") -> str:
    """The keys of the records that count."""
    found = records_once(SCHEMA, LISTING, pages(*shown, known=known))
    return "".join(record["sku"] for _, _, record in found)


def test_a_known_record_above_each_list_is_one() -> None:
    first = [row("e"), row("a"), row("b"), row("c")]
    second = [row("e"), row("d"), row("e"), row("f"), row("g")]
    assert kept(first, second) == "eabcdfg"
    found = list(records_once(SCHEMA, LISTING, pages(first, second)))
    assert [page for page, _, _ in found] == [0, 0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "other", [{"price": "91"}, {"title": "Bike x"}, {"title": None}]
)
def test_what_says_another_thing_is_another_record(other: dict[str, Any]) -> None:
    first = [row("e"), row("a"), row("b")]
    assert kept(first, [row("e", **other), row("c"), row("d")]) == "eabecd"


def test_what_is_missing_in_both_is_no_difference() -> None:
    bare = row("e", title=None)
    assert kept([bare, row("a"), row("b")], [bare, row("c"), row("d")]) == "eabcd"


def test_a_record_that_nobody_knew_is_none_that_is_known() -> None:
    """What all pages show and no page showed may be no record."""
    head = [row("x"), row("a"), row("b")]
    assert kept(head, [row("x"), row("c"), row("d")]) == "xabxcd"
    keyless = row("a") | {"sku": None}
    assert len(list(records_once(SCHEMA, LISTING, pages([keyless], [keyless])))) == 2


def test_a_page_that_comes_again_is_no_list_with_a_few_above() -> None:
    rows = [row("a"), row("b"), row("c")]
    assert kept(rows, rows) == "abcabc"
    assert kept([row("a"), row("a"), row("a")]) == "aaa"


def old_address(*rows: dict[str, Any], known: str) -> PageOutcome:
    return outcome(*rows, previous=[row(sku, price="100") for sku in known])


def test_an_old_address_that_shows_the_first_page_counts_no_more() -> None:
    """An API leads from page to page by a cursor now, and passes over the number."""
    first = [row("a"), row("b")]
    now = [
        old_address(*first, known="ab"),
        old_address(*first, known="cd"),
        old_address(row("c"), row("d"), known=""),
    ]
    found = records_once(SCHEMA, LISTING, now)
    assert "".join(record["sku"] for _, _, record in found) == "abcd"


@pytest.mark.parametrize(
    ("again", "known"),
    [
        ([row("a"), row("b")], "xy"),
        ([row("a"), row("b")], ""),
        ([row("a"), row("b", price="91")], "cd"),
        ([row("b"), row("a")], "cd"),
    ],
)
def test_a_list_that_is_read_for_another_one_counts(
    again: list[dict[str, Any]], known: str
) -> None:
    now = [
        old_address(row("a"), row("b"), known=""),
        old_address(*again, known=known),
        old_address(row("c"), row("d"), known=""),
    ]
    assert len(list(records_once(SCHEMA, LISTING, now))) == 6


def test_a_list_that_leads_to_another_one_counts_while_its_rows_are_on_no_page() -> (
    None
):
    """Each page of a list that counts its pages in another way since leads to the first."""
    first = [row("a"), row("b")]

    def counted(*elsewhere: dict[str, Any], known: str) -> str:
        led = old_address(*first, known=known)
        now = [
            outcome(*first, url="/"),
            led.model_copy(update={"url": "/?p=2", "called": "/"}),
            outcome(*elsewhere, url="/page/2/"),
        ]
        found = records_once(SCHEMA, LISTING, now)
        return "".join(record["sku"] for _, _, record in found)

    assert counted(known="cd") == "abab"
    assert counted(row("c"), row("d"), known="cd") == "abcd"
    assert counted(known="ab") == "ab"
    assert counted(known="") == "ab"


@pytest.mark.parametrize(
    ("first", "again", "count"),
    [
        ("/list", "/list?page=1", 2),
        ("/list?p=0", "/list", 2),
        ("/list?sort=a", "/list?sort=a&p=1", 2),
        ("/list/", "/list/page/1/", 2),
        ("/list", "/list?page=2", 4),
        ("/list?page=2", "/list?page=21", 4),
        ("/list", "/other?page=1", 4),
    ],
)
def test_the_first_page_by_its_number_counts_once(
    first: str, again: str, count: int
) -> None:
    """The second page leads back to it; nothing was ever known of it."""
    rows = [row("a"), row("b")]
    now = [outcome(*rows, url=first), outcome(*rows, url=again)]
    assert len(list(records_once(SCHEMA, LISTING, now))) == count
    other = outcome(row("a"), row("b", price="91"), url=again)
    assert len(list(records_once(SCHEMA, LISTING, [now[0], other]))) == 4


def test_of_rows_without_a_key_nothing_says_that_they_are_elsewhere() -> None:
    keyless = [{"title": "Bike", "price": "90"}, {"title": "Bell", "price": "9"}]
    now = [outcome(*keyless, previous=keyless), outcome(*keyless, previous=keyless)]
    assert len(list(records_once(SCHEMA, LISTING, now))) == 4


def test_one_record_is_no_list() -> None:
    now = [old_address(row("a"), known="a"), old_address(row("a"), known="a")]
    assert len(list(records_once(SCHEMA, LISTING, now))) == 2


def test_a_page_that_is_another_name_of_one_of_the_batch_counts_once() -> None:
    address = LINK.model_copy(update={"name": "url"})
    named = schema(*SCHEMA.fields, address)

    def counted(*more: PageOutcome) -> int:
        page = outcome(row("a", url="/new"), url="/new")
        return len(list(records_once(named, family(), [page, *more])))

    other = outcome(row("a", url="/old"), url="/old", called="/new")
    assert counted(other) == 1
    assert counted(other.model_copy(update={"called": None})) == 2
    both = [other.model_copy(update={"url": at, "called": "/next"}) for at in "ab"]
    assert counted(*both) == 2, "two names of a page that is elsewhere"
    assert counted(outcome(row("b"), url="/old", called="/new")) == 2
    assert counted(outcome(url="/old", called="/new")) == 1, "it has no record"
    assert counted(other, other.model_copy(update={"url": "/older"})) == 1
    pair = [other, outcome(row("a"), url="/2", called="/old")]
    assert counted(*pair) == 2, "of two that call themselves by each other's name"
