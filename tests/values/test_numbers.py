"""Numbers in texts: looking only near digits finds what looking everywhere finds."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.numbers import (
    Number,
    has_unit,
    numbers,
    parse_minutes,
    parse_number,
    plain,
)

PARTS = st.lists(
    st.sampled_from(["1", "23", "456", "٣", ".", ",", " ", "-", "−", "$", "€", "EUR", "kr", "a", "x", "'"]),
    max_size=24,
)  # fmt: skip


@given(PARTS, st.integers(0, 40))
def test_a_number_is_found_however_much_prose_is_before_it(
    parts: list[str], words: int
) -> None:
    text = "".join(parts)
    prose = "plum " * words
    alone = [(one.value, one.start, one.end) for one in numbers(text)]
    behind = [
        (one.value, one.start - len(prose), one.end - len(prose))
        for one in numbers(prose + text)
    ]
    assert behind == alone


def test_a_currency_a_sign_and_a_point_may_stand_before_the_digits() -> None:
    assert [
        str(one.value)
        for one in numbers("It was - EUR .5, now it is 1 234,50 kr and - USD 7.")
    ] == [
        "-0.5",
        "1234.50",
        "-7",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.50", "1234.50"),
        ("1.234,50", "1234.50"),
        ("1 234,50", "1234.50"),
        ("1’234.50", "1234.50"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234", "1234"),
        ("1,234", "1234"),
        ("0.234", "0.234"),
        ("0,234", "0.234"),
        (".234", "0.234"),
        ("12.5", "12.5"),
        ("1234.567", "1234.567"),
        ("1½", "1.5"),
        ("¾ cup", "0.75"),
        ("CHF 5", "5"),
        ("€5", "5"),
        ("٣", "3"),
        ("−3", "-3"),
        ("-3", "-3"),
        ("+3", "3"),
        ("-5cm", "5"),
        ("none", None),
        ("", None),
        ("A4", None),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: str | None) -> None:
    expected = None if value is None else Decimal(value)
    assert parse_number(text) == expected


def test_the_point_may_be_named() -> None:
    assert parse_number("1.234", decimal=".") == Decimal("1.234")
    assert parse_number("1.234", decimal=",") == 1234
    assert parse_number("1,5", decimal=".") == 15
    assert parse_number("1.234.567", decimal=".") is None


def test_numbers_are_counted_from_both_ends() -> None:
    values = [parse_number("1 of 2", index) for index in (-3, -2, -1, 0, 1, 2)]
    assert values == [None, 1, 2, 1, 2, None]


def test_positions_are_those_of_the_digits() -> None:
    assert list(numbers("from -5 to $1,000.")) == [
        Number(Decimal(-5), 6, 7),
        Number(Decimal(1000), 12, 17),
    ]


def test_what_a_machine_wrote_reads_back_as_itself() -> None:
    assert plain(" 4.333 ") == "4.3330"
    assert plain("-4.333") == "-4.3330"
    for text in ("4.33", "4.3333", "4,333", "a 4.333", "4.333.333"):
        assert plain(text) == text


@given(st.decimals(-10000, 10000, places=3))
def test_a_decimal_survives_plain(number: Decimal) -> None:
    assert parse_number(plain(f"{number:f}")) == number


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("PT1H30M", 90),
        ("pt45m", 45),
        ("P1DT2H", 1560),
        ("P1W", 10080),
        ("PT1.5H", 90),
        ("PT0,5H", 30),
        ("PT90S", 1),
        ("-PT5M", 5),
        ("1 hr 30 mins", 90),
        ("1 hour and 30 minutes", 90),
        ("1h30", 90),
        ("1 H 05", 65),
        ("1½ hours", 90),
        ("1 1/2 hours", 90),
        ("3/4 hour", 45),
        ("1/0 hour", None),
        ("½ hour", 30),
        ("30-40 minutes", 40),
        ("30 to 40 minutes", 40),
        ("2 days", 2880),
        ("1 day 2 hours 3 minutes", 1563),
        ("10 min, then 20 min", 10),
        ("10 min, then 1 hour", 10),
        ("30 seconds", 0),
        ("1 Std. 20 Min.", 80),
        ("20分", 20),
        ("1:30", 90),
        ("12:05 left", 725),
        ("1:30:00", None),
        ("45", 45),
        (" 45 ", 45),
        ("99999", 99999),
        ("123456", None),
        ("4 steps", None),
        ("P", None),
        ("PT", None),
        ("", None),
    ],
)
def test_durations_are_whole_minutes(text: str, minutes: int | None) -> None:
    assert parse_minutes(text) == minutes


@pytest.mark.parametrize(
    ("text", "has"),
    [("PT5M", True), ("5 Min.", True), ("5", False), ("5 cm", False), ("1:30", False)],
)
def test_a_unit_says_that_a_text_is_a_duration(text: str, has: bool) -> None:
    assert has_unit(text) is has


@given(st.integers(0, 23), st.integers(0, 59))
def test_one_duration_however_it_is_written(hours: int, minutes: int) -> None:
    total = 60 * hours + minutes
    for text in (
        f"PT{hours}H{minutes}M",
        f"{hours} hours {minutes} minutes",
        f"{hours}h{minutes:02}",
        f"{hours}:{minutes:02}",
        str(total),
    ):
        assert parse_minutes(text) == total
