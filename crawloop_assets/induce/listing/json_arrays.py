"""Listings that are JSON: arrays of objects in a body or in the islands of a page."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, islice, product, repeat
from operator import methodcaller
from typing import Any, NamedTuple

from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.json_rows import ABOVE, json_rows
from crawloop_assets.document.jsonpath import Segment, join_path, parse_path, step, walk
from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.leaves import leaves
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_MOST_ARRAYS = 60
_MOST_ITEMS = 5000
"""Items of an array in which known records are looked for."""
_MOST_CANDIDATES = 2
_DEPTH = 8
_SAMPLED_ITEMS = 3
"""Items of an array that are looked at for arrays inside them."""
_LONGEST_PARSED = 2000
_SEVERAL = ("ld:", "md:", "rdfa:")
"""Kinds of roots of which a page may have several of one name."""
_MOMENTS = frozenset((FieldKind.DATE, FieldKind.DATETIME))
_PARSED = _MOMENTS | frozenset(
    (
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.URL,
    )
)

_Items = list[Any]
_Array = tuple[str, _Items]
"""The path that leads to the items, and those."""


class _Found(NamedTuple):
    """The item of each known record, by its index, and how many known values those
    items hold."""

    items: Mapping[int, int]
    covered: int


def json_boundaries(
    schema: RecordSchema, document: Document, records: Sequence[RecordValues]
) -> list[CandidateBoundary]:
    """Arrays whose items hold the known records, also of several groups of them, best
    first; at most two."""
    found: list[CandidateBoundary] = []
    search = _Search(schema, document.base_url, records)
    single = arrays(document)
    for path, _ in [*single, *_joined(search, single), *grouped(single)]:
        items = list(filter(_may_be_record, json_rows(document, path)))
        known, covered = search.locate(items[:_MOST_ITEMS])
        if not known:
            continue
        scopes = tuple(Scope(document, (0,), item) for item in items)
        found.append(
            CandidateBoundary(
                boundary=Boundary(mode=BoundaryMode.JSON, at=path),
                known={record: scopes[index] for record, index in known.items()},
                scopes=scopes,
                covered=covered,
                alike=len(items),
                prior=tuned("json_arrays.prior"),
            )
        )
    whole = [one for one in found if not _is_part(search, one, found)]
    return sorted(whole, key=_promise)[:_MOST_CANDIDATES]


def _is_part(
    search: "_Search", one: CandidateBoundary, found: Sequence[CandidateBoundary]
) -> bool:
    """Whether items are parts of records and none themselves: most of what is known stands
    above them, in the items of another array that hold as many records. Of rows that are
    listed by group little does."""
    around = [
        other
        for other in found
        if one.boundary.at.startswith(f"{other.boundary.at}.")
        and 2 * other.covered > one.covered
        and len(other.known) >= len(one.known)
    ]
    if not around:
        return False
    bare = [_without_above(scope.data) for scope in one.scopes[:_MOST_ITEMS]]
    return 2 * search.locate(bare).covered < one.covered


def _without_above(item: Any) -> Any:
    """An item alone."""
    if not isinstance(item, dict):
        return item
    return {key: value for key, value in item.items() if key != ABOVE}


def _promise(candidate: CandidateBoundary) -> tuple[int, int, int, str]:
    """Sorts the most promising first."""
    path = candidate.boundary.at
    return -candidate.covered, -candidate.alike, len(path), path


def arrays(document: Document) -> list[_Array]:
    """Every array of two or more objects or rows, by the path that leads to its
    items."""
    return list(islice(_arrays_of_roots(document), _MOST_ARRAYS))


def _arrays_of_roots(document: Document) -> Iterator[_Array]:
    """The arrays of all roots, one root after the other. A path reads the first root that
    has it: several roots of a type are no array."""
    for root, values in document.roots.items():
        if len(values) > 1 and root.startswith(_SEVERAL):
            continue
        for segments, items in chain.from_iterable(map(_arrays, values[:1])):
            yield join_path(root, segments), items


def _arrays(
    value: Any, path: tuple[Segment, ...] = ()
) -> Iterator[tuple[tuple[Segment, ...], _Items]]:
    """Arrays in a value, and maps of rows by their keys, by the segments that lead to
    their items."""
    if len(path) > _DEPTH:
        return
    if isinstance(value, list) or _is_map(value):
        items = list(filter(_may_be_record, walk(value, (None,))))
        if len(items) >= tuned("json_arrays.fewest_items"):
            yield (*path, None), items
    for segment, part in _parts(value):
        yield from _arrays(part, (*path, segment))


def _is_map(value: Any) -> bool:
    """Whether a value is several objects by their keys, which have names in common."""
    parts = value.values() if isinstance(value, dict) else ()
    is_several = len(parts) >= tuned("json_arrays.fewest_keys")
    return (
        is_several
        and all(map(_is_object, parts))
        and bool(set.intersection(*map(set, parts)))
    )


def _parts(value: Any) -> list[tuple[Segment, Any]]:
    """What is directly inside a value, by key or index; of a list the first items."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return list(enumerate(value[:_SAMPLED_ITEMS]))
    return []


def _may_be_record(item: Any) -> bool:
    """Whether an item is an object, or a row of several cells."""
    if isinstance(item, list):
        return len(item) > 1
    return isinstance(item, dict)


def _joined(search: "_Search", single: Sequence[_Array]) -> Iterator[_Array]:
    """Arrays under several keys of one object, as one: those of them that hold known
    records."""
    for above, by_key in _beside(single).items():
        keys = _keys_with_records(search, by_key)
        if len(keys) > 1:
            held = {key: items for key, items in by_key if key in keys}
            path = f"{above}{step(tuple(held))}[*]"
            yield path, list(chain.from_iterable(held.values()))


def grouped(single: Sequence[_Array]) -> Iterator[_Array]:
    """The arrays that several items of an array have under one key, as one: rows that
    are listed by group."""
    for path, groups in single:
        objects = list(filter(_is_object, groups[:_MOST_ITEMS]))
        for key in dict.fromkeys(chain.from_iterable(objects[:_SAMPLED_ITEMS])):
            lists = list(filter(_is_list, map(methodcaller("get", key), objects)))
            together = filter(_may_be_record, chain.from_iterable(lists))
            if len(lists) > 1:
                yield f"{path}{step(key)}[*]", list(islice(together, _MOST_ITEMS))


def _is_object(item: Any) -> bool:
    """Whether an item may be a group of rows with its name."""
    return isinstance(item, dict)


def _is_list(value: Any) -> bool:
    """Whether a value of a group is a list."""
    return isinstance(value, list)


def _keys_with_records(search: "_Search", by_key: Sequence[_Array]) -> set[str]:
    """The keys of an object whose arrays hold known records; none if it has but one
    key, or very many items."""
    owners: list[str] = []
    together: _Items = []
    for key, items in by_key:
        owners += [key] * len(items)
        together += items
    if len(by_key) == 1 or len(together) > _MOST_ITEMS:
        return set()
    known = search.locate(together).items
    return {owners[index] for index in known.values()}


def _beside(single: Sequence[_Array]) -> dict[str, list[_Array]]:
    """Arrays by the object they are in, with the keys they have there."""
    by_object: defaultdict[str, list[_Array]] = defaultdict(list)
    for path, items in single:
        root, segments = parse_path(path)
        match segments:
            case (*above, str(key), None):
                by_object[join_path(root, above)].append((key, items))
    return by_object


class _Search:
    """Looks for known records among the items of arrays."""

    def __init__(
        self, schema: RecordSchema, base_url: str, records: Sequence[RecordValues]
    ):
        """`records` are the known ones; they are looked up by any value they have."""
        self.fields = schema.fields
        self.base_url = base_url
        self._count = len(records)
        self._owners: defaultdict[tuple[str, Hashable], list[int]] = defaultdict(list)
        """Records by what they have in a field."""
        for index, record in enumerate(records):
            for spec in self.fields:
                form = _form(spec, record.get(spec.name))
                self._owners[spec.name, form].append(index)

    def locate(self, items: _Items) -> _Found:
        """The item of each known record: the one that holds most of its values.

        No records if none has more than one of its several values in an item, unless the
        items are as many, one for each record, and say as much: in other units.
        """
        known: dict[int, int] = {}
        covered = 0
        for record, fields in sorted(self._fields_held(items).items()):
            best = min(fields, key=lambda index: (-len(fields[index]), index))
            if best not in known.values():
                known[record] = best
                covered += len(fields[best])
        is_one_of_several = covered == len(known) and len(self.fields) > 1
        if is_one_of_several and not self._are_records(len(known), items):
            return _Found({}, 0)
        return _Found(known, covered)

    def _are_records(self, found: int, items: _Items) -> bool:
        """Whether all known records are found, each in an item of its own that has as many
        values as a record has fields, and there are no other items."""
        said = map(len, map(list, map(leaves, items)))
        is_one_each = 1 < found == len(items) == self._count
        return is_one_each and min(said) >= len(self.fields)

    def _fields_held(self, items: _Items) -> dict[int, dict[int, set[str]]]:
        """For each record, which of its fields' values each item holds."""
        held: dict[int, dict[int, set[str]]] = {}
        for index, item in enumerate(items):
            for name, record in self._matches(item):
                by_item = held.setdefault(record, {})
                by_item.setdefault(index, set()).add(name)
        return held

    def _matches(self, item: Any) -> Iterator[tuple[str, int]]:
        """Fields and records whose values an item holds."""
        texts = [text for _, text in leaves(item)]
        for spec, text in product(self.fields, texts):
            yield from zip(repeat(spec.name), self._owners_of(spec, text))

    def _owners_of(self, spec: FieldSpec, text: str) -> Sequence[int]:
        """The records that have a text as the value of a field."""
        form = _form(spec, _typed(spec, text, self.base_url))
        if form is None:
            return ()
        return self._owners.get((spec.name, form), ())


def _form(spec: FieldSpec, value: Value) -> Hashable:
    """What is compared of a value; of a list its first item. None for nothing."""
    first = next(iter(as_list(value)), None)
    if first is None:
        return None
    if spec.kind in _PARSED:
        return canonical(first, item_spec(spec))
    return letters(str(first)) or None


def _typed(spec: FieldSpec, text: str, base_url: str) -> Value:
    """A text as the field would hold it, where forms may differ; None for one that is
    no value of its kind or too long to be parsed."""
    if spec.kind not in _PARSED:
        return text
    moment = counted_moment(text) if spec.kind in _MOMENTS else None
    if moment is not None:
        return moment.isoformat()
    return parse_value(text, spec, base_url) if len(text) < _LONGEST_PARSED else None
