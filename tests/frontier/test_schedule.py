"""When a url is due again."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.family import Refresh
from crawloop_assets.frontier.schedule import next_due

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_the_interval_adapts_and_stays_within_bounds_both_ways() -> None:
    refresh = Refresh(min_interval=SECOND, max_interval=7 * SECOND)
    interval, seen = SECOND, []
    for changed in (False, False, True, False, False, False, False):
        due = next_due(changed, interval, refresh, NOW)
        assert due.at == NOW + due.interval
        interval = due.interval
        seen.append(interval / SECOND)
    assert seen == [2, 4, 1, 2, 4, 7, 7]


def test_a_first_fetch_starts_with_a_day_within_bounds() -> None:
    assert next_due(None, None, Refresh(), NOW).interval == timedelta(days=1)
    assert next_due(
        None, None, Refresh(max_interval=timedelta(hours=2)), NOW
    ).interval == timedelta(hours=2)
    assert next_due(True, None, Refresh(), NOW).interval == timedelta(days=1)


def test_errors_back_off_by_themselves() -> None:
    refresh, interval = Refresh(), timedelta(hours=8)
    dues = [next_due(None, interval, refresh, NOW, errors) for errors in range(1, 40)]
    assert {due.interval for due in dues} == {interval}
    assert dues[0].at - NOW == timedelta(minutes=5)
    assert all(later.at >= sooner.at for sooner, later in pairwise(dues))
    assert dues[-1].at - NOW == refresh.max_interval


@given(
    st.sampled_from([True, False, None]),
    st.none() | st.timedeltas(timedelta(0), timedelta(days=400)),
    st.integers(0, 100),
)
def test_always_within_bounds(
    changed: bool | None, previous: timedelta | None, errors: int
) -> None:
    refresh = Refresh()
    due = next_due(changed, previous, refresh, NOW, errors)
    assert refresh.min_interval <= due.interval <= refresh.max_interval
    assert NOW < due.at <= NOW + refresh.max_interval
