"""Boundaries that find only the rows of one choice, by a class that says it, or the one
known row alone."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse

from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.schema import FieldKind, RecordSchema
from crawloop_assets.values.text import tokens

_Words = frozenset[str]


def without_narrowed(
    schema: RecordSchema,
    found: Sequence[CandidateBoundary],
    records: Sequence[RecordValues],
) -> list[CandidateBoundary]:
    """Boundaries but those that are named by a choice of the known records, or find one row
    alone, where a wider one holds as much of them, and finds more like them, few other things:
    `.dept-clocks` are the clocks alone, and few known rows may all be clocks."""
    said = list(chain.from_iterable(map(partial(_choices, schema), records)))
    narrow = [one for one in found if len(one.scopes) == 1 or _names(one, said)]
    wider = [one for one in narrow if _has_wider(one, found)]
    return list(filterfalse(wider.__contains__, found))


def _choices(schema: RecordSchema, record: RecordValues) -> Iterator[_Words]:
    """The words of each choice of a record."""
    for spec in schema.fields:
        if spec.kind is FieldKind.CHOICE and record.get(spec.name):
            yield frozenset(tokens(str(record[spec.name])))


def _names(one: CandidateBoundary, said: Sequence[_Words]) -> bool:
    """Whether the selector of a boundary has all words of a choice."""
    words = frozenset(tokens(one.boundary.at))
    return any(map(words.issuperset, filter(None, said)))


def _has_wider(one: CandidateBoundary, found: Sequence[CandidateBoundary]) -> bool:
    """Whether another boundary finds all rows of one, and more of their like, at least half
    as many of all that it finds."""
    starts = _starts(one)
    return any(
        starts < _starts(other)
        and other.covered >= one.covered
        and other.alike > one.alike
        and 2 * _likeness(other) >= _likeness(one)
        for other in found
    )


def _likeness(one: CandidateBoundary) -> float:
    """The share of what a boundary finds that is like the known rows."""
    return one.alike / len(one.scopes)


def _starts(one: CandidateBoundary) -> frozenset[int]:
    """Where the rows of a boundary begin."""
    return frozenset(scope.nodes[0] for scope in one.scopes)
