"""Counts values that are what was known, told otherwise.

News owes nothing to what was known. A value that can be made of it is no news, however
often it is said: the known date with day and month exchanged, all times two hours off,
the number of another field, the numbers of another record, the first items of a list.
One may be so by chance, or by a correction; many are another reading.
"""

from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import chain, combinations, filterfalse
from typing import Any, NamedTuple

from crawloop_assets.drift.bonds import is_money
from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.fields import NUMERIC_KINDS, is_steady, single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical

_LEAST_MOVED = 5
_MOST_MOVED = 0.8
"""So many different values of a field, and so large a share of those that changed, have
moved by one step before that is said of them."""

_BY_CHANCE = 0.05
"""So many other records at most have two numbers together by chance: of those that many
records have it is no wonder."""

_DAY = timedelta(days=1)
_TELLS = {FieldKind.INTEGER: 2, FieldKind.TEXT: 4}
"""Characters of the least value that tells whose it is, by the kinds of fields of which
one may be read for another."""


class _Told(NamedTuple):
    """A known value that is another one now, both in the form in which they compare."""

    pair: RecordPair
    before: Any
    after: Any


@dataclass(frozen=True)
class _Batch:
    """The known records of a batch."""

    schema: RecordSchema
    family: Family
    pairs: Sequence[RecordPair]

    @cached_property
    def of_others(self) -> Mapping[str, set[int]]:
        """Field -> the records (by id of their pair) of which it, and another number,
        is what both were for one other record."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        counted = single_fields(self.schema, NUMERIC_KINDS)
        for one, other in combinations(filterfalse(is_money, counted), 2):
            records = set(_of_another(one, other, self.pairs))
            found[one.name] |= records
            found[other.name] |= records
        return found


class _Changes(NamedTuple):
    """All values of a field that changed."""

    batch: _Batch
    spec: FieldSpec
    told: Sequence[_Told]


class _Way(NamedTuple):
    """One way to make a value of what was known, for fields of some kinds, with one
    value or with several."""

    words: str
    kinds: Collection[FieldKind]
    find: Callable[[_Changes], Iterator[_Told]]
    is_single: bool = True

    def fits(self, spec: FieldSpec) -> bool:
        """Whether values of a field may be made so."""
        return spec.kind in self.kinds and self.is_single is (spec.shape is Shape.ONE)


def count_retold_signs(
    schema: RecordSchema,
    family: Family,
    pairs: Sequence[RecordPair],
    tallies: Tallies,
) -> None:
    """Count RETOLD of every field of the known records that has a value then and
    now."""
    batch = _Batch(schema, family, pairs)
    for spec in schema.fields:
        known = list(_known(spec, pairs))
        changed = [told for told in known if told.before != told.after]
        ways = _ways(_Changes(batch, spec, changed))
        for told in known:
            way = ways.get(id(told.pair))
            tallies.add(
                Sign.RETOLD,
                spec.name,
                told.pair.page,
                has_sign=way is not None,
                expected=f"{told.pair.old.get(spec.name)} ({way})",
                got=told.pair.new.get(spec.name),
            )


def _known(spec: FieldSpec, pairs: Sequence[RecordPair]) -> Iterator[_Told]:
    """A field of all records that have a value then and now."""
    for pair in pairs:
        before = canonical(pair.old.get(spec.name), spec)
        after = canonical(pair.new.get(spec.name), spec)
        if before is not None and after is not None:
            yield _Told(pair, before, after)


def _ways(changes: _Changes) -> dict[int, str]:
    """How the known value is told otherwise, by id of the record's pair."""
    return {
        id(told.pair): way.words
        for way in _WAYS
        if way.fits(changes.spec)
        for told in way.find(changes)
    }


def _day_as_month(changes: _Changes) -> Iterator[_Told]:
    """Dates of which day and month are exchanged."""
    return filter(_is_day_as_month, changes.told)


def _is_day_as_month(told: _Told) -> bool:
    """Whether a date is the known one with day and month exchanged."""
    year, month, day = told.before[:4], told.before[5:7], told.before[8:10]
    rest = told.before[10:]
    return bool(told.after == f"{year}-{day}-{month}{rest}")


def _moved(changes: _Changes) -> Iterator[_Told]:
    """Steady values that nearly all moved by one step: read in another zone, or with
    something added."""
    spec = changes.spec
    if is_money(spec) or not is_steady(spec, changes.batch.family):
        return iter(())
    by_step: defaultdict[Hashable, list[_Told]] = defaultdict(list)
    for told in changes.told:
        by_step[_STEPS[spec.kind](told)].append(told)
    by_step.pop(None, None)
    moved = max(by_step.values(), key=len, default=[])
    known = {told.before for told in moved}
    are_most = len(moved) >= _MOST_MOVED * len(changes.told)
    return iter(moved if are_most and len(known) >= _LEAST_MOVED else ())


def _time_between(told: _Told) -> timedelta:
    """How much later a moment is than the known one."""
    then, now = map(datetime.fromisoformat, (told.before, told.after))
    return now - then


def _days(told: _Told) -> Hashable:
    """A day earlier, as a zone east of the server's makes it; a later one may come of
    itself."""
    return -_DAY if _time_between(told) == -_DAY else None


def _hours(told: _Told) -> Hashable:
    """Less than a day."""
    step = _time_between(told)
    return step if abs(step) < _DAY else None


def _difference(told: _Told) -> Hashable:
    """The difference of two numbers."""
    return Decimal(told.after) - Decimal(told.before)


_STEPS: Mapping[FieldKind, Callable[[_Told], Hashable]] = {
    FieldKind.DATE: _days,
    FieldKind.DATETIME: _hours,
    FieldKind.NUMBER: _difference,
}
"""How far values of a kind have moved; None if that may be news."""


def _of_another_field(changes: _Changes) -> Iterator[_Told]:
    """Values that another field of the record has, or had, and did not share before."""
    spec = changes.spec
    fields = single_fields(changes.batch.schema, (spec.kind,))
    others = [other for other in fields if other.name != spec.name]
    least = _TELLS[spec.kind]
    for told in changes.told:
        were, are = _values_of(others, told.pair.old), _values_of(others, told.pair.new)
        is_theirs = told.after in were | are and told.before not in were
        if is_theirs and len(str(told.after)) >= least:
            yield told


def _values_of(specs: Sequence[FieldSpec], record: Record) -> set[Hashable]:
    """What a record says in some fields."""
    return {canonical(record.get(spec.name), spec) for spec in specs}


def _of_another_record(changes: _Changes) -> Iterator[_Told]:
    """Numbers that one other record was known for, together with another one."""
    records = changes.batch.of_others[changes.spec.name]
    return (told for told in changes.told if id(told.pair) in records)


def _of_another(
    one: FieldSpec, other: FieldSpec, pairs: Sequence[RecordPair]
) -> Iterator[int]:
    """The records of which two fields are other values than they were, and those that
    they were for a single other record."""
    before = [_both(one, other, pair.old) for pair in pairs]
    after = [_both(one, other, pair.new) for pair in pairs]
    owners, each = Counter(before), Counter(chain.from_iterable(before))
    most = max(1, _BY_CHANCE * len(pairs))
    for pair, old, new in zip(pairs, before, after, strict=True):
        differ = old[0] != new[0] and old[1] != new[1]
        is_telling = None not in old and each[new[0]] * each[new[1]] <= most
        if differ and is_telling and owners[new] == 1:
            yield id(pair)


def _both(
    one: FieldSpec, other: FieldSpec, record: Record
) -> tuple[Hashable, Hashable]:
    """What a record says in two fields."""
    first, second = record.get(one.name), record.get(other.name)
    return canonical(first, one), canonical(second, other)


def _part_of_list(changes: _Changes) -> Iterator[_Told]:
    """Lists that have lost items which are still said of other records: what the site
    says no more, it says of none."""
    spec = changes.spec
    said: set[Hashable] = set()
    for pair in changes.batch.pairs:
        said |= _items(canonical(pair.new.get(spec.name), spec))
    for told in changes.told:
        before, after = _items(told.before), _items(told.after)
        if after < before and (before - after) & said:
            yield told


def _items(form: Any) -> set[Hashable]:
    """The items of a list in the form in which it compares."""
    return set(form or ())


_WAYS = (
    _Way("part of the list", tuple(FieldKind), _part_of_list, is_single=False),
    _Way("another record's", NUMERIC_KINDS, _of_another_record),
    _Way("another field's", tuple(_TELLS), _of_another_field),
    _Way("moved as all others", tuple(_STEPS), _moved),
    _Way(
        "day and month exchanged", (FieldKind.DATE, FieldKind.DATETIME), _day_as_month
    ),
)
"""All of them, the one that says most of a value last."""
