"""Looking at some of many items instead of all."""

from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def spread_sample(items: Sequence[_Item], count: int) -> Sequence[_Item]:
    """Items at equal distances over all of them: at least `count` (all if there are
    fewer), less than twice as many."""
    return items[:: max(1, len(items) // count)]
