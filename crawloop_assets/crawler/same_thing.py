"""Whether a page states a value of the very thing whose known values it states.

A reader of linked data does not depend on where things stand on a page: it asks for a
property of a thing. Nor does one of what the head of the page says of it by name. Where
the thing is the known one, since other known values of it are stated beside, neither a
new layout nor a number that stands somewhere says anything against what it states.
"""

import re
from collections.abc import Mapping
from itertools import filterfalse
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import same

_THING = re.compile(r"ld:[^.\[]+|meta(?=\[[a-z]+=\"[^\"]+\"\]$)")
_LEAST_KNOWN = 2
"""So many known values of a thing tell that it is the known one: two things of a site
may share an author."""


def is_of_known_thing(
    record: ExtractedRecord, known: Mapping[str, Any], field: str, schema: RecordSchema
) -> bool:
    """Whether the value of a field is a property that linked data or the head of the page
    states, and nothing else on the page contradicts, of a thing of which it states two
    different known values or more that hardly ever change."""
    thing = _thing(record, field)
    steady = filterfalse(attrgetter("volatile"), schema.fields)
    stated = {
        str(known[spec.name])
        for spec in steady
        if known.get(spec.name) is not None
        and spec.name != field
        and _thing(record, spec.name) == thing
        and same(known[spec.name], record.values.get(spec.name), spec)
    }
    return bool(thing) and len(stated) >= _LEAST_KNOWN


def _thing(record: ExtractedRecord, field: str) -> str:
    """The thing of which a value is stated, such as `ld:Recipe`, or `meta` for the page;
    "" where it was read elsewhere, or is contradicted."""
    vote = record.votes.get(field)
    if vote is None or vote.rivals or vote.against:
        return ""
    found = _THING.match(vote.reader)
    return found[0] if found else ""
