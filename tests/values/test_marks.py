"""What texts tell of their notation, and which of them can be read in two ways."""

import pytest

from crawloop_assets.values.marks import (
    date_order,
    decimal_point,
    has_open_order,
    has_open_point,
    telling,
)


def test_texts_agree_on_a_point_and_an_order() -> None:
    assert decimal_point(["12,50 €", "1.299,00"]) == ","
    assert decimal_point(["12,50 €", "12.50 €", "1,00 €"]) == ""
    assert decimal_point(["12,50 €"]) == ""
    assert date_order(["25/04/2021", "26/04/2021"]) == "DMY"
    assert date_order(["25/04/2021", "04/26/2021"]) == ""
    assert date_order(["04/25/2021", "03/04/2021", "04/26/21"]) == "MDY"


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("1.234 kg", True),
        ("1,234", True),
        ("12.50", False),
        ("0.234", False),
        ("1.234,50", False),
        ("1.234.567", False),
        ("v1.2345", False),
    ],
)
def test_a_thousand_or_a_fraction_is_open(text: str, is_open: bool) -> None:
    assert has_open_point(text) is is_open


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("03/04/2021", True),
        ("04/04/2021", False),
        ("25/04/2021", False),
        ("4 March 2021", False),
    ],
)
def test_a_day_and_a_month_that_may_change_places_are_open(
    text: str, is_open: bool
) -> None:
    assert has_open_order(text) is is_open


def test_short_texts_with_a_digit_tell() -> None:
    assert telling(["12,50 €", "no digit", "1 " * 100]) == ["12,50 €"]
