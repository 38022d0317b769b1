"""Pages that have said for days that they are gone, without the status that says so: many
shops lead to their front page from a thing that they no longer have, or show a page that
says so with status 200. Their rows leave as those of a 404 do.

A site that answers so for most pages has a fault, and a page that says so once may as well.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading

_SAY_GONE = frozenset((Verdict.SOFT_404, Verdict.HOME_REDIRECT))


def gone_by_now(
    readings: list[Reading],
    stale_since: Mapping[str, datetime],
    after: timedelta | None,
) -> list[Reading]:
    """The readings of a batch, those as gone whose rows are stale for so long (by url
    `stale_since`) and that say it at two refreshes in a row, if as many others are read;
    None for `after` means never."""
    if after is None:
        return readings
    latest = datetime.now(UTC) - after
    old = {url: since for url, since in stale_since.items() if since <= latest}
    leave = set(map(attrgetter("url"), filter(_says_again, readings))) & old.keys()
    if len(leave) > sum(map(attrgetter("good"), readings)):
        return readings
    return [_gone(one, old[one.url]) if one.url in leave else one for one in readings]


def _says_again(reading: Reading) -> bool:
    """Whether a page that was asked for now says again that it is gone."""
    visit = reading.visit
    return (
        visit.fetched is not None and {reading.verdict, visit.url.verdict} <= _SAY_GONE
    )


def _gone(reading: Reading, since: datetime) -> Reading:
    """The reading of a page that is gone, with the reason why."""
    why = f"{reading.reason}; its rows are stale since {since:%Y-%m-%d}"
    return replace(reading, verdict=Verdict.GONE, reason=why, findings=())
