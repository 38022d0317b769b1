"""The text of a page in the order in which it is read, as columns."""

from collections.abc import Mapping
from itertools import chain, repeat
from typing import NamedTuple

from lxml import etree

from crawloop_assets.crawler.text import word_set

_INLINE, _BLOCK, _SILENT = range(3)
_KINDS = dict.fromkeys(
    word_set(
        "address article aside blockquote body br button dd details div dl dt fieldset figcaption figure footer form "
        "h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody td tfoot th "
        "thead title tr ul"
    ),
    _BLOCK,
) | dict.fromkeys(("script", "style", "head", "template", "noframes"), _SILENT)


class Piece(NamedTuple):
    """A text node: the text, the element whose text or tail it is (-1 for the gap around a block), and which of the
    two."""

    text: str
    owner: int
    is_tail: bool


class Pieces(NamedTuple):
    """Text nodes and gaps in order as columns, and where those of each element begin and end (`first`, one past
    `last`). A mark is twice the owner, one more for a tail: nearly everybody wants the texts only."""

    texts: list[str]
    marks: list[int]
    first: list[int]
    last: list[int]

    @property
    def owners(self) -> list[int]:
        """The element whose text or tail each is; -1 for a gap."""
        return [mark >> 1 for mark in self.marks]

    @property
    def tails(self) -> list[bool]:
        """Whether each is a tail."""
        return [bool(mark & 1) for mark in self.marks]


def pieces_of(nodes: list[etree._Element], number: Mapping[etree._Element | None, int], tags: list[str]) -> Pieces:
    """Lay out the text of a page: elements and comments in document order, the numbers and tags of the elements."""
    texts: list[str] = []
    marks: list[int] = []
    first, last = [0] * len(tags), [0] * len(tags)
    kinds = list(map(_KINDS.get, tags, repeat(_INLINE)))
    within: list[tuple[int, str | None]] = [(-1, None)]  # the elements around, and what follows each of them
    silent = 0

    columns = (
        [number.get(node, -1) for node in nodes],
        [number.get(node.getparent(), -1) for node in nodes],
        [node.text for node in nodes],
        [node.tail for node in nodes],
    )
    for current, parent, text, tail in chain(zip(*columns, strict=True), [_THE_END]):
        while within[-1][0] != parent:
            ended, behind = within.pop()
            last[ended] = len(texts)
            kind = kinds[ended]
            if kind == _SILENT:
                silent -= 1
            if not silent and ended:
                if kind == _BLOCK:
                    texts.append(" ")
                    marks.append(-1)
                if behind:
                    texts.append(behind)
                    marks.append(2 * ended + 1)
        if current < 0:  # a comment: only what stands behind it is text
            text, current = tail, parent
            kind = _INLINE
        else:
            within.append((current, tail))
            first[current] = len(texts)
            kind = kinds[current]
            if kind == _SILENT:
                silent += 1
        if not silent:
            if kind == _BLOCK:
                texts.append(" ")
                marks.append(-2)
            if text:
                texts.append(text)
                marks.append(2 * current)
    return Pieces(texts, marks, first, last)


_THE_END: tuple[int, int, str | None, str | None] = (-1, -1, None, None)
