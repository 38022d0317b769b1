"""Records that a site shows in two places: above its list, on each page, those that it
recommends. They are one record, and no two that have the same values."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome, valid_records
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_MOST = 0.5
"""A page of which so many rows stand elsewhere is no list with a few of them above: it
is the page before once more, or one row is read again and again."""

ValidRecord = tuple[int, PageOutcome, Record]


def records_once(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> Iterator[ValidRecord]:
    """(position of the page, its outcome, record) of all valid records of a batch, but for
    known ones that were there before and say the same there."""
    key = record_key(schema, family)
    known = by_key(chain.from_iterable(map(attrgetter("previous"), outcomes)), key)
    seen: dict[Hashable, Record] = {}
    for page in range(len(outcomes)):
        rows = [
            (page, one[1], one[2]) for one in valid_records(outcomes[page : page + 1])
        ]
        new = [
            row
            for row in rows
            if not _is_there(row[2], key, known, seen, schema.fields)
        ]
        is_list = len(rows) - len(new) < _MOST * len(rows)
        yield from new if is_list else rows


def _is_there(
    row: Record,
    key: Sequence[FieldSpec],
    known: Mapping[Hashable, Record],
    seen: dict[Hashable, Record],
    specs: Sequence[FieldSpec],
) -> bool:
    """Whether a known record was there before and said the same; else it is there now."""
    identity = key_of(row, key)
    if identity is None or identity not in known:
        return False
    before = seen.setdefault(identity, row)
    is_alike = partial(_is_alike, before, row)
    return before is not row and all(map(is_alike, specs))


def _is_alike(one: Record, other: Record, spec: FieldSpec) -> bool:
    """Whether two rows say the same in a field, or both nothing."""
    values = one.get(spec.name), other.get(spec.name)
    return values == (None, None) or same(*values, spec)
