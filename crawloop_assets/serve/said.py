"""What a page says beside what was published of it, and what the refresh before said."""

from collections.abc import Iterable, Mapping
from typing import Any

from crawloop_assets.drift.matching import by_key, record_key
from crawloop_assets.family import Family
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store.past import BatchPast, RedPage
from crawloop_assets.values.equality import same

_Rows = tuple[Mapping[str, Any], ...]


def said_of(reading: Reading, past: BatchPast, family: Family) -> _Rows:
    """The records that the refresh before read of a page, if some of them were held and
    the site says anew what it says.

    Of a list whose other rows were published those are known by now, and were said too.
    """
    said = past.said.get(reading.url, ())
    if not said or not reading.visit.is_new_answer:
        return ()
    key = record_key(family.schema_spec(), family)
    if not key or past.stale.get(reading.url, 0) >= len(reading.previous):
        return said
    return tuple((by_key(reading.previous, key) | by_key(said, key)).values())


def is_as_known(reading: Reading, family: Family) -> bool:
    """Whether a page has the records it had when it was published last."""
    if len(reading.values) != len(reading.previous):
        return False
    return len(as_known(reading, family)) == len(family.schema_spec().fields)


def as_known(reading: Reading, family: Family) -> frozenset[str]:
    """The fields of which a page says what it said when it was published last; none if
    it has more records now, or fewer."""
    if len(reading.values) != len(reading.previous):
        return frozenset()
    pairs = list(zip(reading.previous, reading.values, strict=True))
    return frozenset(
        spec.name
        for spec in family.schema_spec().fields
        if all(same(old.get(spec.name), new.get(spec.name), spec) for old, new in pairs)
    )


def still_news(
    red: Iterable[RedPage], readings: Iterable[Reading], family: Family
) -> list[RedPage]:
    """The red pages that say another thing than what was published of them last."""
    by_url = {one.url: one for one in readings}
    return [
        page
        for page in red
        if page.url in by_url and not is_as_known(by_url[page.url], family)
    ]
