"""Times that a version reads without a time zone: a table has moments, and which one is
meant nobody can tell from a page that says "17:17"."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.schema import FieldKind, RecordSchema

_ON_A_CLOCK = re.compile(r"T(?!00:00(?::00)?$)[\d:.]+$")
"""A time of day other than midnight, which stands for none, and no zone behind it."""
_SAID = (
    "{} is read without a time zone and counts as UTC: say where the clocks of the pages hang in the family's "
    "file, as notation: {{timezone: Europe/Madrid}}"
)


def without_zone(
    schema: RecordSchema, extractions: Iterable[Extraction]
) -> Iterator[str]:
    """What to say of each field of moments of which a page says a time without a zone,
    where the family's file names none."""
    moments = {
        spec.name
        for spec in schema.fields
        if spec.kind is FieldKind.DATETIME and not spec.timezone
    }
    records = chain.from_iterable(map(attrgetter("records"), extractions))
    for values in map(attrgetter("values"), records):
        said = {name for name in moments if _ON_A_CLOCK.search(str(values.get(name)))}
        yield from map(_SAID.format, sorted(said))
        moments -= said
