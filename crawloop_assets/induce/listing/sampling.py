"""Taking some of many items."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def spread_sample(items: Sequence[_Item], count: int) -> Sequence[_Item]:
    """Items at equal distances over all of them: at least `count` (all if there are
    fewer), less than twice as many."""
    return items[:: max(1, len(items) // count)]


def limit_each(
    items: Iterable[_Item], kind_of: Callable[[_Item], Hashable], most: int
) -> Iterator[_Item]:
    """The items in their order, at most so many of each kind."""
    counts: Counter[Hashable] = Counter()
    for item in items:
        kind = kind_of(item)
        counts[kind] += 1
        if counts[kind] <= most:
            yield item
