"""The letters of a page in one string, for finding texts whatever markup is between
their parts."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.values.text import letters

_NONE = -1


class LetterStream:
    """The letters of all text pieces of a page, one after the other.

    Positions are indexes into `letters`; `span` and `piece_at` lead from them to the
    elements and pieces of the document and back.
    """

    def __init__(self, document: Document):
        """Notes at which letter each piece begins; pieces that are no text have
        none."""
        self._document = document
        self._starts: list[int] = []
        parts: list[str] = []
        length = 0
        for piece in document.pieces:
            self._starts.append(length)
            if piece.owner >= 0:
                part = letters(piece.text)
                parts.append(part)
                length += len(part)
        self._starts.append(length)
        self.letters = "".join(parts)

    def positions(self, wanted: str) -> Iterator[int]:
        """Where the letters begin, in order; occurrences may overlap."""
        position = self.letters.find(wanted)
        while position >= 0:
            yield position
            position = self.letters.find(wanted, position + 1)

    def piece_at(self, position: int) -> int:
        """The index of the text piece that a letter is from."""
        return bisect_right(self._starts, position) - 1

    def fills(self, start: int, end: int) -> bool:
        """Whether the letters between two positions are whole pieces."""
        first, last = self.piece_at(start), self.piece_at(end - 1)
        return (self._starts[first], self._starts[last + 1]) == (start, end)

    def span(self, number: int) -> tuple[int, int]:
        """The positions of an element's first letter and one past its last."""
        first = self._document.first_piece[number]
        last = self._document.last_piece[number]
        return self._starts[first], self._starts[last]

    def elements_around(self, piece: int) -> Iterator[int]:
        """The elements that a text piece is in, innermost first."""
        number = self._document.piece_parent(piece)
        while number >= 0:
            yield number
            number = self._document.parent[number]

    def elements_within(self, start: int, count: int) -> list[int]:
        """The outermost elements that so many letters from a position are, in order;
        none where a part of them is of an element that holds more."""
        end = start + count
        pieces = range(self.piece_at(start), self.piece_at(end - 1) + 1)
        outermost = partial(self._outermost, start, end)
        numbers = dict.fromkeys(map(outermost, filter(self._has_letters, pieces)))
        return [] if _NONE in numbers else list(numbers)

    def _has_letters(self, piece: int) -> bool:
        """Whether a piece has any letters."""
        return self._starts[piece] < self._starts[piece + 1]

    def _outermost(self, start: int, end: int, piece: int) -> int:
        """The outermost element around a piece with no letters outside two positions;
        -1 if each has some."""

        def is_within(number: int) -> bool:
            """Whether an element has no letters outside of them."""
            first, last = self.span(number)
            return start <= first <= last <= end

        within = takewhile(is_within, self.elements_around(piece))
        return min(within, default=_NONE)


def texts_in(scope: Scope) -> Iterator[str]:
    """The text nodes of a record that hold letters or digits; JSON has none."""
    return filter(letters, texts_and_signs(scope))


def texts_and_signs(scope: Scope) -> Iterator[str]:
    """The text nodes of a record, those of signs among them."""
    document = scope.document
    if not document.first_piece:
        return
    first = document.first_piece[scope.nodes[0]]
    last = document.last_piece[scope.nodes[-1]]
    for piece in document.pieces[first:last]:
        if piece.owner >= 0 and piece.text.strip():
            yield piece.text
