"""Optional fields that a first version reads nowhere, as no example has them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value

_SAID = "{} is in no example and read nowhere: if a page shows it, add an example of that page"


def unexampled(
    schema: RecordSchema, program: Program, rows: Sequence[Mapping[str, Value]]
) -> Iterator[str]:
    """What to say of each of these fields: that it is not read, and what to do. Nothing
    without examples, and of required fields, without which there is no version."""
    optional = map(
        attrgetter("name"), filterfalse(attrgetter("required"), schema.fields)
    )
    known = {name for row in rows for name, value in row.items() if value is not None}
    if program.kind is not FamilyKind.LISTING:
        known.add("url")  # the page's address fills it
    unread = filterfalse(program.field, optional if rows else ())
    yield from map(_SAID.format, filterfalse(known.__contains__, unread))
