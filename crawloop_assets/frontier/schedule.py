"""When a url is due again.

Pure: no clock, no store.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from crawloop_assets.family import Refresh

FIRST = timedelta(days=1)
ERROR_BASE = timedelta(minutes=5)


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
    interval = _clamp(previous if previous is not None else FIRST, refresh)
    if errors > 0:
        wait = min(
            ERROR_BASE * 2 ** min(errors - 1, 16), max(refresh.max_interval, ERROR_BASE)
        )
        return Due(now + wait, interval)
    if changed is not None and previous is not None:
        interval = _clamp(
            interval * (refresh.change_factor if changed else refresh.no_change_factor),
            refresh,
        )
    return Due(now + interval, interval)


def _clamp(interval: timedelta, refresh: Refresh) -> timedelta:
    return max(refresh.min_interval, min(interval, refresh.max_interval))
