"""What the inside of known records looks like, to tell other records from what is
none."""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.selector_parts import tag_and_classes

_MOST_ELEMENTS = 80
_CORE_SHARE = 0.9
"""Share of what all known records have that a record must have."""
_STRANGE_SHARE = 0.3
"""Share of what a record has that no known record need have, beside one thing."""


class Look(NamedTuple):
    """What known records have inside, as tags with their classes: all of them, any of
    them."""

    core: frozenset[str]
    seen: frozenset[str]

    @classmethod
    def of(cls, document: Document, nodes: Sequence[int]) -> "Look":
        """The look of the elements of known records, at least one."""
        insides = [_inside(document, node) for node in nodes]
        return cls(frozenset.intersection(*insides), frozenset.union(*insides))

    def fits(self, document: Document, node: int) -> bool:
        """Whether an element has what all known records have, and little that none
        has."""
        inside = _inside(document, node)
        common, strange = self.core & inside, inside - self.seen
        if len(common) < _CORE_SHARE * len(self.core):
            return False
        return len(strange) <= 1 + _STRANGE_SHARE * len(inside)


def _inside(document: Document, node: int) -> frozenset[str]:
    """The tags and classes inside an element, of its first descendants only."""
    parts: set[str] = set()
    for number in range(node + 1, min(document.end[node], node + _MOST_ELEMENTS)):
        tag, classes = tag_and_classes(document, number)
        parts.add(tag)
        parts.update(f"{tag}.{name}" for name in classes)
    return frozenset(parts)
