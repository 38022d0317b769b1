"""The text of a page in the order in which it is read, as columns."""

from collections.abc import Sequence
from itertools import repeat
from operator import attrgetter
from typing import Any, NamedTuple

from lxml import etree

from crawloop_assets.values.text import word_set

_ELEMENTS: Any = etree.Element  # lxml takes its factories for kinds of node
_COMMENTS: Any = etree.Comment
_TAIL = attrgetter("tail")
_INLINE, _BLOCK, _SILENT, _REMARK = range(4)
_OPENS, _CLOSES = -2, -1  # the marks of the gaps around a block
_KINDS = dict.fromkeys(
    word_set(
        "address article aside blockquote body br button dd details div dl dt fieldset figcaption figure footer form "
        "h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody td tfoot th "
        "thead title tr ul"
    ),
    _BLOCK,
) | dict.fromkeys(("script", "style", "head", "template", "noframes"), _SILENT)


class Piece(NamedTuple):
    """A text node: the text, the element whose text or tail it is (-1 for the gap
    around a block), and which of the two."""

    text: str
    owner: int
    is_tail: bool


class Pieces(NamedTuple):
    """Text nodes and gaps in order as columns, and where those of each element begin
    and end (`first`, one past `last`).

    A mark is twice the owner, one more for a tail: nearly everybody wants the texts
    only.
    """

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


def pieces_of(
    tree: etree._Element,
    elements: Sequence[etree._Element],
    parent: list[int],
    tags: list[str],
) -> Pieces:
    """Lay out the text of a page: its tree, its elements in document order, their
    parents (-1 for the root) and tags."""
    kinds = list(map(_KINDS.get, tags, repeat(_INLINE)))
    comments = list(tree.iter(_COMMENTS))
    if not comments:
        return _laid_out(elements, parent, kinds)
    nodes = list(tree.iter(_ELEMENTS, _COMMENTS))
    number: dict[etree._Element | None, int]
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    places = list(map(number.__getitem__, elements))
    parents, node_kinds = [-1] * len(nodes), [_REMARK] * len(nodes)
    # What a mark of a node is as a mark of an element; the last two are the gaps.
    element_marks = [_OPENS] * (2 * len(nodes)) + [_OPENS, _CLOSES]
    for element, node in enumerate(places):
        parents[node] = places[parent[element]] if element else -1
        node_kinds[node] = kinds[element]
        element_marks[2 * node] = 2 * element
        element_marks[2 * node + 1] = 2 * element + 1
    for comment in comments:
        node = number[comment]
        parents[node] = number[comment.getparent()]
        # It is its parent's text that goes on behind it.
        element_marks[2 * node + 1] = element_marks[2 * parents[node]]
    texts, marks, first, last = _laid_out(nodes, parents, node_kinds)
    return Pieces(
        texts,
        list(map(element_marks.__getitem__, marks)),
        list(map(first.__getitem__, places)),
        list(map(last.__getitem__, places)),
    )


def _laid_out(
    nodes: Sequence[etree._Element], parent: list[int], kinds: list[int]
) -> Pieces:
    """The same for nodes by number, of which some may be remarks: only what stands
    behind those is text.

    One loop on purpose: it is the greater part of what a page costs.
    """
    heads, tails = _heads(nodes, kinds), list(map(_TAIL, nodes))
    kinds = [*kinds, _INLINE]
    marks: list[int] = []
    add = marks.append
    first, last = [0] * (len(nodes) + 1), [0] * len(nodes)
    inner = -1  # the innermost element that is open
    silent = -1  # the outermost open element whose text nobody sees
    # What comes after the last node closes all; it is no block and has no text.
    for node, around in enumerate([*parent, -1]):
        while inner != around:
            last[inner] = len(marks)
            if silent == inner:
                silent = -1
            if silent < 0:
                if kinds[inner] == _BLOCK:
                    add(_CLOSES)
                if tails[inner]:
                    add(2 * inner + 1)
            inner = parent[inner]
        first[node] = len(marks)
        inner = node
        if silent < 0:
            kind = kinds[node]
            if kind == _BLOCK:
                add(_OPENS)
            elif kind == _SILENT:
                silent = node
            if heads[node]:
                add(2 * node)
    first.pop()
    by_mark: list[Any] = [" "] * (2 * len(nodes) + 2)  # the last two are the gaps
    by_mark[:-2:2], by_mark[1:-2:2] = heads[:-1], tails
    return Pieces(list(map(by_mark.__getitem__, marks)), marks, first, last)


def _heads(nodes: Sequence[etree._Element], kinds: list[int]) -> list[str | None]:
    """The texts at the beginning of each node, and None for what comes after the last.

    What is in scripts and remarks is no text of the page, and on many pages it is most
    of what there is.
    """
    heads = [
        node.text if kind < _SILENT else None
        for node, kind in zip(nodes, kinds, strict=True)
    ]
    heads.append(None)
    return heads
