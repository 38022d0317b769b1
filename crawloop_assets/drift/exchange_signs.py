"""Counts exchanges: known records that have each other's values now.

One changed value is news. That a record takes the value another one had, while that
one has a third's, and so on in a ring, is never news: rows were shifted, or pages
mixed up.

A number that one other record of the batch has or had says less: by chance a price is
another one's to the cent, the oftener the more records there are. How often that
happens in batches of this family its history says; what is rarer than one in a hundred
waits. So does one that also moved farther than any did before: no chance is as good.
Two numbers change places by chance, too, where others moved as far: that is no exchange.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.drift.changes import RecordPair, said_since
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY, as_number
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import both_forms
from crawloop_assets.values.present import present

_KINDS = (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.URL, FieldKind.DATE)
"""Kinds of which a value tells whose it is; counts and choices are many records'."""

_LEAST_CHARS = 3
"""Ratings and small counts have no more characters."""

_LEAST_LINKS = 2
"""A row in which more values went from one record to the next was shifted."""


_FEWEST_MOVED = 10
_FEWEST_AS_FAR = 2
"""Records beside two that changed places, and those of them that moved as far or farther, for these two to have done
so by chance."""


class _Change(NamedTuple):
    pair: RecordPair
    before: Hashable
    after: Hashable

    def step(self, name: str) -> float:
        """How far a number moved; 0 of what is none."""
        both = (self.pair.old.get(name), self.pair.new.get(name))
        numbers = present(map(as_number, both))
        return max(numbers, default=0.0) - min(numbers, default=0.0)


class _Trail(NamedTuple):
    """Records of which each has the value of the next one; of a ring the last has that
    of the first."""

    members: tuple[int, ...]
    is_ring: bool


def count_exchange_signs(
    schema: RecordSchema,
    pairs: Sequence[RecordPair],
    outcomes: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count EXCHANGED of every field: known records whose value is another one, and
    whether it comes from a ring or a row of such records; and BORROWED of every number
    that may change every day and did: whether one other record has it, or had it, or
    took what it was; and LENT: whether one of these two shows STRIDE as well."""
    for spec in schema.fields:
        if spec.kind in _KINDS and spec.shape is Shape.ONE:
            known = [pair.old.get(spec.name) for pair in pairs]
            _count_field(spec, list(_changes(spec, pairs, known)), tallies)
            if spec.kind is FieldKind.NUMBER and spec.volatile:
                last = [_last(spec, pair, outcomes) for pair in pairs]
                _count_borrowed(spec, list(_changes(spec, pairs, last)), tallies)


def _last(spec: FieldSpec, pair: RecordPair, outcomes: Sequence[PageOutcome]) -> object:
    """What is known of a record, or was said of it since: what is held moves on
    meanwhile, and by chance to what another one was known for."""
    said = said_since(spec, outcomes[pair.page])
    return pair.old.get(spec.name) if said in EMPTY else said


def _count_borrowed(
    spec: FieldSpec, changes: Sequence[_Change], tallies: Tallies
) -> None:
    owners: defaultdict[Hashable, set[int]] = defaultdict(set)
    takers: defaultdict[Hashable, set[int]] = defaultdict(set)
    for at, change in enumerate(changes):
        owners[change.before].add(at)
        owners[change.after].add(at)
        if change.before != change.after:
            takers[change.after].add(at)
    hits = tallies.hits(Sign.STRIDE, spec.name)
    # As texts: what was read may be no number at all, but a list.
    moved_far = {(hit.page, str(hit.got)) for hit in hits}
    values = [(pair.page, str(pair.new[spec.name])) for pair, _, _ in changes]
    for at, (pair, before, after) in enumerate(changes):
        if before == after:
            continue
        others = (owners[after] - {at}, takers[before])
        one = {at}.union(*(each for each in others if len(each) == 1))
        is_far = not moved_far.isdisjoint(map(values.__getitem__, one))
        _add(Sign.BORROWED, spec, pair, len(one) > 1, tallies)
        _add(Sign.LENT, spec, pair, len(one) > 1 and is_far, tallies)


def _add(
    sign: Sign, spec: FieldSpec, pair: RecordPair, has_sign: bool, tallies: Tallies
) -> None:
    """Count a record as a unit of a sign of a field."""
    tallies.add(
        sign,
        spec.name,
        pair.page,
        has_sign=has_sign,
        expected=pair.old.get(spec.name),
        got=pair.new.get(spec.name),
    )


def _count_field(spec: FieldSpec, changes: Sequence[_Change], tallies: Tallies) -> None:
    moved: set[int] = set()
    for trail in _trails(_givers(changes)):
        if trail.is_ring or (len(trail.members) > _LEAST_LINKS and not spec.volatile):
            moved.update(trail.members)
    if _is_chance(spec, changes, moved):
        moved.clear()
    for at, change in enumerate(changes):
        _add(Sign.EXCHANGED, spec, change.pair, at in moved, tallies)


def _is_chance(spec: FieldSpec, changes: Sequence[_Change], moved: Set[int]) -> bool:
    """Whether two numbers that have each other's value now went no farther than others did."""
    if len(moved) != _LEAST_LINKS or not spec.volatile:
        return False
    steps = list(map(methodcaller("step", spec.name), changes))
    farthest = max(map(steps.__getitem__, moved))
    # The two are among those that moved so far.
    as_far = sum(map(farthest.__le__, steps)) - _LEAST_LINKS
    others = len(steps) - _LEAST_LINKS
    return others >= _FEWEST_MOVED and as_far >= _FEWEST_AS_FAR


def _changes(
    spec: FieldSpec, pairs: Sequence[RecordPair], then: Sequence[object]
) -> Iterator[_Change]:
    """A field of all known records that has a value then and now."""
    for pair, before in zip(pairs, then, strict=True):
        after = pair.new.get(spec.name)
        if all(map(_tells, (before, after))):
            yield _Change(pair, *both_forms(before, after, spec))


def _tells(value: object) -> bool:
    """Whether a value says whose it is: short ones are many records'."""
    return value not in EMPTY and len(str(value)) > _LEAST_CHARS


def _givers(changes: Sequence[_Change]) -> dict[int, int]:
    """Of each record that has another value now, the only one that had it before."""
    counts = Counter(map(attrgetter("before"), changes))
    owners = {change.before: at for at, change in enumerate(changes)}
    givers: dict[int, int] = {}
    for at, change in enumerate(changes):
        giver = owners.get(change.after)
        if giver not in (None, at) and counts[change.after] == 1:
            givers[at] = owners[change.after]
    return givers


def _trails(givers: Mapping[int, int]) -> Iterator[_Trail]:
    """The rings and rows in which values went from record to record."""
    left = dict(givers)
    for start in [at for at in givers if at not in set(givers.values())]:
        yield _followed(start, left)
    while left:
        yield _followed(next(iter(left)), left)


def _followed(start: int, left: dict[int, int]) -> _Trail:
    """The trail from a record to the last that gave its value, taken out of `left`."""
    members, current = [start], start
    while current in left:
        current = left.pop(current)
        if current == start:
            return _Trail(tuple(members), is_ring=True)
        members.append(current)
    return _Trail(tuple(members), is_ring=False)
