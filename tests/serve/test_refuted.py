"""What known values spoke against is not believed for being said again."""

from typing import Any

import pytest

from crawloop_assets.drift.check import CheckName
from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.refuted import still_refuted
from crawloop_assets.store.past import RefutedField
from tests.serve.readings import FAMILY, reading_of, visit_of

PRICE = RefutedField("price", 3)
PAGES = 10


def read(number: int, known: str | None, price: str, **changes: Any) -> Reading:
    """A page of which a price was known and another one, or the same, is read."""
    values = {"url": str(number), "title": "Tea", "price": price}
    before = {"url": str(number), "title": "Tea", "price": known}
    return reading_of(visit_of(number), values=(values,), previous=(before,), **changes)


def net(**changes: Any) -> list[Reading]:
    """Pages of which another amount is read than the known one."""
    return [
        read(at, f"{at + 1}1.90", f"{at + 1}0.00", **changes) for at in range(PAGES)
    ]


def test_the_same_version_is_held_whatever_the_bytes_are() -> None:
    held = still_refuted(net(), [PRICE], FAMILY)
    assert {one.verdict for one in held} == {Verdict.DRIFT}
    (found,) = held[0].findings
    assert (found.check, found.field) == (CheckName.CONTRADICTION, "price")
    assert (found.expected, found.got) == ("11.90", "10.00")


@pytest.mark.parametrize(
    "readings",
    [
        net(version=4),
        net(verdict=Verdict.CONSENT),
        [read(at, None, "10.00") for at in range(PAGES)],
        [*net()[2:], read(20, "5.00", "5.00"), read(21, "6.00", "6.00")],
    ],
    ids=["another version", "no page of it", "nothing known", "read again"],
)
def test_it_falls_to_another_version_and_to_known_values(
    readings: list[Reading],
) -> None:
    assert still_refuted(readings, [PRICE], FAMILY) == readings


def test_one_known_value_that_is_met_by_chance_is_not_enough() -> None:
    readings = [*net(), read(20, "5.00", "5.00")]
    held = still_refuted(readings, [PRICE], FAMILY)
    assert [one.good for one in held] == [*[False] * PAGES, True]


def test_a_field_that_the_schema_has_no_more_is_forgotten() -> None:
    gone = RefutedField("weight", 3)
    assert still_refuted(net(), [gone], FAMILY) == net()
