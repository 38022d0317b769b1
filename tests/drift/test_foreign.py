"""Pages that now show the record of another address, which is read there, too."""

import pytest

from crawloop_assets.drift.confirm import waiting_rows
from crawloop_assets.drift.foreign import foreign_values
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.family import Family
from tests.drift.small import PRICE, SKU, TITLE, Record, family, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE)
PAN = {"sku": "A-7", "title": "Pan of iron", "price": "30"}
POT = {"sku": "B-9", "title": "Pot of copper", "price": "40"}
CUP = {"sku": "C-3", "title": "Cup of tin", "price": "5"}


def pages(*read: tuple[Record, Record]) -> list[PageOutcome]:
    """Pages of what was known, and what is read."""
    return [
        outcome(now, url=f"https://shop.example/p/{at}", previous=[before])
        for at, (before, now) in enumerate(read)
    ]


def found(
    *read: tuple[Record, Record], of: Family | None = None
) -> set[tuple[int, str]]:
    foreign = foreign_values(SCHEMA, of or family(), pages(*read))
    return {(one.hit.page, one.field) for one in foreign}


def test_the_record_of_another_page_that_is_read_there_too() -> None:
    (first, second) = foreign_values(SCHEMA, family(), pages((PAN, POT), (POT, POT)))
    assert (first.field, second.field) == ("sku", "title")
    assert first.url == "https://shop.example/p/1"
    assert (first.hit.page, first.hit.expected, first.hit.got) == (0, "A-7", "B-9")


def test_without_a_key_the_longest_text_tells() -> None:
    assert found((PAN, POT), (POT, POT), of=family(key=("url",))) == {(0, "title")}


@pytest.mark.parametrize(
    "read",
    [
        [(PAN, PAN), (POT, POT)],
        [(PAN, CUP), (POT, POT)],
        [(PAN, POT), (POT, PAN)],
        [(PAN, POT), (POT, CUP)],
        [(PAN, POT), (POT, POT), (POT, POT)],
        [(POT, POT), (POT, POT)],
        [(PAN, PAN | {"title": "Pot of copper"}), (POT, POT)],
    ],
    ids=[
        "as known",
        "news",
        "exchanged",
        "left there",
        "at home twice",
        "known of both",
        "only its title",
    ],
)
def test_what_is_no_other_addresss_record(read: list[tuple[Record, Record]]) -> None:
    assert found(*read) == set()


def test_a_page_of_several_records_is_none_of_another_address() -> None:
    several = outcome(POT, PAN, previous=[PAN])
    home = outcome(POT, url="https://shop.example/p/2", previous=[POT])
    assert list(foreign_values(SCHEMA, family(), [several, home])) == []


def test_it_waits_however_often_it_is_said() -> None:
    moved, home = pages((PAN, POT), (POT, POT))
    again = moved.model_copy(update={"said_before": (POT,)})
    waiting = waiting_rows(SCHEMA, family(), [], [], [again, home])
    assert set(waiting) == {again.url}
    sentences = [one.message for one in waiting[again.url].findings]
    assert f"waits until a person releases it: it is that of {home.url}" in sentences
