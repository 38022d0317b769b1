"""Shares averaged over families: a family with many pages does not weigh more."""

import random
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

Share = float | None
"""0..1, None where there is nothing to have a share of."""

_RESAMPLES = 1000
_OUTSIDE = 0.025
"""Of the resampled means so many lie on either side of an interval."""


def matching(
    groups: Sequence[Sequence[T]], holds: Callable[[T], bool]
) -> list[list[T]]:
    """What holds of each group, group by group."""
    return [list(filter(holds, group)) for group in groups]


def with_any(groups: Iterable[Sequence[T]]) -> list[Sequence[T]]:
    """The groups that are not empty."""
    return list(filter(None, groups))


def share_of(groups: Iterable[Sequence[T]], holds: Callable[[T], bool]) -> Share:
    """The share of which it holds in each group that has any, averaged."""
    shares = [sum(map(holds, group)) / len(group) for group in with_any(groups)]
    return round(statistics.fmean(shares), 4) if shares else None


def interval_of(
    groups: Iterable[Sequence[T]], holds: Callable[[T], bool]
) -> tuple[float, float] | None:
    """Between which shares 95 % of the means lie that families drawn anew would have:
    drawn with replacement, always in the same way. None for fewer than two families."""
    shares = [sum(map(holds, group)) / len(group) for group in with_any(groups)]
    if len(shares) < 2:
        return None
    draw = random.Random(0)
    means = sorted(
        statistics.fmean(draw.choices(shares, k=len(shares))) for _ in range(_RESAMPLES)
    )
    cut = int(_RESAMPLES * _OUTSIDE)
    return round(means[cut], 4), round(means[-1 - cut], 4)


def mean_of_means(groups: Iterable[Sequence[float]]) -> Share:
    """The mean over the groups that are not empty of the mean of each."""
    means = list(map(statistics.fmean, with_any(groups)))
    return round(statistics.fmean(means), 4) if means else None


def total(groups: Iterable[Sequence[T]]) -> int:
    """How many there are in all groups."""
    return sum(map(len, groups))
