"""What an older version reads of a field that the newest one was proved to miss."""

from typing import Any

import pytest

from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.unproved import without_unproved
from tests.serve.readings import finding, reading_of, visit_of

FAMILY = Family.model_validate(
    {"family": "town/good", "schema": "tests.heal.town:Good", "discover": {}}
)
NEWEST, OLDER = 3, 1


def read(at: int, version: int, stock: str | None, *, known: Any = None) -> Reading:
    values = {"title": f"Lamp {at}", "price": "3.50", "stock": stock}
    before = ({**values, "stock": known},) if known else ()
    return reading_of(visit_of(at), version=version, values=(values,), previous=before)


def chosen(*tried: list[Reading]) -> list[list[int | None]]:
    """The versions of each page that may be chosen, where the newest misses the
    stock."""
    stock = [spec for spec in FAMILY.schema_spec().fields if spec.name == "stock"]
    return _versions(tried, stock)


def _versions(
    tried: tuple[list[Reading], ...], missed: list[FieldSpec]
) -> list[list[int | None]]:
    believed = without_unproved(tried, missed, ())
    return [[one.version for one in readings] for readings in believed]


def page(at: int, stock: str, known: Any = None) -> list[Reading]:
    return [read(at, NEWEST, None, known=known), read(at, OLDER, stock, known=known)]


def test_of_a_new_page_it_is_not_believed_where_it_reads_known_ones_otherwise() -> None:
    assert chosen(page(1, "5"), page(2, "5", known="12")) == [
        [NEWEST],
        [NEWEST, OLDER],
    ]


def test_nor_where_no_known_one_is_on_any_page() -> None:
    assert chosen(page(1, "5")) == [[NEWEST]]


def test_it_is_believed_where_it_reads_known_ones_again() -> None:
    assert chosen(page(1, "5"), page(2, "12", known="12"))[0] == [NEWEST, OLDER]


def test_it_is_believed_where_it_reads_nothing_of_the_field() -> None:
    silent = [read(1, NEWEST, None), read(1, OLDER, None)]
    assert chosen(silent) == [[NEWEST, OLDER]]


def test_it_is_all_there_is_of_a_page_that_the_newest_does_not_read() -> None:
    held = reading_of(visit_of(1), version=NEWEST, findings=(finding(),))
    assert chosen([held, read(1, OLDER, "5")]) == [[NEWEST, OLDER]]


@pytest.mark.parametrize("known", [None, "12"])
def test_where_nothing_is_missed_all_may_be_chosen(known: Any) -> None:
    assert _versions((page(1, "5", known=known),), []) == [[NEWEST, OLDER]]
