"""All text of a page as UTF-8: one sign that is not ASCII makes every copy of a text
of Python twice as large, and splitting and joining it several times as dear."""

from collections.abc import Sequence
from functools import cached_property

BETWEEN = "\0"
"""Stands between two texts; lxml gives none that has it inside."""

_ASCII = bytes(range(128))
_SPACES = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What else is a space to Python."""
_NO_WIDTH = frozenset("\u200b\ufeff")
_ONE_SPACE = bytes.maketrans(b"\x1c\x1d\x1e\x1f", b"    ")
"""Spaces to texts of Python, but not to bytes."""
_BETWEEN = BETWEEN.encode()


def beyond_ascii(written: bytes) -> str:
    """The signs of a text in UTF-8 that are not ASCII, each as often as it stands there."""
    if written.isascii():
        return ""
    return written.translate(None, _ASCII).decode()


def utf8_words(written: bytes, beyond: str) -> list[bytes]:
    """The words of a text, given and returned in UTF-8, as `str.split` finds them; what
    stands between two pieces and spaces of no width are left out. `beyond` are its
    signs that are not ASCII."""
    signs = frozenset(beyond)
    for space in signs & _SPACES:
        written = written.replace(space.encode(), b" ")
    for space in signs & _NO_WIDTH:
        written = written.replace(space.encode(), b"")
    return written.translate(_ONE_SPACE, _BETWEEN).split()


class WholeText:
    """All pieces of a page's text, gaps among them, in its order."""

    def __init__(self, pieces: Sequence[str]):
        """Nothing but the pieces is put together yet."""
        self._pieces = pieces

    @cached_property
    def written(self) -> bytes:
        """The pieces in UTF-8, a NUL between two."""
        return BETWEEN.join(self._pieces).encode("utf-8", "replace")

    @cached_property
    def beyond_ascii(self) -> str:
        """Its signs that are not ASCII; few on most pages, and asked for by many."""
        return beyond_ascii(self.written)

    @cached_property
    def words(self) -> list[bytes]:
        """Its words in UTF-8."""
        return utf8_words(self.written, self.beyond_ascii)

    @cached_property
    def line(self) -> bytes:
        """Its words in UTF-8, a space between two."""
        return b" ".join(self.words)

    @cached_property
    def text(self) -> str:
        """The same as a text of Python."""
        return self.line.decode()

    @property
    def chars(self) -> int:
        """How many characters the line has."""
        # The line has all of the other signs but those that are spaces.
        others = self.beyond_ascii
        for space in (_SPACES | _NO_WIDTH).intersection(others):
            others = others.replace(space, "")
        return len(self.line) - len(others.encode()) + len(others)

    def lead(self, chars: int) -> str:
        """So many characters of the line at most, from its beginning."""
        longest = 4 * chars  # no sign has more than four bytes
        return self.line[:longest].decode("utf-8", "ignore")[:chars]
