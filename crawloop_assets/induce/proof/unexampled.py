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
    optional = filterfalse(attrgetter("required"), schema.fields)
    names = list(map(attrgetter("name"), optional)) if rows else []
    if program.kind is not FamilyKind.LISTING and "url" in names:
        names.remove("url")  # the page's address fills it
    for name in filterfalse(program.field, names):
        if all(row.get(name) is None for row in rows):
            yield _SAID.format(name)
