"""Counts values that are what was known, said otherwise.

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
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.drift.bonds import is_money
from crawloop_assets.drift.by_chance import ByChance, is_often
from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.fields import NUMERIC_KINDS, is_steady, single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.traded import traded_places
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import both_forms, canonical

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


class _Turned(NamedTuple):
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
    turned: Sequence[_Turned]


class _Making(NamedTuple):
    """One way to make a value of what was known, for fields of some kinds, with one
    value or with several."""

    words: str
    kinds: Collection[FieldKind]
    find: Callable[[_Changes], Iterator[_Turned]]
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
    """Count RETOLD of every field of the known records that has a value then and now;
    and BORROWED of every count that may change every day: whether it was exchanged with
    another number of its record."""
    batch = _Batch(schema, family, pairs)
    for spec in schema.fields:
        known = list(_known(spec, pairs))
        changed = [turned for turned in known if turned.before != turned.after]
        changes = _Changes(batch, spec, changed)
        makings = _makings(changes)
        if spec.kind is FieldKind.INTEGER and spec.volatile:
            _count_borrowed(changes, known, tallies)
        for turned in known:
            making = makings.get(id(turned.pair))
            tallies.add(
                Sign.RETOLD,
                spec.name,
                turned.pair.page,
                has_sign=making is not None,
                expected=f"{turned.pair.old.get(spec.name)} ({making})",
                got=turned.pair.new.get(spec.name),
            )


def _count_borrowed(
    changes: _Changes, known: Sequence[_Turned], tallies: Tallies
) -> None:
    """Count the numbers that two fields of a record exchanged."""
    spec = changes.spec
    numbers = single_fields(changes.batch.schema, NUMERIC_KINDS)
    others = [other.name for other in numbers if other.name != spec.name]
    for turned in known:
        tallies.add(
            Sign.BORROWED,
            spec.name,
            turned.pair.page,
            has_sign=_is_exchanged(turned.pair, spec.name, others),
            expected=turned.pair.old.get(spec.name),
            got=turned.pair.new.get(spec.name),
        )


def _is_exchanged(pair: RecordPair, name: str, others: Sequence[str]) -> bool:
    """Whether a number is what another one of its record was, and that one what it
    was."""
    was, now = pair.old[name], pair.new[name]
    others_moved = ((pair.new.get(other), pair.old.get(other)) for other in others)
    return was != now and (was, now) in others_moved


def _known(spec: FieldSpec, pairs: Sequence[RecordPair]) -> Iterator[_Turned]:
    """A field of all records that have a value then and now."""
    for pair in pairs:
        then, now = pair.old.get(spec.name), pair.new.get(spec.name)
        before, after = both_forms(then, now, spec)
        if None not in (before, after):
            yield _Turned(pair, before, after)


def _makings(changes: _Changes) -> dict[int, str]:
    """How the known value is said otherwise, by id of the record's pair. What did not
    change was made of nothing, which on most days is all."""
    if not changes.turned:
        return {}
    return {
        id(turned.pair): making.words
        for making in _MAKINGS
        if making.fits(changes.spec)
        for turned in making.find(changes)
    }


def _day_as_month(changes: _Changes) -> Iterator[_Turned]:
    """Dates of which day and month are exchanged."""
    return filter(_is_day_as_month, changes.turned)


def _is_day_as_month(turned: _Turned) -> bool:
    """Whether a date is the known one with day and month exchanged."""
    year, month, day = turned.before[:4], turned.before[5:7], turned.before[8:10]
    rest = turned.before[10:]
    return bool(turned.after == f"{year}-{day}-{month}{rest}")


def _moved(changes: _Changes) -> Iterator[_Turned]:
    """Steady values that nearly all moved by one step: read in another zone, or with
    something added."""
    spec = changes.spec
    if is_money(spec) or not is_steady(spec, changes.batch.family):
        return iter(())
    by_step: defaultdict[Hashable, list[_Turned]] = defaultdict(list)
    for turned in changes.turned:
        by_step[_step(spec, turned)].append(turned)
    by_step.pop(None, None)
    moved = max(by_step.values(), key=len, default=[])
    known = set(map(attrgetter("before"), moved))
    are_most = len(moved) >= _MOST_MOVED * len(changes.turned)
    return iter(moved if are_most and len(known) >= _LEAST_MOVED else ())


def _step(spec: FieldSpec, turned: _Turned) -> Hashable:
    """How far a value moved; None of what is no value of its kind: a crawler may return
    whatever it likes."""
    try:
        return _STEPS[spec.kind](turned)
    except (ValueError, TypeError, ArithmeticError):
        return None


def _time_between(turned: _Turned) -> timedelta:
    """How much later a moment is than the known one."""
    then, now = map(datetime.fromisoformat, (turned.before, turned.after))
    return now - then


def _days(turned: _Turned) -> Hashable:
    """A day earlier, as a zone east of the server's makes it; a later one may come of
    itself."""
    return -_DAY if _time_between(turned) == -_DAY else None


def _hours(turned: _Turned) -> Hashable:
    """Less than a day."""
    step = _time_between(turned)
    return step if abs(step) < _DAY else None


def _difference(turned: _Turned) -> Hashable:
    """The difference of two numbers."""
    return Decimal(turned.after) - Decimal(turned.before)


_STEPS: Mapping[FieldKind, Callable[[_Turned], Hashable]] = {
    FieldKind.DATE: _days,
    FieldKind.DATETIME: _hours,
    FieldKind.NUMBER: _difference,
}
"""How far values of a kind have moved; None if that may be news."""


def _of_another_field(changes: _Changes) -> Iterator[_Turned]:
    """Values that another field of the record has, or had, and did not share before. Of
    counts that are often alike, and of those that moved as others did, that is chance."""
    spec = changes.spec
    fields = single_fields(changes.batch.schema, (spec.kind,))
    others = [other for other in fields if other.name != spec.name]
    least, pairs = _TELLS[spec.kind], changes.batch.pairs
    chance = _chance(spec, pairs)
    said = Counter(chain.from_iterable(_both_values(others, pair) for pair in pairs))
    for turned in changes.turned:
        then = _values_of(others, turned.pair.old)
        theirs = _both_values(others, turned.pair)
        is_theirs = turned.after in theirs and turned.before not in then
        is_common = spec.kind is FieldKind.INTEGER and is_often(
            said[turned.after], len(pairs)
        )
        is_chance = is_common or _has_stepped(spec, turned.pair, chance)
        if is_theirs and not is_chance and len(str(turned.after)) >= least:
            yield turned


def _chance(spec: FieldSpec, pairs: Sequence[RecordPair]) -> ByChance:
    """What records may have in common in a field."""
    values = [(pair.old.get(spec.name), pair.new.get(spec.name)) for pair in pairs]
    return ByChance(spec, values)


def _has_stepped(spec: FieldSpec, pair: RecordPair, chance: ByChance) -> bool:
    """Whether a count of a record has moved as others did."""
    return chance.is_step(pair.old.get(spec.name), pair.new.get(spec.name))


def _both_values(specs: Sequence[FieldSpec], pair: RecordPair) -> set[Hashable]:
    """What a record says in some fields, then and now."""
    return _values_of(specs, pair.old) | _values_of(specs, pair.new)


def _values_of(specs: Sequence[FieldSpec], record: Record) -> set[Hashable]:
    """What a record says in some fields."""
    return {canonical(record.get(spec.name), spec) for spec in specs}


def _of_another_record(changes: _Changes) -> Iterator[_Turned]:
    """Numbers that one other record was known for, together with another one."""
    records = changes.batch.of_others[changes.spec.name]
    return (turned for turned in changes.turned if id(turned.pair) in records)


def _of_another(
    one: FieldSpec, other: FieldSpec, pairs: Sequence[RecordPair]
) -> Iterator[int]:
    """The records of which two fields are other values than they were, and those that
    they were for a single other record."""
    before = [_both(one, other, pair.old) for pair in pairs]
    after = [_both(one, other, pair.new) for pair in pairs]
    owners, each = Counter(before), Counter(chain.from_iterable(before))
    most = max(1, _BY_CHANCE * len(pairs))
    chances = [(spec, _chance(spec, pairs)) for spec in (one, other)]
    for pair, old, new in zip(pairs, before, after, strict=True):
        differ = old[0] != new[0] and old[1] != new[1]
        is_telling = None not in old and each[new[0]] * each[new[1]] <= most
        have_stepped = (_has_stepped(spec, pair, chance) for spec, chance in chances)
        if differ and is_telling and owners[new] == 1 and not all(have_stepped):
            yield id(pair)


def _both(
    one: FieldSpec, other: FieldSpec, record: Record
) -> tuple[Hashable, Hashable]:
    """What a record says in two fields."""
    first, second = record.get(one.name), record.get(other.name)
    return canonical(first, one), canonical(second, other)


def _in_its_place(changes: _Changes) -> Iterator[_Turned]:
    """Values that have changed places with those of another field, and moved since."""
    spec, batch = changes.spec, changes.batch
    records = traded_places(spec, batch.schema, batch.pairs)
    return (turned for turned in changes.turned if id(turned.pair) in records)


def _part_of_list(changes: _Changes) -> Iterator[_Turned]:
    """Lists that have lost items which are still said of other records: what the site
    says no more, it says of none."""
    spec = changes.spec
    said: set[Hashable] = set()
    for pair in changes.batch.pairs:
        said |= _items(canonical(pair.new.get(spec.name), spec))
    for turned in changes.turned:
        before, after = _items(turned.before), _items(turned.after)
        if after < before and (before - after) & said:
            yield turned


def _items(form: Any) -> set[Hashable]:
    """The items of a list in the form in which it compares."""
    return set(form or ())


_MAKINGS = (
    _Making("in another field's place", tuple(FieldKind), _in_its_place),
    _Making("part of the list", tuple(FieldKind), _part_of_list, is_single=False),
    _Making("another record's", NUMERIC_KINDS, _of_another_record),
    _Making("another field's", tuple(_TELLS), _of_another_field),
    _Making("moved as all others", tuple(_STEPS), _moved),
    _Making(
        "day and month exchanged", (FieldKind.DATE, FieldKind.DATETIME), _day_as_month
    ),
)
"""All of them, the one that says most of a value last."""
