"""Pages that say that they are gone: when that is believed, and their rows leave.

One of many that answers 404 is gone at once, as is each that answers 410, whether the
others can be read or not: that a site was redesigned brings back no page. A site that
answers 404 for most of its pages may have a fault, or other addresses: their rows stay,
stale, and leave if it lasts. So do those of pages that say it without such a status: many
shops lead to their front page from a thing that they no longer have, or show a page that
says so with status 200.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from operator import attrgetter

from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading

_SAY_GONE = frozenset((Verdict.SOFT_404, Verdict.HOME_REDIRECT))
_NOT_FOUND = frozenset((Verdict.GONE, Verdict.NOT_FOUND))
_SHOWN = (Verdict.OK, Verdict.DRIFT)


def not_gone_at_once(readings: list[Reading], known: Collection[str]) -> list[Reading]:
    """The readings of a batch; where more pages that have rows (urls of `known`) answer 404
    than show a page of the family, those are not found, which may pass."""
    lost = [one for one in readings if one.url in known and _is_not_found(one)]
    shown = sum(one.verdict in _SHOWN for one in readings)
    if len(lost) <= shown:
        return readings
    why = f"status 404, as {len(lost)} of {len(lost) + shown} pages"
    urls = set(map(attrgetter("url"), lost))
    return [
        replace(one, verdict=Verdict.NOT_FOUND, reason=why) if one.url in urls else one
        for one in readings
    ]


def gone_by_now(
    readings: list[Reading],
    stale_since: Mapping[str, datetime],
    after: timedelta | None,
) -> list[Reading]:
    """The readings of a batch, those as gone whose rows are stale for so long (by url
    `stale_since`) and that say it at two refreshes in a row; without the status that says
    so, if as many others are read. None for `after` means never."""
    if after is None:
        return readings
    latest = datetime.now(UTC) - after
    old = {url: since for url, since in stale_since.items() if since <= latest}
    leave = {one.url for one in readings if _says_again(one, _SAY_GONE)} & old.keys()
    if len(leave) > sum(map(attrgetter("good"), readings)):
        leave = set()
    not_found = {one.url for one in readings if _says_again(one, _NOT_FOUND)}
    leave |= not_found & old.keys()
    return [_gone(one, old[one.url]) if one.url in leave else one for one in readings]


def _is_not_found(reading: Reading) -> bool:
    """Whether the site answered that there is no such page, and not that it took it away."""
    fetched = reading.visit.fetched
    if fetched is None or reading.verdict is not Verdict.GONE:
        return False
    return fetched.status == HTTPStatus.NOT_FOUND


def _says_again(reading: Reading, gone: frozenset[Verdict]) -> bool:
    """Whether a page that was asked for now says again that it is gone."""
    visit = reading.visit
    return visit.fetched is not None and {reading.verdict, visit.url.verdict} <= gone


def _gone(reading: Reading, since: datetime) -> Reading:
    """The reading of a page that is gone, with the reason why."""
    why = f"{reading.reason}; its rows are stale since {since:%Y-%m-%d}"
    return replace(reading, verdict=Verdict.GONE, reason=why, findings=())
