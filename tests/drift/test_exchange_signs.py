"""Records that have each other's values."""

from typing import Any

import pytest

from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.exchange_signs import count_exchange_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift.small import PRICE, SKU, family, outcome, schema

AUTHOR = FieldSpec(name="author")
RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER, volatile=True)


def exchanged(
    spec: FieldSpec,
    before: list[Any],
    after: list[Any],
    sign: Sign = Sign.EXCHANGED,
    far: int | None = None,
    said: tuple[str, ...] = (),
) -> set[int]:
    """The pages on which the field is said to be exchanged; on that at `far` it moved
    farther than any did; `said` is what the first pages said the last time, and were
    held."""
    pages = [
        outcome(
            {"sku": str(at), spec.name: now},
            url=f"https://shop.example/p/{at}",
            previous=[{"sku": str(at), spec.name: then}],
        )
        for at, (then, now) in enumerate(zip(before, after, strict=True))
    ]
    for at, value in enumerate(said):
        rows = ({"sku": str(at), spec.name: value},)
        pages[at] = pages[at].model_copy(update={"said_before": rows})
    tallies = Tallies()
    if far is not None:
        tallies.put(
            Tally(Sign.STRIDE, spec.name, 1, hits=[Hit(far, before[far], after[far])])
        )
    fields = schema(SKU, spec)
    count_exchange_signs(fields, record_pairs(fields, family(), pages), pages, tallies)
    tally = tallies.get(sign, spec.name)
    return set() if tally is None else tally.pages


NAMES = ["Alder", "Birch", "Cedar", "Douglas", "Elder"]


@pytest.mark.parametrize(
    ("after", "pages"),
    [
        (["Birch", "Alder", "Cedar", "Douglas", "Elder"], {0, 1}),
        (["Birch", "Cedar", "Alder", "Douglas", "Elder"], {0, 1, 2}),
        (["Birch", "Cedar", "Douglas", "Elder", "Ginkgo"], {0, 1, 2, 3, 4}),
        (["Birch", "Cedar", "Ginkgo", "Douglas", "Elder"], {0, 1, 2}),
        (["Birch", "Ginkgo", "Cedar", "Douglas", "Elder"], set()),
        (["Birch", "Birch", "Cedar", "Douglas", "Elder"], set()),
        (["Ginkgo", "Birch", "Cedar", "Douglas", "Elder"], set()),
        (NAMES, set()),
    ],
)
def test_a_ring_or_a_row_of_three_is_no_news(after, pages):
    assert exchanged(AUTHOR, NAMES, after) == pages


def test_a_price_is_only_exchanged_in_a_ring():
    before = ["10.10", "20.20", "30.30", "40.40", "50.50"]
    assert exchanged(PRICE, before, ["20.20", "10.10", *before[2:]]) == {0, 1}
    assert exchanged(PRICE, before, [*before[1:], "60.60"]) == set()


def test_two_numbers_change_places_by_chance_where_all_move_as_far() -> None:
    level = FieldSpec(name="level", kind=FieldKind.NUMBER, volatile=True)
    before = [f"{1 + at / 10:.2f}" for at in range(14)]
    moving = [f"{1 + at / 10 + 0.15:.2f}" for at in range(14)]
    near = ["1.10", "1.00", *moving[2:]]
    assert exchanged(level, before, near) == set()
    far = ["1.50", *moving[1:5], "1.00", *moving[6:]]
    assert exchanged(level, before, far) == {0, 5}, "no other one went so far"
    resting = ["1.10", "1.00", *before[2:]]
    assert exchanged(level, before, resting) == {0, 1}, "nothing else moved"
    assert exchanged(level, before[:8], near[:8]) == {0, 1}, "too few to tell"
    two = ["1.10", "1.00", "1.30", "1.20", *moving[4:]]
    assert exchanged(level, before, two) == {0, 1, 2, 3}, "not twice at once"
    name = FieldSpec(name="level", kind=FieldKind.NUMBER)
    assert exchanged(name, before, near) == {0, 1}, "one that stays as it is"


def test_values_that_many_records_have_tell_nothing():
    assert exchanged(RATING, ["4.1", "3.9", "2.0"], ["3.9", "4.1", "2.0"]) == set()
    assert (
        exchanged(AUTHOR, ["Alder", "Alder", "Birch"], ["Birch", "Alder", "Alder"])
        == set()
    )


@pytest.mark.parametrize(
    ("after", "pages"),
    [
        (["12.50", "12.50", "30.10"], {0}),
        (["12.50", "14.00", "30.10"], {0, 1}),
        (["10.00", "99.00", "99.00"], {1, 2}),
        (["12.50", "10.00", "30.10"], {0, 1}),
        (["10.00", "13.00", "30.10"], set()),
        (["14.00", "14.00", "14.00"], set()),
    ],
    ids=["had", "had and changed", "has", "exchanged", "of nobody", "of several"],
)
def test_a_price_that_one_other_record_has_or_had_or_took(
    after: list[str], pages: set[int]
) -> None:
    before = ["10.00", "12.50", "30.10"]
    assert exchanged(PRICE, before, after, Sign.BORROWED) == pages
    steady = FieldSpec(name="price", kind=FieldKind.NUMBER)
    assert exchanged(steady, before, after, Sign.BORROWED) == set()


@pytest.mark.parametrize(
    ("after", "far", "pages"),
    [
        (["12.50", "12.50", "30.10"], 0, {0}),
        (["12.50", "14.00", "30.10"], 0, {0, 1}),
        (["12.50", "14.00", "30.10"], 1, {0, 1}),
        (["12.50", "14.00", "30.10"], None, set()),
        (["12.50", "12.50", "90.10"], 2, set()),
        (["11.00", "12.50", "30.10"], 0, set()),
    ],
    ids=["lent", "and changed", "the lender", "not far", "another", "of nobody"],
)
def test_a_price_that_went_farther_than_any_and_is_anothers(
    after: list[str], far: int | None, pages: set[int]
) -> None:
    before = ["10.00", "12.50", "30.10"]
    assert exchanged(PRICE, before, after, Sign.LENT, far) == pages


def test_what_is_no_number_is_compared_all_the_same() -> None:
    before, after = ["10.00", "12.50"], ["12.50", [None]]
    assert exchanged(PRICE, before, after, Sign.LENT, far=1) == {0, 1}


@pytest.mark.parametrize(
    ("said", "pages"),
    [
        ((), {0, 1}),
        (("11.80", "13.50"), set()),
        (("11.80", "12.10"), {0, 1}),
        (("12.10",), set()),
    ],
    ids=["not held", "moved on", "to what another said", "as said"],
)
def test_a_price_that_was_held_moves_on_to_what_another_was_by_chance(
    said: tuple[str, ...], pages: set[int]
) -> None:
    """In euro one cost what the other one costs in dollars."""
    before, after = ["11.00", "12.10", "30.10"], ["12.10", "13.50", "30.10"]
    assert exchanged(PRICE, before, after, Sign.BORROWED, said=said) == pages
