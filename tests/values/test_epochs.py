"""Moments as numbers."""

from datetime import UTC, datetime

import pytest

from crawloop_assets.values.epochs import counted_moment


@pytest.mark.parametrize(
    "text", ["1772346147", "1772346147000", "1772346147999", " 1772346147 "]
)
def test_seconds_and_milliseconds_are_a_moment(text: str) -> None:
    assert counted_moment(text) == datetime(2026, 3, 1, 6, 22, 27, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "772346147",
        "17723461470",
        "1772346147 reads",
        "since 1772346147",
        "1772346147.5",
        "-1772346147",
        "0306406152",
        "4102444800",
        "9999999999999",
        "١٧٧٢٣٤٦١٤٧",
        "2026-03-01",
    ],
)
def test_what_is_no_such_number_is_none(text: str) -> None:
    assert counted_moment(text) is None


def test_they_are_of_this_century() -> None:
    assert counted_moment("1000000000") == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    assert counted_moment("4102444799") == datetime(
        2099, 12, 31, 23, 59, 59, tzinfo=UTC
    )
