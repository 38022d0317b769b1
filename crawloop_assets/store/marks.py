"""What rows say of themselves: why they are stale, and which of their values are older
than they are."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from crawloop_assets.store.identity import KeyedRow
from crawloop_assets.store.models import BatchCommit
from crawloop_assets.store.states import ServedBy

_MISSED = "its page does not show it"
STALE = (
    "_stale_since = coalesce(_stale_since, ?), _stale_why = "
    f"coalesce((?::varchar[])[list_position(?::varchar[], _url)], '{_MISSED}')"
)
"""Marks rows stale, given `stale_marks`."""
LEAVING = f"(_misses > 0 and _stale_why = '{_MISSED}')"
"""Rows that their page, a list, did not show when it was read last: they go after the
third time."""

_WHY = {ServedBy.LAST_GOOD: "neither a version nor a model could read its page"}
_OF_AGE = frozenset(("_verified_at", "_stale_since"))


def kept_since(
    row: KeyedRow, before: Mapping[str, Any], moment: datetime
) -> dict[str, datetime | None]:
    """When the known values that a row keeps were last found on their page, given the
    row as it was `before`: no later than it says if it kept them already, and never if
    there was neither a row nor is there a value."""
    found = dict.fromkeys(row.kept, before.get("_verified_at", moment))
    if not before:
        return found | {name: None for name in found if row.values[name] is None}
    earlier = before.get("_kept") or {}
    return found | {name: earlier[name] for name in found.keys() & earlier.keys()}


def marks_of_age(row: KeyedRow, before: Mapping[str, Any]) -> dict[str, Any]:
    """What a row that was `before` says of its age where it is read again from an old page: the same."""
    kept = _OF_AGE if row.page.is_old else frozenset[str]()
    return {name: before[name] for name in before.keys() & kept}


def stale_marks(commit: BatchCommit, moment: datetime) -> list[Any]:
    """What `STALE` is given: why the rows of each url of a commit are not verified."""
    why = {page.url: f"the page was {page.verdict.value}" for page in commit.fetched}
    served = [page for page in commit.served if not page.is_old]
    why |= {page.url: _WHY.get(page.served_by, _MISSED) for page in served}
    why |= {page.url: page.why for page in commit.held}
    return [moment, list(why.values()), list(why)]
