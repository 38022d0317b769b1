"""Runs: one element for each item of a list, in page order."""

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop_assets.document.document import Document

_MOST_STARTS = 6  # elements of the first item that a run may begin with


def runs_of(document: Document, items: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Ways to read the items in page order, one per element of the first item; `items`:
    the elements of each item, at least one.

    Where an item has several elements, the one that looks like most of its fellows is
    taken; of one inside the other that which looks like the first.
    """
    looks = _Looks(document, items)
    seen: set[tuple[int, ...]] = set()
    for start in items[0][:_MOST_STARTS]:
        run = [start]
        for options in items[1:]:
            run.append(looks.next_of(run, options))
        if tuple(run) not in seen:
            seen.add(tuple(run))
            yield run


class _Looks:
    """What the elements of items look like: tag and class."""

    def __init__(self, document: Document, items: Sequence[Sequence[int]]):
        """`items` are, for each item, the elements it can be read from."""
        self._document = document
        self._of: dict[int, tuple[str, str]] = {}
        self._common: Counter[tuple[str, str]] = Counter()
        for numbers in items:
            looks = [(document.tags[each], document.classes[each]) for each in numbers]
            self._of.update(zip(numbers, looks, strict=True))
            self._common.update(set(looks))

    def next_of(self, run: Sequence[int], options: Sequence[int]) -> int:
        """The element of the next item that goes on with a run."""
        after = [number for number in options if number > run[-1]]
        if not after:
            return options[0]
        commonest = min(after, key=self._rank)
        for number in self._inside(commonest, after):
            if self._of[number] == self._of[run[0]]:
                return number
        return commonest

    def _inside(self, outer: int, numbers: Sequence[int]) -> Iterator[int]:
        """Those of some elements that are in one of them, itself included."""
        end = self._document.end[outer]
        for number in numbers:
            if outer <= number < end:
                yield number

    def _rank(self, number: int) -> tuple[int, int]:
        """Sorts elements first that look like those of most items."""
        return -self._common[self._of[number]], number


def is_around(document: Document, run: Sequence[int], other: Sequence[int]) -> bool:
    """True if the elements of one run hold those of another: on other pages they may
    hold more than the items."""
    if run == other:
        return False
    pairs = zip(run, other, strict=True)
    return all(outer <= inner < document.end[outer] for outer, inner in pairs)
