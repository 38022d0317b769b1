"""What a page crosses out is no longer so: of a former price beside the price, the text of
the element around both says the price alone."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, repeat
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.document.pieces import Pieces
from crawloop_assets.values.numbers import NUMERAL_MARKS

CROSSING_OUT = ("s", "del", "strike")
"""What crosses out what is in it; a style may do so as well, and says it to nobody."""
_LEVELS = 3
_NUMERAL = re.compile(rf"\d[\d{NUMERAL_MARKS}'\u00a0\u202f ]*")
_DIGIT = re.compile(r"\d")
_BLANK = re.compile(r"\s+")


class _Place(NamedTuple):
    """What is crossed out: its element, its pieces, from the first to one past the last; those that go
    with it; and what stands around its number, such as a currency."""

    number: int
    first: int
    last: int
    gone: Sequence[int]
    around: frozenset[str]


_FIRST, _LAST = attrgetter("first"), attrgetter("last")
_GONE, _AROUND = attrgetter("gone"), attrgetter("around")


class CrossedOut:
    """The places of a page in which a number is crossed out."""

    def __init__(
        self, columns: Pieces, by_tag: dict[str, list[int]], parent: Sequence[int]
    ):
        """`by_tag` has the elements of the page by tag, `parent` the one around each."""
        self._columns, self._parent = columns, parent
        self._places: list[_Place] = []
        elements = chain.from_iterable(map(by_tag.get, CROSSING_OUT, repeat(())))
        for number in sorted(elements):
            self._add(number)

    def _add(self, number: int) -> None:
        """Keep a place if a number is in it, and it is in none itself; the elements come
        in their order."""
        first, last = self._columns.first[number], self._columns.last[number]
        said = "".join(self._columns.texts[first:last])
        digits = _digits(said)
        before = max(map(_LAST, self._places[-1:]), default=-1)
        if digits and before < last:
            again = filter(partial(self._says, digits), self._beside(number))
            gone = (*range(first, last), *again)
            self._places.append(_Place(number, first, last, gone, _around(said)))

    def _beside(self, number: int) -> range:
        """The pieces of the element around another one."""
        box = self._parent[number]
        return range(self._columns.first[box], self._columns.last[box])

    def _says(self, digits: str, piece: int) -> bool:
        """Whether a piece says the same number once more, in words or hidden from some."""
        return _digits(self._columns.texts[piece]) == digits

    def left(self, number: int) -> Sequence[str]:
        """The texts in an element without what is crossed out among them, or said in words
        beside that once more ("Original price was: $50").

        All of them where none that is left has a number of the kind: the price of what is
        sold, and an element that is crossed out itself.
        """
        first, last = self._columns.first[number], self._columns.last[number]
        texts = self._columns.texts[first:last]
        inside = self._inside(first, last)
        if not inside:
            return texts
        gone = frozenset(chain.from_iterable(map(_GONE, inside)))
        pieces = filterfalse(gone.__contains__, range(first, last))
        left = list(map(self._columns.texts.__getitem__, pieces))
        rest = _unspaced("".join(left))
        units = chain.from_iterable(map(_AROUND, inside))
        is_other = _digits(rest) and all(map(rest.__contains__, units))
        return left if is_other else texts

    def is_replaced(self, former: str, by: str) -> bool:
        """Whether the number of one text is crossed out, and that of another is left in an
        element around it, at most three farther out."""
        places = filter(partial(self._is_of, _digits(former)), self._places)
        around = chain.from_iterable(map(self._around, places))
        left = map(_digits, map("".join, map(self.left, around)))
        return any(map(methodcaller("__contains__", _digits(by)), left))

    def _is_of(self, digits: str, place: _Place) -> bool:
        """Whether a number of these digits is crossed out in a place."""
        said = self._columns.texts[place.first : place.last]
        return _digits("".join(said)) == digits

    def _around(self, place: _Place) -> Iterator[int]:
        """The three elements around a place, from the innermost on."""
        number = place.number
        for _ in range(_LEVELS):
            number = max(0, self._parent[number])
            yield number

    def _inside(self, first: int, last: int) -> Sequence[_Place]:
        """The places from one piece to another; none of them is in another one."""
        start = bisect_left(self._places, first, key=_FIRST)
        stop = bisect_right(self._places, last, key=_LAST)
        return self._places[start:stop]


def _digits(text: str) -> str:
    """The digits of a text, in one."""
    return "".join(_DIGIT.findall(text))


def _around(text: str) -> frozenset[str]:
    """What stands before, between and behind the numbers of a text."""
    return frozenset(filter(None, map(_unspaced, _NUMERAL.split(text))))


def _unspaced(text: str) -> str:
    """A text without its blanks, in small letters."""
    return _BLANK.sub("", text).casefold()
