"""How values spread, and how far their medians move."""

from math import log10

import pytest

from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, Spread
from crawloop_assets.drift.spread import Shift, shifts, spreads_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift.small import PRICE, TAGS, TITLE, WEIGHT, outcome, schema

FIELDS = schema(TITLE, PRICE, WEIGHT, TAGS)


def test_magnitudes_of_numbers_and_lengths_of_texts():
    pages = [
        outcome({"price": "10", "title": "abc", "tags": ["a"]}),
        outcome({"price": "-1000", "title": ""}, {"price": 0, "title": "ab"}),
        outcome({"price": None, "title": "abcd"}, {"price": "100"}),
    ]
    numbers, lengths = spreads_of(FIELDS, pages)
    assert list(numbers) == ["price"] and list(lengths) == ["title"]
    assert numbers["price"].seen == 3
    assert numbers["price"].deciles == (1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3)
    assert numbers["price"].median == 2.0
    assert lengths["title"].seen == 3
    assert lengths["title"].deciles[0] == round(log10(2), 4)
    assert lengths["title"].deciles[10] == round(log10(4), 4)


LEGS = FieldSpec(
    name="legs",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    volatile=True,
    fields=(FieldSpec(name="origin"),),
)


def test_a_list_of_records_is_as_long_as_it_has_records():
    leg = {"origin": "Oslo"}
    pages = [outcome({"legs": [leg] * count}) for count in (1, 10, 100)]
    pages.append(outcome({"legs": None}))
    _, lengths = spreads_of(schema(LEGS), pages)
    assert lengths["legs"].seen == 3
    assert {lengths["legs"].deciles[at] for at in (0, 5, 10)} == {0, 1, 2}


@pytest.mark.parametrize(("count", "failed"), [(4, False), (8, True), (1, False)])
def test_a_list_that_came_to_have_far_more_records_is_a_shift(count, failed):
    """Also one that may change every day."""
    leg = {"origin": "Oslo"}
    before, now = (
        spreads_of(schema(LEGS), [outcome({"legs": [leg] * number})] * 12)[1]
        for number in (2, count)
    )
    norms = Norms([BatchStats(batch="a", lengths=before)] * 3, "a")
    (shift,) = shifts(schema(LEGS), BatchStats(lengths=now), norms)
    assert (shift.limit, shift.failed) == (3.0, failed)


def test_a_batch_without_values_has_no_spread():
    assert spreads_of(FIELDS, [outcome({"price": "x", "title": None})]) == ({}, {})


def even(middle: float, seen: int = 100, width: float = 0.2) -> Spread:
    step = width / 10
    return Spread(
        seen=seen, deciles=tuple(middle + (at - 5) * step for at in range(11))
    )


def shift_of(
    now: Spread, before: Spread, field: str = "weight", batch: str = "a"
) -> list[Shift]:
    history = [BatchStats(batch="a", numbers={field: before})] * 3
    stats = BatchStats(numbers={field: now})
    return list(shifts(FIELDS, stats, Norms(history, batch)))


def test_the_shift_is_a_factor_and_its_standard_errors():
    (shift,) = shift_of(even(2.0), even(1.0))
    within = 1.2533 * 0.16 / 2.563 / 10
    assert shift.factor == pytest.approx(10)
    assert shift.z == pytest.approx(1 / (within**2 + 0.02**2) ** 0.5)
    assert (shift.limit, shift.own, shift.failed) == (3.0, True, True)


def test_a_small_shift_is_none_however_sure():
    (shift,) = shift_of(even(1.4), even(1.0))
    assert shift.z > 6 and shift.factor < 3
    assert not shift.failed


def test_a_large_shift_of_scattered_values_is_none():
    (shift,) = shift_of(even(2.0, seen=10, width=6.0), even(1.0, width=6.0))
    assert shift.factor == pytest.approx(10) and shift.z < 6
    assert not shift.failed


def test_batches_that_differ_among_each_other_allow_for_more():
    history = [
        BatchStats(batch="a", numbers={"weight": even(middle)}) for middle in (0, 1, 2)
    ]
    stats = BatchStats(numbers={"weight": even(3.0)})
    (shift,) = shifts(FIELDS, stats, Norms(history, "a"))
    assert shift.factor == pytest.approx(100)
    assert shift.z == pytest.approx(2 / 1.4826, rel=0.01)


@pytest.mark.parametrize(
    ("field", "batch", "limit"),
    [
        ("weight", "a", 3.0),
        ("price", "a", 8.0),
        ("price", "b", 20.0),
        ("weight", "b", 20.0),
    ],
)
def test_volatile_fields_and_foreign_batches_may_move_more(field, batch, limit):
    (shift,) = shift_of(even(2.0), even(1.0), field, batch)
    assert (shift.limit, shift.own) == (limit, batch == "a")


def test_lengths_may_double():
    history = [BatchStats(lengths={"title": even(1.0)})]
    stats = BatchStats(lengths={"title": even(1.31)})
    (shift,) = shifts(FIELDS, stats, Norms(history))
    assert (shift.kind, shift.limit, shift.failed) == ("lengths", 2.0, True)


def test_few_values_or_a_short_past_have_no_shift():
    assert shift_of(even(2.0, seen=9), even(1.0)) == []
    assert shift_of(even(2.0), even(1.0, seen=3)) == []
    assert len(shift_of(even(2.0, seen=10), even(1.0, seen=4))) == 1


def test_the_edges_of_a_failure():
    fails = Shift("weight", "numbers", factor=3.0, limit=3.0, z=6.1)
    assert fails.failed
    assert not fails._replace(z=6.0).failed
    assert not fails._replace(factor=2.9).failed
