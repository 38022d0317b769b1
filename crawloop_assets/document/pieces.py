"""The text of a page in the order in which it is read, as columns."""

from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

from lxml import etree

from crawloop_assets.values.text import word_set

_ELEMENTS: Any = etree.Element  # lxml takes its factories for kinds of node
_COMMENTS: Any = etree.Comment
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
    parents and tags."""
    kinds = list(map(_KINDS.get, tags, repeat(_INLINE)))
    comments = list(tree.iter(_COMMENTS))
    if not comments:
        return _laid_out(elements, parent, kinds)
    nodes = list(tree.iter(_ELEMENTS, _COMMENTS))
    number: dict[etree._Element | None, int] = dict(
        zip(nodes, range(len(nodes)), strict=True)
    )
    places = list(map(number.__getitem__, elements))
    around, sorts = [-1] * len(nodes), [_REMARK] * len(nodes)
    owners = [_OPENS] * (2 * len(nodes)) + [_OPENS, _CLOSES]
    for owner, (at, above, kind) in enumerate(zip(places, parent, kinds, strict=True)):
        around[at], sorts[at] = places[above] if owner else -1, kind
        owners[2 * at], owners[2 * at + 1] = 2 * owner, 2 * owner + 1
    for comment in comments:
        at = number[comment]
        around[at] = number[comment.getparent()]
        owners[2 * at + 1] = owners[
            2 * around[at]
        ]  # it is its parent's text that goes on behind it
    texts, marks, first, last = _laid_out(nodes, around, sorts)
    return Pieces(
        texts,
        list(map(owners.__getitem__, marks)),
        list(map(first.__getitem__, places)),
        list(map(last.__getitem__, places)),
    )


def _laid_out(  # noqa: C901
    nodes: Sequence[etree._Element], parent: list[int], kinds: list[int]
) -> Pieces:
    """The same for nodes by number, of which some may be remarks: only what stands
    behind those is text."""
    texts: list[Any] = [" "] * (
        2 * len(nodes) + 2
    )  # by mark; the last two are the gaps
    # What is in scripts and remarks is no text of the page, and on many pages it is most of what there is.
    texts[:-2:2] = heads = [
        node.text if kind < _SILENT else None
        for node, kind in zip(nodes, kinds, strict=True)
    ]
    texts[1:-2:2] = tails = [node.tail for node in nodes]
    marks: list[int] = []
    add = marks.append
    first, last = [0] * len(nodes), [0] * len(nodes)
    inner = (
        silent
    ) = (
        -1
    )  # the innermost element that is open, the outermost one whose text nobody sees
    for at, around in enumerate(
        [*parent, -1]
    ):  # what comes after the last one closes all
        while inner != around:
            last[inner] = len(marks)
            if silent < 0:
                if kinds[inner] == _BLOCK:
                    add(_CLOSES)
                if tails[inner]:
                    add(2 * inner + 1)
            elif inner == silent:
                silent = -1
                if tails[inner]:
                    add(2 * inner + 1)
            inner = parent[inner]
        if at == len(nodes):
            break
        first[at] = len(marks)
        inner = at
        if silent < 0:
            kind = kinds[at]
            if kind == _BLOCK:
                add(_OPENS)
            elif kind == _SILENT:
                silent = at
            if heads[at]:
                add(2 * at)
    return Pieces(list(map(texts.__getitem__, marks)), marks, first, last)
