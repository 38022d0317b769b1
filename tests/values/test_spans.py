from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.dates import parse_date
from crawloop_assets.values.spans import spelled_out

IN_JUNE = "2026-06-12 – 2026-06-14"


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("12–14 June 2026", IN_JUNE),
        ("12.–14. Juni 2026", IN_JUNE),
        ("12-14 June, 2026", IN_JUNE),
        ("12th to 14th June 2026", IN_JUNE),
        ("Fri 12th to Sun 14th June 2026", f"Fri {IN_JUNE}"),
        ("du 12 au 14 juin 2026", f"du {IN_JUNE}"),
        ("del 12 al 14 de junio de 2026", f"del {IN_JUNE}"),
        ("12 t/m 14 juni 2026", IN_JUNE),
        ("June 12–14, 2026, Leeds", f"{IN_JUNE}, Leeds"),
        ("28 May – 2 June 2026", "2026-05-28 – 2026-06-02"),
        ("May 28 – June 2, 2026", "2026-05-28 – 2026-06-02"),
        ("28 December – 2 January 2027", "2026-12-28 – 2027-01-02"),
        ("12.–14.06.2026", IN_JUNE),
        ("28.05.–02.06.2026", "2026-05-28 – 2026-06-02"),
        ("2026年6月12日〜14日", IN_JUNE),
    ],
)
def test_both_days_of_a_span_are_written_in_full(text: str, spelled: str) -> None:
    assert spelled_out(text) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12 June 2026",
        "12 June 2026 – 14 June 2026",
        "14–12 June 2026",
        "12–12 June 2026",
        "31–32 June 2026",
        "30 February – 2 March 2026",
        "Rooms 2-14 Junebug 2026",
        "1.5-14 June 2026",
        "10.12.–14.13.2026",
        "June 2026",
    ],
)
def test_what_is_no_span_stays_as_it_is(text: str) -> None:
    assert spelled_out(text) == text


@given(
    st.dates(min_value=date(1950, 1, 1), max_value=date(2080, 1, 1)),
    st.integers(min_value=1, max_value=40),
)
def test_a_span_says_both_days_and_its_last_one_as_before(
    day: date, length: int
) -> None:
    last = day + timedelta(days=length)
    text = f"{day:%d %B} – {last:%d %B %Y}"
    spelled = spelled_out(text)
    assert parse_date(spelled, index=0) == day
    assert parse_date(spelled, index=-1) == parse_date(text) == last
