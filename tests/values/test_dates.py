"""Absolute dates in texts, with their times."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.dates import (
    Dated,
    dates,
    is_clock,
    is_day,
    parse_date,
    parse_datetime,
)

DAY = date(2021, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "2021-03-04",
        "2021/3/4",
        "2021.03.04",
        "20210304",
        "20210304T101500",
        "04.03.2021",
        "4.3.21",
        "March 4, 2021",
        "Mar 4 2021",
        "march 4th 2021",
        "4 March 2021",
        "4th of March 2021",
        "4th day of March, 2021",
        "4. März 2021",
        "4 de marzo de 2021",
        "1er mars 2021 ... 4 mars 2021",
        "4 марта 2021",
        "4 मार्च 2021",
        "4 மார்ச், 2021",
        "2021年3月4日",
        "2021년 3월 4일",
        "on 4-Mar-2021.",
    ],
)
def test_dates_are_read_as_people_write_them(text: str) -> None:
    assert parse_date(text, index=-1) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "31 February 2021",
        "2021-13-04",
        "4 Smarch 2021",
        "20211304",
        "13.13.2021",
        "1234567890",
        "2026.10.2026",
        "Fan8326.10.2026, 09:16",
        "",
    ],
)
def test_what_is_no_day_is_none(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("03/04/2021", None, date(2021, 3, 4)),
        ("03/04/2021", "MDY", date(2021, 3, 4)),
        ("03/04/2021", "DMY", date(2021, 4, 3)),
        ("03/04/2021", "YMD", date(2021, 3, 4)),
        ("03.04.2021", None, date(2021, 4, 3)),
        ("03.04.2021", "MDY", date(2021, 3, 4)),
        ("12/04/2021", None, date(2021, 12, 4)),
        ("13/04/2021", None, date(2021, 4, 13)),
        ("25/04/2021", "MDY", date(2021, 4, 25)),
        ("04/25/2021", "DMY", date(2021, 4, 25)),
        ("12.12.2021", "DMY", date(2021, 12, 12)),
        ("21/04/03", "YMD", date(2021, 4, 3)),
        ("71/04/03", "YMD", date(1971, 4, 3)),
        ("3/4/69", None, date(2069, 3, 4)),
        ("3/4/70", None, date(1970, 3, 4)),
    ],
)
def test_the_order_of_an_ambiguous_date_is_declared_or_guessed(
    text: str, order: str | None, day: date
) -> None:
    assert parse_date(text, order) == day


def test_dates_are_counted_from_both_ends() -> None:
    text = "from 2021-03-04 to 2021-03-05"
    assert list(dates(text)) == [
        Dated(date(2021, 3, 4), 5, 15),
        Dated(date(2021, 3, 5), 19, 29),
    ]
    days = [parse_date(text, index=index) for index in (-3, -2, -1, 0, 1, 2)]
    first, last = date(2021, 3, 4), date(2021, 3, 5)
    assert days == [None, first, last, first, last, None]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2021-03-04", datetime(2021, 3, 4)),
        ("2021-03-04T10:15:20", datetime(2021, 3, 4, 10, 15, 20)),
        ("2021-03-04T10:15:20.123Z", datetime(2021, 3, 4, 10, 15, 20, tzinfo=UTC)),
        ("2021-03-04 10:15 GMT", datetime(2021, 3, 4, 10, 15, tzinfo=UTC)),
        ("10.15, 4 March 2021", datetime(2021, 3, 4, 10, 15)),
        ("March 4, 2021 4:05 pm", datetime(2021, 3, 4, 16, 5)),
        ("March 4, 2021, 4 p.m.", datetime(2021, 3, 4, 16)),
        ("March 4, 2021 12:05 pm", datetime(2021, 3, 4, 12, 5)),
        ("4 de marzo de 2021, 4:05 p. m.", datetime(2021, 3, 4, 16, 5)),
        ("4 de marzo de 2021, 4:05 a más", datetime(2021, 3, 4, 4, 5)),
        ("4 Μαρτίου 2021 12:05 π.μ.", datetime(2021, 3, 4, 0, 5)),
        ("4 Μαρτίου 2021 4:05 μ.μ.", datetime(2021, 3, 4, 16, 5)),
        ("4 مارس 2021 4:05 م", datetime(2021, 3, 4, 16, 5)),
        ("4 مارس 2021 4:05 ص", datetime(2021, 3, 4, 4, 5)),
        ("2021年3月4日 16時05分", datetime(2021, 3, 4, 16, 5)),
        ("2021年3月4日 午後4時半", datetime(2021, 3, 4, 16, 30)),
        ("2021年3月4日 下午4点", datetime(2021, 3, 4, 16)),
        ("2021. 3. 4. 오후 4:05", datetime(2021, 3, 4, 16, 5)),
        ("2021년 3월 4일 오전 12시 5분", datetime(2021, 3, 4, 0, 5)),
        ("March 4, 2021 12:05 am", datetime(2021, 3, 4, 0, 5)),
        ("March 4, 2021 11:05 am", datetime(2021, 3, 4, 11, 5)),
        ("4 mars 2021 à 20h", datetime(2021, 3, 4, 20)),
        ("4 mars 2021 à 20h, durée 1h30", datetime(2021, 3, 4, 20)),
        ("4 mars 2021, 20 h 30 (Paris)", datetime(2021, 3, 4, 20, 30)),
        ("4 mars 2021, 20 h 12 €", datetime(2021, 3, 4, 20)),
        ("4 mars 2021 à 20 heures 05", datetime(2021, 3, 4, 20, 5)),
        ("4 maart 2021, 20u30", datetime(2021, 3, 4, 20, 30)),
        ("4. März 2021, 20 Uhr", datetime(2021, 3, 4, 20)),
        ("4 de marzo de 2021 a las 20 horas", datetime(2021, 3, 4, 20)),
        ("4. mars 2021 kl. 20", datetime(2021, 3, 4, 20)),
        ("4. mars 2021 kl. 20.15", datetime(2021, 3, 4, 20, 15)),
        ("4 marzo 2021 ore 20,15", datetime(2021, 3, 4, 20, 15)),
        ("4 марта 2021, в 20 часов", datetime(2021, 3, 4, 20)),
        ("2021年3月4日(木) 18：30開演", datetime(2021, 3, 4, 18, 30)),
        ("March 4, 2021 (3 hours ago)", datetime(2021, 3, 4)),
        ("4 mars 2021 (48 h)", datetime(2021, 3, 4)),
        ("March 4, 2021 23:59", datetime(2021, 3, 4, 23, 59)),
        ("March 4, 2021 24:10", datetime(2021, 3, 4)),
        ("March 4, 2021 10:60", datetime(2021, 3, 4)),
    ],
)
def test_the_time_beside_a_date_is_its_time(text: str, moment: datetime) -> None:
    assert parse_datetime(text) == moment


@pytest.mark.parametrize(
    ("zone", "minutes"), [("+02:00", 120), ("-0330", -210), ("+00:00", 0)]
)
def test_offsets_are_kept(zone: str, minutes: int) -> None:
    expected = timezone(timedelta(minutes=minutes))
    moment = parse_datetime(f"2021-03-04T10:00:00{zone}")
    assert moment == datetime(2021, 3, 4, 10, tzinfo=expected)


def test_a_time_belongs_to_the_date_before_it() -> None:
    text = "2021-03-04 10:00 to 2021-03-05 11:00"
    assert parse_datetime(text, index=0) == datetime(2021, 3, 4, 10)
    assert parse_datetime(text, index=1) == datetime(2021, 3, 5, 11)
    assert parse_datetime(text, index=-2) == datetime(2021, 3, 4, 10)
    assert parse_datetime(text, index=-1) == datetime(2021, 3, 5, 11)
    assert parse_datetime(text, index=2) is parse_datetime(text, index=-3) is None


@given(
    st.dates(date(1971, 1, 1), date(2068, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%Y%m%d", "%Y年%m月%d日"]),
    st.sampled_from(["", "Published: ", "on "]),
)
def test_a_written_date_is_read_back(day: date, form: str, before: str) -> None:
    assert parse_date(before + day.strftime(form)) == day


@given(st.dates(date(1971, 1, 1), date(2068, 12, 31)), st.sampled_from(["DMY", "MDY"]))
def test_a_date_of_numbers_is_read_back_in_its_order(day: date, order: str) -> None:
    form = "%d/%m/%Y" if order == "DMY" else "%m/%d/%Y"
    assert parse_date(day.strftime(form), order) == day
    short = form.replace("%Y", "%y")
    assert parse_date(day.strftime(short), order) == day


@pytest.mark.parametrize(
    ("text", "clock", "day"),
    [
        ("14:30", True, False),
        ("8.15 ", True, False),
        ("4 pm", True, False),
        ("20h", True, False),
        ("kl. 20", True, False),
        ("25:10", False, False),
        ("14:30 to 16:00", False, False),
        ("06.03.2026", False, True),
        ("on 6 March 2026", False, True),
        ("06.03.2026 14:30", False, False),
        ("06.03.2026 - 08.03.2026", False, False),
        ("", False, False),
    ],
)
def test_a_time_and_a_day_by_themselves(text: str, clock: bool, day: bool) -> None:
    assert is_clock(text) is clock
    assert is_day(text) is day
