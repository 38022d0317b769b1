"""The text of a page in the order in which it is read, as columns."""

from collections.abc import Sequence
from functools import cached_property
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


class _Gap(str):
    """A space that is another object than any that a page writes."""


GAP = _Gap(" ")
"""Stands where a block begins or ends."""


class Piece(NamedTuple):
    """A text node: the text, the element whose text or tail it is (-1 for the gap
    around a block), and which of the two."""

    text: str
    owner: int
    is_tail: bool


class _Nodes(NamedTuple):
    """The nodes of a page in document order, as columns: the number of the parent (-1
    for the root), the kind, and what is to be laid out of the beginning of each and of
    what stands behind it, if anything."""

    parents: list[int]
    kinds: list[int]
    heads: list[Any]
    tails: list[Any]


class Pieces:
    """Text nodes and gaps in order, and where those of each element begin and end
    (`first`, one past `last`).

    Nearly everybody wants the texts only, among which a gap is `GAP`: whose each is, is
    found out when it is asked for.
    """

    def __init__(self, nodes: _Nodes, holders: Sequence[int]):
        """`holders` are the elements that the nodes are, or are right in."""
        self._nodes, self._holders = nodes, holders
        self.texts: list[str]
        self.first: list[int]
        self.last: list[int]
        self.texts, self.first, self.last = _laid_out(nodes, GAP, GAP)
        if _REMARK in nodes.kinds:
            places = [at for at, kind in enumerate(nodes.kinds) if kind != _REMARK]
            self.first = list(map(self.first.__getitem__, places))
            self.last = list(map(self.last.__getitem__, places))

    @cached_property
    def marks(self) -> list[int]:
        """Twice the element whose text each is, one more for a tail; of gaps they are
        negative."""
        heads, tails = self._nodes.heads, self._nodes.tails
        # A text needs a mark that is not 0, so that all are one higher meanwhile.
        own = [2 * holder + 1 for holder in self._holders]
        # Behind a remark the text of its parent goes on.
        behind = [
            mark + (kind != _REMARK)
            for mark, kind in zip(own, self._nodes.kinds, strict=True)
        ]
        marked = self._nodes._replace(
            heads=[text and mark for text, mark in zip(heads, own, strict=True)],
            tails=[text and mark for text, mark in zip(tails, behind, strict=True)],
        )
        marks, _, _ = _laid_out(marked, _OPENS + 1, _CLOSES + 1)
        return [mark - 1 for mark in marks]

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
        return Pieces(_nodes(elements, parent, kinds), range(len(parent)))
    nodes = list(tree.iter(_ELEMENTS, _COMMENTS))
    number: dict[etree._Element | None, int]
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    parents, node_kinds = [-1] * len(nodes), [_REMARK] * len(nodes)
    holders = [0] * len(nodes)
    places = list(map(number.__getitem__, elements))
    for element, node in enumerate(places):
        parents[node] = places[parent[element]] if element else -1
        node_kinds[node], holders[node] = kinds[element], element
    for comment in comments:
        node = number[comment]
        parents[node] = number[comment.getparent()]
        holders[node] = holders[parents[node]]
    return Pieces(_nodes(nodes, parents, node_kinds), holders)


def _nodes(
    nodes: Sequence[etree._Element], parents: list[int], kinds: list[int]
) -> _Nodes:
    """The nodes with their texts; what is in scripts and remarks is no text of the
    page, and on many pages it is most of what there is."""
    heads = [
        node.text if kind < _SILENT else None
        for node, kind in zip(nodes, kinds, strict=True)
    ]
    return _Nodes(parents, kinds, heads, list(map(_TAIL, nodes)))


def _laid_out(
    nodes: _Nodes, opens: Any, closes: Any
) -> tuple[list[Any], list[int], list[int]]:
    """What heads and tails there are and what `opens` and `closes` a block, in order;
    where that of each node begins, and one past its end.

    Of remarks only what stands behind them is text. One loop on purpose: it is the
    greater part of what a page costs.
    """
    parents, tails = nodes.parents, nodes.tails
    # What comes after the last node closes all; it is no block and has no text.
    kinds, heads = [*nodes.kinds, _INLINE], [*nodes.heads, None]
    laid_out: list[Any] = []
    add = laid_out.append
    first, last = [0] * len(heads), [0] * len(parents)
    inner = -1  # the innermost element that is open
    silent = -1  # the outermost open element whose text nobody sees
    for node, around in enumerate([*parents, -1]):
        while inner != around:
            last[inner] = len(laid_out)
            if silent == inner:
                silent = -1
            if silent < 0:
                if kinds[inner] == _BLOCK:
                    add(closes)
                tail = tails[inner]
                if tail:
                    add(tail)
            inner = parents[inner]
        first[node] = len(laid_out)
        inner = node
        if silent < 0:
            kind = kinds[node]
            if kind == _BLOCK:
                add(opens)
            elif kind == _SILENT:
                silent = node
            head = heads[node]
            if head:
                add(head)
    first.pop()
    return laid_out, first, last
