"""Shares averaged over families: a family with many pages does not weigh more."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

Share = float | None
"""0..1, None where there is nothing to have a share of."""


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


def total(groups: Iterable[Sequence[T]]) -> int:
    """How many there are in all groups."""
    return sum(map(len, groups))
