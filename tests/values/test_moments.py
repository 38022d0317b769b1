import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.moments import has_moment


@pytest.mark.parametrize(
    "text",
    [
        "18:00",
        "kl. 18.00",
        "Kl 18",
        "godz. 17:30",
        "20h30",
        "18.30 Uhr",
        "20 uur",
        "4 pm",
        "4 p.m. sharp",
        "18:00:30",
        "2 – 1 (18:00)",
        "12. June 2025, 11 230 visitors",
        "12.06.2025",
        "2025-06-12",
    ],
)
def test_a_day_or_a_time_is_a_moment(text: str) -> None:
    assert has_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "2 – 1",
        "3:2",
        "1:100",
        "2:75",
        "12.50 to 14.75",
        "4 people",
        "4 x 30 cm",
        "31 February 2025",
        "4 pmol",
        "1 hour",
        "",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    assert not has_moment(text)


@given(st.text(alphabet="345 –x;", max_size=40))
def test_numbers_alone_are_no_moment(text: str) -> None:
    assert not has_moment(text)
