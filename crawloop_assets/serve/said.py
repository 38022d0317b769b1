"""What a page says beside what was published of it, and what the refresh before said."""

from collections.abc import Mapping
from typing import Any

from crawloop_assets.drift.matching import by_key, record_key
from crawloop_assets.family import Family
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store.past import BatchPast
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
    fields = family.schema_spec().fields
    for old, new in zip(reading.previous, reading.values, strict=True):
        for spec in fields:
            if not same(old.get(spec.name), new.get(spec.name), spec):
                return False
    return True
