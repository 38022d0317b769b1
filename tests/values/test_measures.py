"""Numbers in other units than the one beside them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.measures import (
    UNITS,
    in_unit,
    is_in_parts,
    other_units,
    written_unit,
)
from crawloop_assets.values.parse import parse_value
from tests.values.page_texts import page_texts


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("650 m", "km", "0.65"),
        ("650m to the lake", "km", "0.65"),
        ("1.2 km", "m", "1200"),
        ("½ t", "kg", "500"),
        ("1.5 Stunden", "min", "90"),
        ("2 Jahre", "month", "24"),
        ("SSD 2: 1 TB", "gb", "1000"),
        ("1 TB", "gib", "1024"),
        ("512 GiB", "gib", "512"),
        ("€900k", "one", "900000"),
        ("€1.2m", "one", "1200000"),
        ("1.2M EUR", "one", "1200000"),
        ("3.5 Tsd. Kč", "one", "3500"),
        ("450 EUR", "one", "450"),
        ("450EUR", "one", "450"),
        ("€ 450", "one", "450"),
        ("17.7万円", "one", "177000"),
        ("賃料 8万円", "one", "80000"),
        ("1.5亿元", "one", "150000000"),
        ("3억원", "one", "300000000"),
        ("2億5000万円", "one", "250000000"),
        ("340 views", "one", "340"),
        ("1 h 59 min", "min", "119"),
        ("Wait: 2h 5min", "min", "125"),
        ("1 h 30 min", "h", "1.5"),
        ("By Ada · 1h45 · Drama", "min", "105"),
        ("3 ώρες 5 λεπτά", "min", "185"),
        ("2 kg 500 g", "g", "2500"),
        ("5 ft 11 inch", "inch", "71"),
    ],
)
def test_a_number_is_told_in_another_unit(text: str, unit: str, number: str) -> None:
    assert in_unit(text, unit) == Decimal(number)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("650", "km"),  # of what
        ("650 kg", "km"),
        ("1 h 90 min", "min"),  # no part is as much as one of the larger unit
        ("1h59min", "min"),
        ("59 min 1 h", "min"),
        ("1 h or 59 min", "min"),
        ("1 h 5 min to 2 h", "min"),
        ("3 km - 5 km", "m"),
        ("20 min", "h"),  # not exactly
        ("1 GiB", "gb"),
        ("12 € / kg", "g"),
        ("$1.2 billion", "one"),  # a thousand times as many in German
        ("3 mil", "one"),
        ("5万人", "one"),  # people, as of a text that counts things
        ("3kk", "one"),
        ("€900k (2 beds)", "one"),
        ("", "one"),
    ],
)
def test_what_may_be_another_number_is_refused(text: str, unit: str) -> None:
    assert in_unit(text, unit) is None


def test_the_mark_before_decimals_is_said() -> None:
    assert in_unit("1,250 kg", "g") == Decimal(1_250_000)
    assert in_unit("1,250 kg", "g", ",") == Decimal(1250)


def test_a_text_says_in_which_units_its_number_may_be_told() -> None:
    assert set(other_units("90 min")) == {"day", "h", "min", "one"}
    assert {"m", "km", "cm"} <= set(other_units("650 m"))
    assert list(other_units("none")) == []


def test_units_are_called_as_pages_call_them() -> None:
    assert (written_unit("gib"), written_unit("km")) == ("gb", "km")
    assert written_unit("one") == ""


@given(page_texts, st.sampled_from(sorted(UNITS)))
def test_any_text_is_told_or_refused(text: str, unit: str) -> None:
    told = in_unit(text, unit)
    assert told is None or told.is_finite()


@pytest.mark.parametrize(
    "text", ["1 h 59 min", "Wait: 1h59min", "2 kg 500 g", "2 hours 5 minutes"]
)
def test_neither_number_of_a_measure_in_two_parts_is_all_of_it(text: str) -> None:
    assert is_in_parts(text)
    for kind in (FieldKind.INTEGER, FieldKind.NUMBER):
        assert parse_value(text, FieldSpec(name="wait", kind=kind)) is None


@pytest.mark.parametrize(
    "text", ["512 GB 1 TB", "40 m 3 rooms", "10 min 10 min", "5 l 2 h", "3 of 9 seats"]
)
def test_two_numbers_that_are_no_one_measure_are_read_as_ever(text: str) -> None:
    assert not is_in_parts(text)
    assert parse_value(text, FieldSpec(name="wait", kind=FieldKind.INTEGER))
