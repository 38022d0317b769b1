"""Elements by their classes: one class is looked up in all of them as one text, many
by an index."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache

_BETWEEN = "\0"
"""Stands between the classes of two elements; a page has none."""
_FEW_NAMES = 32
"""A crawler asks for so many of the hundreds a page has, the compiler for more: then an
index costs less."""


class ClassIndex:
    """The elements of a page by the names in their `class` attributes.

    `classes` are those attributes in document order, "" for an element without one.
    """

    def __init__(self, classes: list[str]):
        """Nothing has been looked for yet."""
        self._classes = classes
        self._known: dict[str, list[int]] = {}

    def having(self, name: str) -> list[int]:
        """The numbers of the elements that have a class, ascending; not to be changed."""
        known = self._known.get(name)
        if known is not None:
            return known
        if len(self._known) < _FEW_NAMES:
            numbers = list(self._search(name))
        else:
            numbers = self._by_name.get(name, [])
        self._known[name] = numbers
        return numbers

    def _search(self, name: str) -> Iterator[int]:
        """Look for the name in the joined text; in front of a hit there are as many
        marks as elements."""
        if not name:
            return
        text, classes = self._joined, self._classes
        number, counted = 0, 0
        start = text.find(name)
        while start >= 0:
            number += text.count(_BETWEEN, counted, start)
            counted = start
            if name in _names(classes[number]):
                yield number
            end = text.find(_BETWEEN, start)
            start = text.find(name, end) if end >= 0 else -1

    @cached_property
    def _joined(self) -> str:
        """All attributes as one text."""
        return _BETWEEN.join(self._classes)

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        """Elements by each of their classes."""
        index: defaultdict[str, list[int]] = defaultdict(list)
        for number, classes in enumerate(self._classes):
            if not classes:
                continue
            for name in _names(classes):
                index[name].append(number)
        return dict(index)


@lru_cache(maxsize=4096)
def _names(classes: str) -> tuple[str, ...]:
    """The different names in a `class` attribute; a page repeats most attributes."""
    return tuple(dict.fromkeys(classes.split()))
