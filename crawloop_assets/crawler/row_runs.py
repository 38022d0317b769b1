"""Records that spread over sibling elements: each from its start up to the next one.

The last record of a list has no next one. What follows the list among the same siblings
(a pager, a form) is none of it: it ends where elements begin such as no other record
has.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from crawloop_assets.document.document import Document, Element

_ENOUGH = 2
"""So many other records tell what elements a record has."""

_Run = tuple[int, ...]
_Name = tuple[str, frozenset[str]]


def runs_from(document: Document, starts: Sequence[int]) -> list[_Run]:
    """The starts with the sibling elements that belong to them; what is before the first
    start is in none."""
    all_starts = frozenset(starts)
    runs = [_run_from(document, start, all_starts) for start in starts]
    if len(runs) > _ENOUGH:
        *others, last = runs
        runs[-1] = _without_what_follows(document, last, others)
    return runs


def _run_from(document: Document, start: int, all_starts: frozenset[int]) -> _Run:
    """A start and its sibling elements up to the next start."""
    nodes = [start]
    for sibling in document.elements[start].itersiblings():
        number = document.number.get(sibling)
        if number is None:  # a comment
            continue
        if number in all_starts:
            break
        nodes.append(number)
    return tuple(nodes)


def _without_what_follows(
    document: Document, last: _Run, others: Iterable[_Run]
) -> _Run:
    """The last run up to its last element of a kind that others have, too."""
    nodes = chain.from_iterable(others)
    known = _Kinds.of([document.elements[node] for node in nodes])
    end = len(last)
    while end > 1 and not known.has(document.elements[last[end - 1]]):
        end -= 1
    return last[:end]


class _Kinds(NamedTuple):
    """What the elements of some runs are like: their names and those of their children,
    each with the names of its attributes, and all their classes."""

    elements: frozenset[_Name]
    children: frozenset[_Name]
    classes: frozenset[str]

    @classmethod
    def of(cls, elements: Sequence[Element]) -> "_Kinds":
        """Those of some elements."""
        children = chain.from_iterable(map(_children, elements))
        classes = chain.from_iterable(map(_classes, elements))
        return cls(
            frozenset(map(_name, elements)), frozenset(children), frozenset(classes)
        )

    def has(self, element: Element) -> bool:
        """Whether another element is like these. Its classes are, if one of them is, and
        so are children of a name that theirs have, too."""
        classes, children = _classes(element), _children(element)
        tags = set(map(itemgetter(0), self.children))
        common = {child for child in children if child[0] in tags}
        is_classed = not classes or not self.classes.isdisjoint(classes)
        is_filled = not common or not self.children.isdisjoint(common)
        return _name(element) in self.elements and is_classed and is_filled


def _name(element: Element) -> _Name:
    """The name of an element, and those of its attributes."""
    return str(element.tag), frozenset(map(str, element.attrib))


def _children(element: Element) -> frozenset[_Name]:
    """The names of its children; comments have none."""
    return frozenset(_name(one) for one in element if isinstance(one.tag, str))


def _classes(element: Element) -> frozenset[str]:
    """The classes of an element."""
    return frozenset((element.get("class") or "").split())
