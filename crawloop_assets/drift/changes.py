"""Known records found again, and what became of their fields."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.drift.matching import (
    Record,
    by_key,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.drift.outcome import PageOutcome, valid_records
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical

_FEW_VALUES = 6


class RecordPair(NamedTuple):
    """A record then and now, and the page (position in the batch) it is on now."""

    page: int
    old: Record
    new: Record


def known_before(pairs: Iterable[RecordPair]) -> dict[int, Record]:
    """What was known of a record, by the identity of what is read of it now."""
    return {id(pair.new): pair.old for pair in pairs}


class ReadNow:
    """The values that the known records of a batch have in a field now."""

    def __init__(self, spec: FieldSpec, pairs: Sequence[RecordPair]):
        self._spec, self._pairs = spec, pairs

    def has(self, value: Any) -> bool:
        """Whether any of them has a value."""
        return canonical(value, self._spec) in self._values

    @cached_property
    def was_one_of_few(self) -> bool:
        """Whether there were few values of the field, such as categories, which several
        records shared."""
        known = self._forms(map(attrgetter("old"), self._pairs))
        return len(set(known)) < min(len(known), 1 + _FEW_VALUES)

    @cached_property
    def _values(self) -> frozenset[Hashable]:
        """Seldom asked for, so gathered when it is."""
        return frozenset(self._forms(map(attrgetter("new"), self._pairs)))

    def _forms(self, records: Iterable[Record]) -> list[Hashable]:
        """What each of the records says in the field, in its typed form."""
        name, spec = self._spec.name, self._spec
        return [canonical(record.get(name), spec) for record in records]


class FieldChange(NamedTuple):
    """The value of one field of a known record, then and now; `read` are those of all."""

    spec: FieldSpec
    pair: RecordPair
    before: Any
    after: Any
    outcome: PageOutcome
    read: ReadNow

    @property
    def is_anothers_now(self) -> bool:
        """Whether another record has now what this one had, which is another value: it
        stands on a page that shows both, and tells nothing."""
        return self.read.has(self.before)

    @property
    def said_since(self) -> Any:
        """What the refresh before said of it, see `said_since`."""
        return said_since(self.spec, self.outcome)

    @property
    def is_gone(self) -> bool:
        """Whether nothing is read any more."""
        return self.after in EMPTY

    @property
    def is_single(self) -> bool:
        """Whether the field holds one value."""
        return self.spec.shape is Shape.ONE

    @property
    def is_said_late(self) -> bool:
        """Whether a kind of evidence that is late says the value of then: that it stands
        on the page tells nothing."""
        votes = [one.votes.get(self.spec.name) for one in self.outcome.read_records]
        return len(votes) == 1 and votes[0] is not None and votes[0].late is not None

    def add_to(self, tallies: Tallies, sign: Sign, has_sign: bool) -> None:
        """Count the record as a unit of a sign of this field."""
        field, page = self.spec.name, self.pair.page
        tallies.add(
            sign, field, page, has_sign=has_sign, expected=self.before, got=self.after
        )


def said_since(spec: FieldSpec, outcome: PageOutcome) -> Any:
    """What the refresh before said in a field of the only record of a page that was
    held; None where it was not, or of rows of a list."""
    is_alone = outcome.said_before and not has_rows(outcome)
    return outcome.said_before[0].get(spec.name) if is_alone else None


def record_pairs(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> list[RecordPair]:
    """Known records found again: by key over the whole batch, since rows move between
    pages, else within the page."""
    key = record_key(schema, family)
    if key and any(map(has_rows, outcomes)):
        return _pairs_of_batch(key, outcomes)
    pairs = []
    for page, outcome in enumerate(outcomes):
        for old, new in pair_records(outcome.previous, outcome.values, key):
            pairs.append(RecordPair(page, old, new))
    return pairs


def has_rows(outcome: PageOutcome) -> bool:
    """Whether the page has, or had, more than one record."""
    return max(len(outcome.previous), len(outcome.values)) > 1


def _pairs_of_batch(
    key: Sequence[FieldSpec], outcomes: Sequence[PageOutcome]
) -> list[RecordPair]:
    """Pairs of the same key, wherever in the batch the two are."""
    previous = map(attrgetter("previous"), outcomes)
    known = by_key(chain.from_iterable(previous), key)
    pairs = []
    for page, _, record in valid_records(outcomes):
        old = known.get(key_of(record, key))
        if old is not None:
            pairs.append(RecordPair(page, old, record))
    return pairs


def changes_of(
    spec: FieldSpec, pairs: Sequence[RecordPair], outcomes: Sequence[PageOutcome]
) -> Iterator[FieldChange]:
    """A field of all known records in which it was filled."""
    name, read = spec.name, ReadNow(spec, pairs)
    for pair in pairs:
        before, after = pair.old.get(name), pair.new.get(name)
        if is_filled(before):
            yield FieldChange(spec, pair, before, after, outcomes[pair.page], read)
