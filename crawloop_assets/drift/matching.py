"""Which record of today is which record of yesterday."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.schema import AS_WRITTEN, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical

Record = Mapping[str, Any]
"""The values of a record by field."""


def record_key(schema: RecordSchema, family: Family) -> tuple[FieldSpec, ...]:
    """The fields that identify a record on its page.

    `url` in the family's key is the page's url unless the schema has such a field; a
    key that is only the page's url identifies nothing within the page.
    """
    specs = {spec.name: spec for spec in schema.fields}
    return tuple(specs[name] for name in family.key if name in specs)


def key_of(record: Record, key: Sequence[FieldSpec]) -> Hashable:
    """The identity of a record: its key fields in the form in which values compare.

    None if a part of it is missing, or there is no key.
    """
    parts = tuple(map(canonical, _values(record, key), key))
    if not parts or None in parts:
        return None
    return parts


def key_as_written(record: Record, key: Sequence[FieldSpec]) -> Hashable:
    """Which row of the table a record is: its identity with texts as they are written. A
    key in other letters, or an address with a fragment, is another row, though it compares
    as the same value.

    None like its identity.
    """
    identity = key_of(record, key)
    texts = filter(_is_written, _values(record, filter(_is_text, key)))
    return identity and (identity, *texts)


def _values(record: Record, fields: Iterable[FieldSpec]) -> Iterator[Any]:
    """What a record says in some fields, None where it says nothing."""
    return map(record.get, map(attrgetter("name"), fields))


def _is_text(spec: FieldSpec) -> bool:
    """Whether the table has a value of the field as it is written."""
    return spec.kind in AS_WRITTEN


def _is_written(value: object) -> bool:
    """Whether a value is a text: a reader may return what is none, a list of them say."""
    return isinstance(value, str)


def by_key(
    records: Iterable[Record], key: Sequence[FieldSpec]
) -> dict[Hashable, Record]:
    """Records by their identity, the last of several; those without one are left
    out."""
    known = {key_of(record, key): record for record in records}
    known.pop(None, None)
    return known


def pair_records(
    previous: Sequence[Record], current: Sequence[Record], key: Sequence[FieldSpec]
) -> list[tuple[Record, Record]]:
    """Pairs (old, new) of the same record on a page, in the order of the new ones.

    One record pairs with one whatever its key; several by key; without a key by
    position, if there are as many as before.
    """
    if len(previous) == 1 and len(current) == 1:
        return [(previous[0], current[0])]
    if key:
        return _pair_by_key(previous, current, key)
    if len(previous) != len(current):
        return []
    return list(zip(previous, current, strict=True))


def _pair_by_key(
    previous: Sequence[Record], current: Sequence[Record], key: Sequence[FieldSpec]
) -> list[tuple[Record, Record]]:
    """Pairs of the same key; records without one, or a new one, have none."""
    known = by_key(previous, key)
    pairs = []
    for record in current:
        old = known.get(key_of(record, key))
        if old is not None:
            pairs.append((old, record))
    return pairs
