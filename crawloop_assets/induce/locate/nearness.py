"""Numbers that have moved, told by what they were: each is near its own known one, while
the known ones differ far more."""

import math
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, compress
from operator import is_not, lt, sub
from statistics import fmean, median
from typing import TypeVar

from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_Any = TypeVar("_Any")
_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_HALF = 0.5
_DECIMALS, _SPARSE = 6, 4
_RAREST = 0.001
"""Share of cases that hit by chance where none was seen to."""
_UNSEEN = 3
"""So many more of the others may be as near, in a look at more of them."""
_MOST_TURNS = 30
"""With about so many others each record is compared, spread over all: a list may have thousands."""


def may_move(spec: FieldSpec) -> bool:
    """Whether a field is a number that may change every day."""
    return spec.volatile and spec.kind in _NUMBERS and spec.shape is Shape.ONE


def are_near(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value], share: float
) -> bool:
    """Whether in this share of records or more what is said now is near the known number,
    and it is no chance; a number of many records may move farther, if those of others
    are farther still."""
    least = math.ceil(share * len(before))
    is_near = count_near(spec, before, now) >= least
    is_near = is_near and _are_telling(spec, before, now)
    return (
        is_near
        or _moved_less(before, now, share)
        or _are_mostly_same(spec, before, now, share)
    )


def have_moved_a_little(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value]
) -> bool:
    """Whether what is read is what the known numbers of a field have become: near them in
    nearly all records, and near those of other records in few: not of the next one, for
    a list may be in their order."""
    if not may_move(spec):
        return False
    near = count_near(spec, before, now)
    by_chance = count_near(spec, _turned(before, len(before) // 2), now)
    is_near = near >= max(tuned("nearby.rows") * len(now), 2 * by_chance)
    is_near = is_near and _are_telling(spec, before, now)
    share = tuned("nearby.rows")
    return (
        is_near
        or _moved_less(before, now, share)
        or _are_mostly_same(spec, before, now, share)
    )


def count_near(spec: FieldSpec, before: Sequence[Value], now: Sequence[Value]) -> int:
    """Of how many known numbers the one now is near; None is none. A small count may move
    by a few; of an amount nobody knows what is little but by what it was."""
    share, least = tuned("nearby.most"), _least_step(spec)
    return sum(
        value is not None
        and abs(_number(value) - _number(known)) <= max(share * _number(known), least)
        for known, value in zip(before, now, strict=True)
    )


def _are_telling(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value]
) -> bool:
    """Whether known numbers are so many, and differ so much, that nearness is no chance:
    they are far apart, or hardly any is near what another one has become."""
    if len(before) < tuned("nearby.fewest_pages"):
        return False
    numbers = _numbers(before)
    least = max(min(numbers), min(_least_step(spec), 1.0))
    if least > 0 and max(numbers) >= tuned("nearby.spread") * least:
        return True
    if _moved_as_one(before, now):
        return True
    chance = _share_by_chance(spec, before, now) ** count_near(spec, before, now)
    return min(chance, _chance_of_steps(before, now)) <= tuned("nearby.chance")


def _chance_of_steps(before: Sequence[Value], now: Sequence[Value | None]) -> float:
    """How likely it is that all numbers come so near the known ones by chance: what moved
    by a thousandth, of numbers that differ by a half, did by far less than what moved by
    a tenth of them."""
    then = _numbers(before)
    if None in now or 0.0 in then:
        return 1.0
    after = _numbers(now)
    most = max(_shares(after, then))
    turned = (_shares(after, _turned(then, by)) for by in range(1, len(then)))
    near = sum(share <= most for share in chain.from_iterable(turned))
    usual = (near + _UNSEEN) / (len(then) * (len(then) - 1))
    return min(1.0, usual) ** len(then)


def _shares(now: Sequence[float], before: Sequence[float]) -> list[float]:
    """By which share of what it was each number moved."""
    pairs = zip(_steps(now, before), before, strict=True)
    return [step / abs(known) for step, known in pairs]


def _moved_as_one(before: Sequence[Value], now: Sequence[Value | None]) -> bool:
    """Whether all numbers went by one step, and so many of them differ: the days that are
    left are fewer by one everywhere, which other numbers are by no chance. Ranks and such
    that follow each other are all one step from another count."""
    if None in now:
        return False
    then = _numbers(before)
    steps = {round(step, _DECIMALS) for step in map(sub, _numbers(now), then)}
    is_sparse = max(then) - min(then) >= _SPARSE * len(then)
    is_one = len(steps) == 1 and any(steps) and is_sparse
    return is_one and len(set(then)) >= tuned("nearby.fewest_pages")


def _moved_less(before: Sequence[Value], now: Sequence[Value], share: float) -> bool:
    """Whether the numbers of many records have moved by half of what would make them
    those of other records, or less, each of this share of them less than to most others."""
    said = list(map(partial(is_not, None), now))
    if sum(said) < max(tuned("nearby.fewest_rows"), share * len(before)):
        return False
    then, after = _numbers(compress(before, said)), _numbers(compress(now, said))
    own = _steps(after, then)
    apart = max(1, len(then) // _MOST_TURNS)
    turns = map(partial(_turned, then), range(1, len(then), apart))
    turned = list(map(partial(_steps, after), turns))
    usual = map(median, zip(*turned, strict=True))
    closer = sum(map(lt, own, usual))
    least = tuned("nearby.steps") * min(map(fmean, turned))
    return closer >= share * len(before) and fmean(own) <= least


def _are_mostly_same(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value], share: float
) -> bool:
    """Whether half of the numbers of many records or more are what they were, and the others
    near that: small counts of any records are near each other, but so many are the same
    by no chance."""
    count, is_near = len(before), count_near(spec, before, now) >= share * len(before)
    if not is_near or count < tuned("nearby.fewest_rows"):
        return False
    same = _count_same(before, now) / count
    turns = range(1, count, max(1, count // _MOST_TURNS))
    others = [_count_same(_turned(before, by), now) / count for by in turns]
    chance = _most_likely(same, fmean(others), count)
    return same >= _HALF and chance <= tuned("nearby.same_by_chance")


def _count_same(before: Sequence[Value], now: Sequence[Value]) -> int:
    """How many numbers are what they were."""
    return sum(
        value is not None and _number(value) == _number(known)
        for known, value in zip(before, now, strict=True)
    )


def _most_likely(share: float, usual: float, count: int) -> float:
    """How likely it is at most that so large a share of some cases hits by chance, where a
    `usual` one does (the bound of Chernoff)."""
    if share <= usual:
        return 1.0
    pairs = (share, usual), (1.0 - share, 1.0 - usual)
    apart = sum(
        one * math.log(one / max(other, _RAREST)) for one, other in pairs if one
    )
    return math.exp(-count * apart)


def _steps(now: Sequence[float], before: Sequence[float]) -> list[float]:
    """How far each of some numbers moved."""
    return list(map(abs, map(sub, now, before)))


def _numbers(values: Iterable[Value]) -> list[float]:
    """Values as numbers."""
    return list(map(_number, values))


def _share_by_chance(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value]
) -> float:
    """The share of the known numbers of other records that are near the one now."""
    turns = (_turned(before, by) for by in range(1, len(before)))
    near = sum(count_near(spec, turned, now) for turned in turns)
    return near / (len(before) * (len(before) - 1))


def _turned(values: Sequence[_Any], by: int) -> list[_Any]:
    """The same values, each in the place of another one so far before it."""
    return [*values[by:], *values[:by]]


def _least_step(spec: FieldSpec) -> float:
    """By how much a number may move however small it is."""
    return tuned("moved_on.least") if spec.kind is FieldKind.INTEGER else 0.0


def _number(value: Value) -> float:
    """A number, however it is kept."""
    return float(str(value))
