"""Two fields of a record that stand in each other's place."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.traded import traded_places
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift.small import SKU, schema

LEAVES = FieldSpec(name="leaves", kind=FieldKind.DATETIME, volatile=True)
EXPECTED = FieldSpec(name="expected", kind=FieldKind.DATETIME, volatile=True)
VIEWS = FieldSpec(name="views", kind=FieldKind.INTEGER, volatile=True)
OFFERS = FieldSpec(name="offers", kind=FieldKind.INTEGER, volatile=True)
NOON = datetime(2026, 3, 1, 12)

Values = dict[str, Any]


def moments(day: int, late: int) -> Values:
    """A departure of a day and when it is expected, as they are stored."""
    leaves = NOON + timedelta(days=day)
    expected = leaves + timedelta(minutes=late)
    return {"leaves": leaves.isoformat(), "expected": expected.isoformat()}


def traded(*records: tuple[Values, Values], of: FieldSpec = LEAVES) -> int:
    """How many records show it of a field."""
    fields = schema(SKU, LEAVES, EXPECTED, VIEWS, OFFERS)
    pairs = [RecordPair(at, then, now) for at, (then, now) in enumerate(records)]
    return len(traded_places(of, fields, pairs))


def turned(record: Values) -> Values:
    one, other = record
    return {one: record[other], other: record[one]}


LATE = [10, 5, 25, 40, 15, 5, 10, 30, 20, 5]
HONEST = [(moments(0, late), moments(1, 50 - late)) for late in LATE]
SWAPPED = [(then, turned(now)) for then, now in HONEST]


def test_moments_that_moved_into_each_others_order() -> None:
    assert traded(*HONEST) == 0
    assert traded(*SWAPPED) == 10
    assert traded(*SWAPPED, of=EXPECTED) == 10


def test_equal_ones_say_nothing() -> None:
    on_time = [(moments(0, 0), moments(1, 0))] * 20
    assert traded(*on_time) == 0
    assert traded(*SWAPPED, *on_time) == 10


def test_few_or_single_ones_are_news() -> None:
    assert traded(*SWAPPED[:6], *HONEST) == 0
    assert traded(*SWAPPED[:4]) == 0


def test_no_law_no_sign() -> None:
    early = [(turned(then), now) for then, now in HONEST[:3]]
    assert traded(*SWAPPED[:7], *early) == 0


def test_one_that_stayed_was_passed_by_the_other() -> None:
    """What ends while the clock of the page goes on has traded nothing."""
    ended = [
        (then, then | {"leaves": (NOON + timedelta(days=3)).isoformat()})
        for then, _ in HONEST
    ]
    assert traded(*ended) == 0


@pytest.mark.parametrize(
    ("now", "count"),
    [
        ({"views": 12, "offers": 1_010}, 8),
        ({"views": 1_010, "offers": 12}, 0),
        # Offers that leapt over the views are no views.
        ({"views": 1_010, "offers": 9_000}, 0),
    ],
)
def test_numbers(now: Values, count: int) -> None:
    records = [({"views": 1_000 + at, "offers": 10}, now) for at in range(8)]
    assert traded(*records, of=VIEWS) == count


def test_what_is_no_value_of_its_kind() -> None:
    records = [({"views": "many", "offers": None}, {"views": 3, "offers": [4]})] * 9
    assert traded(*records, of=VIEWS) == 0


def test_few_that_tell_are_few_however_many_are_known() -> None:
    on_time = [(moments(0, late), moments(1, 0)) for late in LATE]
    assert traded(*SWAPPED[:4], *on_time) == 0
    assert traded(*SWAPPED[:5], *on_time) == 5


def test_moments_that_are_none() -> None:
    assert traded(*[({"leaves": "soon", "expected": "late"}, moments(0, 5))] * 9) == 0
