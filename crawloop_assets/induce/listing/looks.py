"""What the inside of known records looks like, to tell other records from what is
none."""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.selector_parts import tag_and_classes
from crawloop_assets.induce.trust import tuned

_MOST_ELEMENTS = 80


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
        if len(common) < tuned("looks.core_share") * len(self.core):
            return False
        return len(strange) <= 1 + tuned("looks.strange_share") * len(inside)


def _inside(document: Document, node: int) -> frozenset[str]:
    """The tags and classes inside an element, of its first descendants only."""
    parts: set[str] = set()
    for number in range(node + 1, min(document.end[node], node + _MOST_ELEMENTS)):
        tag, classes = tag_and_classes(document, number)
        parts.add(tag)
        parts.update(f"{tag}{name}" for name in classes)
    return frozenset(parts)
