"""Lists of which all examples have one item, while other pages have several in one text.

"Umber Institute" is known, "Fjord Institute; Kelp Institute" stands elsewhere: nothing
that is known says whether that is one name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value, as_list

_BETWEEN_ITEMS = re.compile(
    r"; |, | · | • | \| | / | & | and |(?<=[^\W\d])[,;|／、،・](?=\s?[^\W\d])"
)
"""The last ones may have no gap, between letters: "en,fr", and no number."""


def open_lists(
    schema: RecordSchema,
    read: Sequence[Extraction],
    known: Sequence[Mapping[str, Value]],
) -> Iterator[str]:
    """The fields of which an item that is read has a sign between parts, and no known
    list has a second item or an item with that sign."""
    for spec in schema.fields:
        lists = [as_list(row[spec.name]) for row in known if row.get(spec.name)]
        known_signs = _signs(chain.from_iterable(lists))
        are_short = _is_list(spec) and max(map(len, lists), default=0) == 1
        if are_short and not _signs(_items_read(spec, read)) <= known_signs:
            yield spec.name


def _is_list(spec: FieldSpec) -> bool:
    """Whether a field holds several texts."""
    return spec.shape is not Shape.ONE and spec.kind is FieldKind.TEXT


def _items_read(spec: FieldSpec, read: Sequence[Extraction]) -> Iterator[Value]:
    """All items of a field that are read on some pages."""
    for extraction in read:
        for record in extraction.records:
            yield from as_list(record.values.get(spec.name) or [])


def _signs(items: Iterator[Value]) -> set[str]:
    """The signs between parts that some of the items have."""
    return set(chain.from_iterable(map(_BETWEEN_ITEMS.findall, map(str, items))))
