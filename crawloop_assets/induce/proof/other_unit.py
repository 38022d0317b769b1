"""Numbers that are read in another unit: seconds where minutes were. Zeros are the same in
both, so that they prove nothing."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from operator import le

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_FEWEST = 3
"""Numbers that are many times what they were, for that to be no chance."""
_SHARE = 0.8  # of all but zeros
_LEAST = 7
"""Times: no rise makes numbers so many times as large."""


def are_in_other_unit(
    spec: FieldSpec, pairs: Sequence[tuple[Value, Value | None]]
) -> bool:
    """Whether no number but zero is read as it was known, and nearly all are many times as
    large as they were; `pairs` are (known, read). Counts that are small now may have begun
    anew."""
    if not _is_number(spec):
        return False
    ratios = list(_ratios(spec, pairs))
    least = max(_FEWEST, _SHARE * len(ratios))
    larger = sum(map(partial(le, _LEAST), ratios))
    return 1 not in ratios and larger >= least


def _is_number(spec: FieldSpec) -> bool:
    """Whether a field is one number."""
    return all((spec.kind in _NUMBERS, spec.shape is Shape.ONE))


def _ratios(
    spec: FieldSpec, pairs: Sequence[tuple[Value, Value | None]]
) -> Iterator[Decimal]:
    """How many times as large each number is as it was known; none of zeros."""
    for both in pairs:
        before, now = map(partial(_number, spec), both)
        if before and now:
            yield now / before


def _number(spec: FieldSpec, value: Value | None) -> Decimal:
    """A value as a number, 0 for none."""
    number = parse_value(str(value), spec.model_copy(update={"decimal": "."}))
    return Decimal(str(number or 0))
