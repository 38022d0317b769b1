"""Values that a first version reads where a record may have none: in the record of an example
that has none, or a text that says so ("–"), or begins as those do ("none at the moment").

An example need not be complete. What is read in one without the field speaks against it where
the pages say that again and again, as they do what stands for none, and no known value as often.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.absence import may_be_absence
from crawloop_assets.values.value import Value

_AGAINST = (
    'of an example without {0} "{1}" is read as {0}: add it to the example, or add another '
    "example that has none"
)
_MAY_BE_NONE = '"{1}", which may say that there is none, is read as {0}: add an example of such a page, with or without {0}'
_ADDRESS = "url"
"""What fills itself."""


def read_none(
    schema: RecordSchema,
    known: Mapping[int, Sequence[Mapping[str, Value]]],
    extractions: Sequence[Extraction],
) -> dict[str, str]:
    """What to say of each optional field of which a value that is said more often than any known
    one is read in a known record without it, or a text that may say that there is none: by its
    name. What changes every day may have come since."""
    optional = list(filterfalse(attrgetter("required"), schema.fields))
    read = [one.values for page in extractions for one in page.records]
    rows = list(chain.from_iterable(known.values()))
    said = dict(chain.from_iterable(map(partial(_maybe_none, read, rows), optional)))
    often = {one.name: _said_often(one, read, rows) for one in optional}
    for at, records in known.items():
        for wanted, got in match_records(schema, records, extractions[at].records):
            values = (got or NOTHING_READ).values
            lacking = [one for one in optional if wanted.get(one.name) is None]
            lacking = [one for one in lacking if _text(one, values) in often[one.name]]
            said |= _said(_AGAINST, lacking, values)
    return said


def _said_often(
    spec: FieldSpec,
    read: Sequence[Mapping[str, Value]],
    known: Sequence[Mapping[str, Value]],
) -> frozenset[str]:
    """What is read of a field that lasts more often than any known value of it, and again; nothing
    where no record is known to have it: they are taken to leave it out."""
    counts = Counter(map(partial(_text, spec), read))
    values = set(map(partial(_text, spec), known)) - {""}
    most = max(map(counts.__getitem__, values), default=len(read))
    is_lasting = spec.name != _ADDRESS and not spec.volatile
    often = (text for text, count in counts.items() if count > max(most, 1))
    return frozenset(often) if is_lasting else frozenset()


def _maybe_none(
    read: Sequence[Mapping[str, Value]],
    known: Sequence[Mapping[str, Value]],
    spec: FieldSpec,
) -> Iterator[tuple[str, str]]:
    """The note of a field of which a text is read that may say that there is none, and that no
    example has as its value."""
    is_value = set(map(partial(_text, spec), known)).__contains__
    texts = filterfalse(is_value, map(partial(_text, spec), read))
    if spec.kind is FieldKind.TEXT:
        for text in filter(may_be_absence, texts):
            yield spec.name, _MAY_BE_NONE.format(spec.name, text)


def _said(
    template: str,
    fields: Iterator[FieldSpec] | Sequence[FieldSpec],
    read: Mapping[str, Value],
) -> Iterator[tuple[str, str]]:
    """The note of each field of which something is read."""
    for spec in fields:
        if text := _text(spec, read):
            yield spec.name, template.format(spec.name, text)


def _text(spec: FieldSpec, read: Mapping[str, Value]) -> str:
    """What is read of a field; "" for nothing, or no items."""
    value = read.get(spec.name)
    return "" if value is None or value == [] else str(value)
