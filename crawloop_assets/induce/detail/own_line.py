"""Places that other pages have in another line of a table of terms, by their position or before
the next label: where one lacks a line, another moves there. A reader behind the label of the line
is not misled."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import is_caption, label_elements, next_piece
from crawloop_assets.induce.detail.labelling import label_in_piece
from crawloop_assets.induce.detail.trials import Tried, most_right

_BY_POSITION = ":nth-"
_BEFORE = "before"
_BEHIND = ("next", "block", "parts", "items")


def behind_own_label(
    tried: Sequence[Tried], documents: Sequence[Document]
) -> list[Tried]:
    """Without the readers by position that find another label before the value on some page,
    if one behind a label that half of the pages have reads as much of what is known."""
    best = [one for one in tried if one.right == most_right(tried)]
    usual = filter(partial(_is_of_half, documents), _labels(best))
    labels = frozenset(filterfalse(partial(_is_below, documents), usual))
    moved = partial(_is_moved, labels, documents)
    return list(filterfalse(moved, tried)) if labels else list(tried)


def _labels(tried: Sequence[Tried]) -> Iterator[str]:
    """The labels behind which values are read."""
    for reader in map(attrgetter("candidate.reader"), tried):
        if reader.src is Source.LABEL and reader.get in _BEHIND:
            yield reader.at


def _is_of_half(documents: Sequence[Document], label: str) -> bool:
    """Whether half of the pages have a label, or more."""
    return 2 * sum(label in one.labels for one in documents) >= len(documents)


def _is_below(documents: Sequence[Document], label: str) -> bool:
    """Whether a label belongs to a value above it, and not to what stands behind."""
    first = next(one for one in documents if label in one.labels)
    piece, *_ = first.labels[label]
    return is_caption(first, label, first.piece_parent(piece))


def _is_moved(
    labels: frozenset[str], documents: Sequence[Document], tried: Tried
) -> bool:
    """Whether a reader by position, or of what is before the next line's label, finds another
    label before its value on some page."""
    reader = tried.candidate.reader
    if _BY_POSITION not in reader.at and reader.get != _BEFORE:
        return False
    found = map(partial(_label_before, reader), documents)
    return any(map(partial(_is_another, labels), found))


def _is_another(labels: frozenset[str], label: str) -> bool:
    """Whether there is a label, and it is none of some."""
    return label not in (*labels, "")


def _selected(reader: Reader, document: Document) -> list[int]:
    """The elements that a selector finds."""
    return select(Scope(document), reader.at)


def _before(reader: Reader, document: Document) -> list[int]:
    """The elements before a label."""
    return label_elements(document, reader.at, reader.get, None)


_FOUND = {_BEFORE: _before}
"""The elements in which a reader finds its value, by what it asks of them."""


def _label_before(reader: Reader, document: Document) -> str:
    """The label before what a reader finds on a page; "" without one."""
    found = _FOUND.get(reader.get, _selected)(reader, document)
    numbers = found[:1]
    pieces = (next_piece(document, document.first_piece[one], -1) for one in numbers)
    return "".join(label_in_piece(document, one) or "" for one in pieces)
