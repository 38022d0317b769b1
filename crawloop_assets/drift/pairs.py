"""Which record of today is which record of yesterday."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical

Record = Mapping[str, Any]


def record_key(schema: RecordSchema, family: Family) -> tuple[FieldSpec, ...]:
    """The fields that identify a record on its page.

    `url` in the family's key is the page's url unless the schema has such a field; a
    key that is only the page's url identifies nothing within the page.
    """
    known = {spec.name: spec for spec in schema.fields}
    return tuple(known[name] for name in family.key if name in known)


def key_of(record: Record, key: Sequence[FieldSpec]) -> Hashable:
    """The identity of a record; None if a part of it is missing."""
    parts = tuple(canonical(record.get(spec.name), spec) for spec in key)
    return None if not parts or None in parts else parts


def pair_records(
    previous: Sequence[Record], current: Sequence[Record], key: Sequence[FieldSpec]
) -> list[tuple[Record, Record]]:
    """Pairs (old, new) of the same record: one record per page pairs with one, others
    by key, else by equal position when as many are there."""
    if len(previous) == 1 and len(current) == 1:
        return [(previous[0], current[0])]
    if not key:
        return (
            list(zip(previous, current, strict=True))
            if len(previous) == len(current)
            else []
        )
    known = {key_of(record, key): record for record in previous}
    known.pop(None, None)
    pairs = []
    for record in current:
        old = known.get(key_of(record, key))
        if old is not None:
            pairs.append((old, record))
    return pairs
