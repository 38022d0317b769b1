"""Lists of which all examples have one item, while other pages have several in one text.

"Umber Institute" is known, "Fjord Institute; Kelp Institute" stands elsewhere: nothing
that is known says whether that is one name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value, as_list

_BETWEEN_ITEMS = re.compile(
    r"; |, | · | • | \| | / | & | and |(?<=[^\W\d])[,;|／、،・](?=\s?[^\W\d])"
)
"""The last ones may have no gap, between letters: "en,fr", and no number."""
_WITHOUT_GAP = frozenset("／、，・")


def open_lists(
    schema: RecordSchema,
    read: Sequence[Extraction],
    known: Sequence[Mapping[str, Value]],
) -> Iterator[str]:
    """The fields of which an item that is read has a sign between parts, and no known list
    has an item with that sign; where known lists have several, the only item of a list that
    has a sign of scripts without spaces: "木・杉" beside known ones parted at "、"."""
    for spec in filter(_is_list, schema.fields):
        lists = [as_list(row[spec.name]) for row in known if row.get(spec.name)]
        most = max(map(len, lists), default=0)
        known_signs = _signs(chain.from_iterable(lists))
        signs = _signs(_items_read(spec, read, most)) - known_signs
        if lists and (signs if most == 1 else signs & _WITHOUT_GAP):
            yield spec.name


def _is_list(spec: FieldSpec) -> bool:
    """Whether a field holds several texts."""
    return spec.shape is not Shape.ONE and spec.kind is FieldKind.TEXT


def _items_read(
    spec: FieldSpec, read: Sequence[Extraction], most: int
) -> Iterator[Value]:
    """The items of a field that are read on some pages: all where known lists have one at
    most, else those that are the only one of their list."""
    records = chain.from_iterable(map(attrgetter("records"), read))
    for record in records:
        items = as_list(record.values.get(spec.name) or [])
        yield from items * (most == 1 or len(items) == 1)


def _signs(items: Iterator[Value]) -> set[str]:
    """The signs between parts that some of the items have."""
    return set(chain.from_iterable(map(_BETWEEN_ITEMS.findall, map(str, items))))
