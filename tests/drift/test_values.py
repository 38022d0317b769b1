"""Values as the checks compare them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.values import (
    as_items,
    as_measure,
    as_number,
    as_positive,
    value_shape,
)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("12.50", 12.5),
        (7, 7.0),
        ("-3", -3.0),
        (0, 0.0),
        (True, None),
        (None, None),
        ([1], None),
        ({}, None),
        ("", None),
        ("twelve", None),
        ("NaN", None),
        ("Infinity", None),
        ("1e999", None),
    ],
)
def test_a_number_is_finite_or_none(value, number):
    assert as_number(value) == number


@pytest.mark.parametrize(
    ("value", "number"), [("0.01", 0.01), (0, None), (-1, None), ("x", None)]
)
def test_a_positive_number_is_above_zero(value, number):
    assert as_positive(value) == number


def test_one_value_is_a_list_of_one():
    items = ["a", "b"]
    assert as_items(items) is items
    assert as_items("ab") == ["ab"]
    assert as_items(None) == [None]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("SKU-1024", "a-9"),
        ("Copper Kettle", "a a"),
        ("Copper Kettle No 7", "a a 9"),
        ("12.50", "9.9"),
        ("", ""),
        ("a1" * 20, "a9" * 12),
    ],
)
def test_the_shape_of_a_text(text, shape):
    assert value_shape(text) == shape


@given(st.text(max_size=60))
def test_a_shape_is_short_and_has_no_letters_but_a(text: str):
    shape = value_shape(text)
    assert len(shape) <= 24
    assert {char for char in shape if char.isalpha()} <= {"a"}


def test_a_day_is_a_measure_as_a_number_is() -> None:
    assert as_measure("2026-11-26") == as_measure("2026-11-25T10:00:00Z") + 1
    assert (as_measure("12.50"), as_measure(3)) == (12.5, 3.0)
    assert as_measure("Tea") is as_measure(None) is as_measure(["2026-11-26"]) is None
