"""Durations in texts, as whole minutes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.durations import has_unit, parse_minutes


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
        ("1/٠ hour", None),
        ("PT1.2.3H", None),
        ("1.2.3 h", None),
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
        ("1 ώρα & 15 λεπτά", 75),
        ("ещё 1 час и 20 мин", 80),
        ("約20分鐘左右", None),
        ("約 20 分鐘", 20),
        ("yaklaşık 2 saat", 120),
        ("1:30", 90),
        ("1:35 h", 95),
        ("0:50 Std.", 50),
        ("12:07 hours", 727),
        ("3:45 min", 3),  # seconds do not count
        ("1:35:10 h", 95),
        ("12:05 left", 725),
        ("1:30:00", 90),
        ("2026-05-01T12:30:00", None),
        ("1:30:00:00", None),
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
