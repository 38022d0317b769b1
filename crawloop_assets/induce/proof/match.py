"""Which extracted record belongs to which known record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

NOTHING_READ = ExtractedRecord(values={})
"""What stands for the extracted record where a known one has none."""

_Holders = dict[tuple[str, object], list[int]]
"""The extracted records that have a value: by field and canonical form."""


def match_records(
    schema: RecordSchema,
    wanted: Sequence[Mapping[str, Value]],
    got: Sequence[ExtractedRecord],
) -> list[tuple[Mapping[str, Value], ExtractedRecord | None]]:
    """Every known record with the unused extracted record that shares most values with
    it (None if none shares any).

    Those that share most are given theirs first: a row that is gone from a list has a
    town or a maker in common with many, and must not take that of another.
    """
    if len(wanted) == len(got) == 1:
        return [(wanted[0], got[0])]
    holders = _holders(schema, got)
    unused = set(range(len(got)))
    given: dict[int, ExtractedRecord] = {}
    most = list(map(partial(_most_shared, schema, holders), wanted))
    for place in sorted(range(len(wanted)), key=most.__getitem__, reverse=True):
        shared = _shared_values(schema, wanted[place], holders)
        candidates = unused.intersection(shared)
        best = min(candidates, key=lambda index: (-shared[index], index), default=None)
        if best is not None:
            unused.remove(best)
            given[place] = got[best]
    return [(record, given.get(place)) for place, record in enumerate(wanted)]


def _most_shared(
    schema: RecordSchema, holders: _Holders, record: Mapping[str, Value]
) -> int:
    """How much some extracted record shares with a known one."""
    return max(_shared_values(schema, record, holders).values(), default=0)


def _holders(schema: RecordSchema, got: Sequence[ExtractedRecord]) -> _Holders:
    """Who has which value."""
    holders: _Holders = {}
    for index, record in enumerate(got):
        for spec in schema.fields:
            form = canonical(record.values.get(spec.name), spec)
            if form is not None:
                holders.setdefault((spec.name, form), []).append(index)
    return holders


def _shared_values(
    schema: RecordSchema, record: Mapping[str, Value], holders: _Holders
) -> Counter[int]:
    """How many values of a known record each extracted record has. One that does not move
    counts for more than all that do: a club is none whose points it has today."""
    shared: Counter[int] = Counter()
    for spec in schema.fields:
        form = canonical(record.get(spec.name), spec)
        counts = 1 if spec.volatile else len(schema.fields)
        shared.update(dict.fromkeys(holders.get((spec.name, form), ()), counts))
    return shared
