"""Counts the signs of drift that the rows of lists show, compared with the rows known
before: rows that are gone from the batch, and cells shifted by a row."""

from collections.abc import Iterator, Sequence
from typing import Any

from crawloop_assets.drift.matching import Record, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome, valid_records
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_LEAST_ROWS = 3
"""Of fewer rows it is no wonder that one has the value of the other."""


def count_row_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count REPLACED and NEIGHBOUR: known rows that are nowhere in the batch, and rows
    whose value is what the row before or after them had."""
    key = record_key(schema, family)
    _count_replaced(key, outcomes, tallies)
    for page, outcome in enumerate(outcomes):
        if len(outcome.previous) >= _LEAST_ROWS:
            _count_neighbours(page, outcome, schema, key, tallies)


def _count_replaced(
    key: Sequence[FieldSpec], outcomes: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Known rows of lists that are nowhere in the batch: some always go, but hardly all
    at once."""
    current = {key_of(record, key) for _, _, record in valid_records(outcomes)}
    for page, outcome in enumerate(outcomes):
        if len(outcome.previous) < 2:
            continue
        for record in outcome.previous:
            identity = key_of(record, key)
            if identity is None:
                continue
            tallies.add(
                Sign.REPLACED,
                "",
                page,
                has_sign=identity not in current,
                expected=identity,
                got="nothing",
            )


def _count_neighbours(
    page: int,
    outcome: PageOutcome,
    schema: RecordSchema,
    key: Sequence[FieldSpec],
    tallies: Tallies,
) -> None:
    """Rows whose value now is what the row before or after them had: cells shifted by a
    row."""
    rows = _rows_still_there(outcome, key)
    for spec in schema.fields:
        if spec in key:
            continue
        for offset in (1, -1):
            for own, neighbour, now in _beside(outcome, rows, spec.name, offset):
                if same(own, neighbour, spec):
                    continue
                tallies.add(
                    Sign.NEIGHBOUR,
                    spec.name,
                    page,
                    has_sign=same(now, neighbour, spec),
                    expected=own,
                    got=now,
                )


def _rows_still_there(
    outcome: PageOutcome, key: Sequence[FieldSpec]
) -> list[tuple[int, Record]]:
    """(position before, record now) of the rows known before, by key if there is one,
    else by position."""
    if not key:
        return list(enumerate(outcome.values[: len(outcome.previous)]))
    current = {key_of(record, key): record for record in outcome.values}
    rows = []
    for position, old in enumerate(outcome.previous):
        record = current.get(key_of(old, key))
        if record is not None:
            rows.append((position, record))
    return rows


def _beside(
    outcome: PageOutcome, rows: Sequence[tuple[int, Record]], name: str, offset: int
) -> Iterator[tuple[Any, Any, Any]]:
    """(own old value, the neighbour's old value, the value now) of rows that are still
    there and have a neighbour, where all three are filled."""
    values = [record.get(name) for record in outcome.previous]
    for position, record in rows:
        beside = position + offset
        if beside not in range(len(values)):
            continue
        compared = (values[position], values[beside], record.get(name))
        if all(map(is_filled, compared)):
            yield compared
