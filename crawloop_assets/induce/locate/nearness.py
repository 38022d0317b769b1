"""Numbers that have moved, told by what they were: each is near its own known one, while
the known ones differ far more."""

from collections.abc import Sequence

from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)


def may_move(spec: FieldSpec) -> bool:
    """Whether a field is a number that may change every day."""
    return spec.volatile and spec.kind in _NUMBERS and spec.shape is Shape.ONE


def are_spread(before: Sequence[Value]) -> bool:
    """Whether known numbers are so many, and differ so much, that nearness is no chance."""
    numbers = list(map(_number, before))
    is_many = len(numbers) >= tuned("nearby.fewest_pages")
    least = max(min(numbers, default=0.0), 1.0)
    return is_many and max(numbers) >= tuned("nearby.spread") * least


def count_near(before: Sequence[Value], now: Sequence[Value]) -> int:
    """Of how many known numbers the one now is near; None is none."""
    share, least = tuned("nearby.most"), tuned("moved_on.least")
    return sum(
        value is not None
        and abs(_number(value) - _number(known)) <= max(share * _number(known), least)
        for known, value in zip(before, now, strict=True)
    )


def have_moved_a_little(
    spec: FieldSpec, before: Sequence[Value], now: Sequence[Value]
) -> bool:
    """Whether what is read is what the known numbers of a field have become: near them in
    nearly all records, and near those of other records in few: not of the next one, for
    a list may be in their order."""
    if not may_move(spec) or not are_spread(before):
        return False
    near = count_near(before, now)
    half = len(before) // 2
    by_chance = count_near([*before[half:], *before[:half]], now)
    return near >= max(tuned("nearby.rows") * len(now), 2 * by_chance)


def _number(value: Value) -> float:
    """A number, however it is kept."""
    return float(str(value))
