"""Counts numbers that changed by one and the same ratio: prices of other countries, other
currencies, without tax, with a discount for members.

Prices of a shop change one by one. Many by one ratio on one day are a general rise, or
another price than before; which of the two only the next refresh can tell.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

from crawloop_assets.drift.changes import FieldChange, RecordPair, changes_of
from crawloop_assets.drift.number_signs import is_sale
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_WIDTH = 0.003
"""Ratios that differ by less than this part are one, but for rounding."""

_LEAST = 5
"""Fewer numbers share a ratio by chance."""

_LEAST_SHARE = 0.5
"""Prices that move by themselves come near each other, but not most of them."""

_LEAST_DIGITS = 3
"""Numbers of fewer digits have few ratios."""


class _Moved(NamedTuple):
    change: FieldChange
    ratio: float


def count_ratio_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    tallies: Tallies,
) -> None:
    """Count RATIO of every volatile number that changed, but for sales: whether it
    changed by the ratio that most of them did."""
    for spec in schema.fields:
        if not _is_price(spec):
            continue
        moved = list(_moved(changes_of(spec, pairs, outcomes)))
        low, high = _commonest([item.ratio for item in moved])
        for change, ratio in moved:
            change.add_to(tallies, Sign.RATIO, low <= ratio <= high)


def _is_price(spec: FieldSpec) -> bool:
    return spec.volatile and spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE


def _moved(changes: Iterator[FieldChange]) -> Iterator[_Moved]:
    """The numbers that changed, and the logarithm of their ratio."""
    for change in changes:
        before, after = _as_price(change.before), _as_price(change.after)
        if before is None or after in (None, before):
            continue
        assert after is not None
        if not is_sale(change, before, after):
            yield _Moved(change, log(after) - log(before))


def _as_price(value: object) -> float | None:
    """A number of three digits or more."""
    if sum(map(str.isdigit, str(value))) < _LEAST_DIGITS:
        return None
    return as_positive(value)


def _commonest(ratios: Sequence[float]) -> tuple[float, float]:
    """The narrow range in which most ratios are; an empty one if fewer than five
    are, or fewer than half."""
    ranked = sorted(ratios)
    ends = [bisect_right(ranked, ratio + _WIDTH) for ratio in ranked]
    counts = [end - start for start, end in enumerate(ends)]
    most = max(counts, default=0)
    if most < max(_LEAST, _LEAST_SHARE * len(ratios)):
        return 1.0, 0.0
    start = counts.index(most)
    return ranked[start], ranked[start] + _WIDTH
