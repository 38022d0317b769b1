"""Moments on the clocks of the pages."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.zones import in_zone, load_zones, time_zone

ZONES = st.sampled_from(
    ["Europe/Madrid", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "UTC"]
)
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1))


@given(MOMENTS, ZONES)
def test_a_time_without_a_zone_was_read_from_a_clock_of_the_zone(
    said: datetime, zone: str
) -> None:
    moment = in_zone(said, zone)
    assert moment.replace(tzinfo=None) == said
    assert moment.utcoffset() == ZoneInfo(zone).utcoffset(said)


@given(MOMENTS, ZONES, st.integers(-12, 14))
def test_a_moment_stays_the_one_it_was(said: datetime, zone: str, hours: int) -> None:
    aware = (said - timedelta(hours=hours)).replace(tzinfo=UTC)
    moment = in_zone(aware, zone)
    assert moment.astimezone(UTC) == aware
    assert in_zone(moment, zone) == moment


def test_summer_and_winter_have_hours_of_their_own() -> None:
    summer, winter = datetime(2026, 7, 1, 12), datetime(2026, 1, 1, 12)
    hours = [
        in_zone(at, "Europe/Madrid").astimezone(UTC).hour for at in (summer, winter)
    ]
    assert hours == [10, 11]


def test_where_no_zone_is_known_nothing_is_said() -> None:
    said = datetime(2026, 7, 1, 12)
    assert in_zone(said, "") is said


@pytest.mark.parametrize("end", [datetime.min, datetime.max])
def test_the_ends_of_the_calendar_stay_as_they_are(end: datetime) -> None:
    aware = end.replace(tzinfo=UTC)
    zones = ("America/New_York", "Pacific/Auckland")
    assert {in_zone(aware, zone).replace(tzinfo=None) for zone in zones} >= {end}


@pytest.mark.parametrize(
    "name", ["Europe/Madrit", "CEST", "../etc/passwd", "europe/madrid"]
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="such as Europe/Madrid"):
        time_zone(name)


def test_a_time_zone_is_its_name() -> None:
    assert time_zone("Asia/Kolkata") == "Asia/Kolkata"
    assert time_zone("") == ""


def test_all_of_them_can_be_loaded() -> None:
    load_zones()
    assert in_zone(datetime(2026, 1, 1), "Asia/Kolkata").utcoffset() == timedelta(
        hours=5.5
    )
