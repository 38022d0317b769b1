"""When a url is due again.

Pure: no clock, no store.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from crawloop_assets.family import Refresh

# The interval of a page of which nothing is known yet.
_FIRST = timedelta(days=1)
_ERROR_BASE = timedelta(minutes=5)
_MAX_DOUBLINGS = 16  # half a year, and no number grows without end


@dataclass(frozen=True)
class Due:
    """`at` is when to fetch again; `interval` is what the next call gets as
    `previous`."""

    at: datetime
    interval: timedelta


def next_due(
    changed: bool | None,
    previous: timedelta | None,
    refresh: Refresh,
    now: datetime,
    errors: int = 0,
) -> Due:
    """The next fetch after one that found the page changed, unchanged or, with None,
    nothing to compare with.

    The interval shrinks by `change_factor` and grows by `no_change_factor`, always
    within [min, max]. `errors` > 0 (so many in a row) means the fetch failed: it is
    tried again after 5 minutes x 2^n, at most the family's longest interval, and the
    interval itself stays what it was.
    """
    interval = _clamp(_FIRST if previous is None else previous, refresh)
    if errors > 0:
        return Due(now + _back_off(errors, refresh), interval)
    if changed is not None and previous is not None:
        factor = refresh.change_factor if changed else refresh.no_change_factor
        interval = _clamp(interval * factor, refresh)
    return Due(now + interval, interval)


def _back_off(errors: int, refresh: Refresh) -> timedelta:
    """How long to wait after so many errors in a row."""
    longest = max(refresh.max_interval, _ERROR_BASE)
    wait = _ERROR_BASE * (1 << min(errors - 1, _MAX_DOUBLINGS))
    return min(wait, longest)


def _clamp(interval: timedelta, refresh: Refresh) -> timedelta:
    """The interval within the family's bounds."""
    return max(refresh.min_interval, min(interval, refresh.max_interval))
