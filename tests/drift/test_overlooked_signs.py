"""Known rows of lists that are read nowhere, and stand on their page."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.overlooked_signs import (
    count_overlooked_signs,
    with_overlooked,
)
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import seen_forms
from crawloop_assets.schema import FieldSpec
from tests.drift import small

CATEGORY = FieldSpec(name="category")
SCHEMA = small.schema(small.SKU, small.TITLE, small.WEIGHT, CATEGORY)
FAMILY = small.family(key=["sku"], kind="listing")
TITLES = ("Walnut bench", "Oak bookshelf", "Brass coat hook", "Paper lantern")
URL = "https://shop.example/list"


def good(at: int, **changes: Any) -> dict[str, Any]:
    named = {"sku": f"SKU-100{at}", "title": TITLES[at], "category": "Furniture"}
    return named | {"weight": f"{12500 + at}.00"} | changes


def page(*read: int, shown: Mapping[int, tuple[str, ...]]) -> PageOutcome:
    """A page of four known goods, of which some are read, and some fields of others are shown."""
    known = tuple(map(good, range(4)))
    forms = dict.fromkeys(seen_forms(known, SCHEMA.fields), False)
    for at in read:
        forms |= dict.fromkeys(seen_forms([known[at]], SCHEMA.fields), True)
    for at, names in shown.items():
        part = {name: known[at][name] for name in names}
        forms |= dict.fromkeys(seen_forms([part], SCHEMA.fields), True)
    return PageOutcome(
        url=URL,
        values=tuple(map(known.__getitem__, read)),
        previous=known,
        facts=PageFacts(stands=forms),
    )


def counted(*pages: PageOutcome) -> Tallies:
    tallies = Tallies()
    count_overlooked_signs(SCHEMA, FAMILY, pages, tallies)
    return tallies


@pytest.mark.parametrize(
    ("shown", "overlooked"),
    [
        ({}, []),
        ({3: ("sku", "title", "weight", "category")}, ["SKU-1003"]),
        ({3: ("sku", "title")}, ["SKU-1003"]),
        ({3: ("title",)}, []),
        ({3: ("title", "category")}, []),
        ({2: ("sku", "title"), 3: ("title", "weight")}, ["SKU-1002", "SKU-1003"]),
    ],
)
def test_a_row_of_which_several_own_values_stand_on_its_page_is_overlooked(
    shown: dict[int, tuple[str, ...]], overlooked: list[str]
) -> None:
    """One value alone may stand anywhere, and what others have as well says nothing."""
    tallies = counted(page(0, 1, shown=shown))
    hits = tallies.hits(Sign.OVERLOOKED, "")
    assert [hit.expected for hit in hits] == overlooked


def test_a_row_that_is_read_on_another_page_is_not() -> None:
    there = PageOutcome(url=f"{URL}?page=2", values=(good(3), good(2)))
    left = page(0, 1, shown={3: ("sku", "title")})
    assert not counted(left, there).hits(Sign.OVERLOOKED, "")
    assert counted(left).hits(Sign.OVERLOOKED, "")


def test_what_a_row_that_is_read_says_is_not_of_one_that_is_not() -> None:
    left = page(0, 1, shown={3: ("title", "weight")})
    other = good(0) | {"sku": "SKU-2000", "title": TITLES[3]}
    alike = left.model_copy(update={"values": (*left.values, other)})
    assert not counted(alike).hits(Sign.OVERLOOKED, "")


def test_a_page_that_was_not_looked_at_says_nothing() -> None:
    blind = page(0, 1, shown={3: ("sku", "title")}).model_copy(update={"facts": None})
    assert not counted(blind).hits(Sign.OVERLOOKED, "")


def test_what_is_overlooked_is_named_beside_what_waits() -> None:
    left = page(0, 1, shown={3: ("sku", "title")})
    before = {URL: WaitingRows(rows=frozenset((1,)), findings=())}
    held = with_overlooked(before, counted(left), [left])[URL]
    assert held.rows == {1}
    (finding,) = held.findings
    assert (finding.expected, finding.got) == ("SKU-1003", "nothing")
    assert "stands on its page" in finding.message
