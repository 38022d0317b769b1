"""The characters that a pattern tells apart, and sets of them as bits of a number.

A pattern is judged on a sample: each of its own characters, both sides of the ends of
its ranges, and some of every kind that a class such as `\\w` knows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

Parsed = Iterable[tuple[Any, Any]]
"""What `re` parses a pattern to: operations with their arguments."""

_SAMPLE = "09afgzAFGZ_ \n\t\u00a0!#-./:;<>=\"'\x00é߀٣Ⅷ²Я中\u0300…\u200b😀"
_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}
_LAST = 0x10FFFF


class Letters:
    """The sample of one pattern; a set of letters is a number with a bit for each.

    Beside the characters there are three bits: before the first character, behind the
    last one, and `certain`, which is missing where a condition is not known.
    """

    def __init__(self, items: Parsed):
        """Those of a parsed pattern."""
        self._chars = "".join(sorted({*_SAMPLE, *_chars_of(items)}))
        count = len(self._chars)
        self.any = (1 << count) - 1
        self.start, self.end, self.certain = (1 << count + bit for bit in range(3))
        self.all = (1 << count + 3) - 1
        self.newline = self.literal(ord("\n"), 0)

    def literal(self, code: int, flags: int) -> int:
        """One character, in both cases if the flags say so."""
        return self.between(code, code, flags)

    def between(self, low: int, high: int, flags: int) -> int:
        """The characters of a range."""
        return self._those(
            any(low <= ord(form) <= high for form in _forms(char, flags))
            for char in self._chars
        )

    def of_class(self, code: Any, flags: int) -> int:
        """The characters of a class such as `\\d`."""
        pattern = re.compile(_CLASSES[code], flags & re.ASCII)
        return self._those(map(bool, map(pattern.match, self._chars)))

    def of_set(self, items: Sequence[tuple[Any, Any]], flags: int) -> int:
        """The characters of a set in brackets."""
        letters = 0
        for code, argument in items:
            letters |= self._member(code, argument, flags)
        is_other = items[0][0] is codes.NEGATE
        return self.any & ~letters if is_other else letters

    def _member(self, code: Any, argument: Any, flags: int) -> int:
        """The characters of one part of a set."""
        if code is codes.LITERAL:
            return self.literal(argument, flags)
        if code is codes.RANGE:
            low, high = argument
            return self.between(low, high, flags)
        if code is codes.CATEGORY:
            return self.of_class(argument, flags)
        return 0

    def _those(self, is_in: Iterable[bool]) -> int:
        """The set of the characters for which it is true."""
        return sum(1 << bit for bit, is_one in enumerate(is_in) if is_one)


def parted(sets: Iterable[int], by: int) -> list[int]:
    """Each set of letters as two: those that are in another set, and those that are
    not."""
    found: list[int] = []
    for letters in sets:
        found.extend(filter(None, (letters & by, letters & ~by)))
    return found


def _forms(char: str, flags: int) -> Iterable[str]:
    """A character, and in its other case if case does not matter."""
    if not flags & re.IGNORECASE:
        return char
    return chain(
        char, *(form for form in (char.lower(), char.upper()) if form[1:] == "")
    )


def _chars_of(items: Parsed) -> Iterator[str]:
    """The characters that a parsed pattern names, and what is beside its ranges."""
    for code, argument in items:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield from {chr(argument), chr(argument).swapcase()[:1]}
        elif code is codes.RANGE:
            low, high = argument
            ends = {max(low - 1, 0), low, high, min(high + 1, _LAST)}
            yield from map(chr, ends)
        else:
            yield from chain.from_iterable(map(_chars_of, inner_parsed(argument)))


def inner_parsed(argument: Any) -> Iterator[Parsed]:
    """The parsed patterns within the argument of an operation."""
    if hasattr(argument, "data"):  # a parsed pattern
        yield argument
    elif isinstance(argument, list):  # a set, or the branches of an alternative
        pairs = [item for item in argument if isinstance(item, tuple)]
        yield pairs
        yield from (item for item in argument if hasattr(item, "data"))
    elif isinstance(argument, tuple):
        yield from chain.from_iterable(map(inner_parsed, argument))
