"""Fingerprints of strings: which values stand on a page, in four bytes each.

A filter that is wrongly sure about one value in 1,000 is wrong about two pages of a batch now and then, and then the
batch checks hold two healthy pages. Here a strange value is taken for one of n members once in 4,000,000,000 / n.
"""

import base64
from array import array
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32


class Prints:
    """Membership without the members; never says no wrongly."""

    def __init__(self, prints: frozenset[int]):
        self._prints = prints

    @classmethod
    def of(cls, members: Iterable[str]) -> "Prints":
        """The fingerprints of all members."""
        texts = list(members)
        joined = "\0".join(texts).encode("utf-8", "replace").split(b"\0")  # one call instead of a thousand
        return cls(frozenset(map(crc32, joined) if len(joined) == len(texts) else map(_print, texts)))

    @classmethod
    def from_text(cls, text: str) -> "Prints":
        """The fingerprints that `to_text` wrote."""
        return cls(_decode(text))

    def to_text(self) -> str:
        """Base64, for JSON; the same for the same members."""
        return base64.b64encode(array("I", sorted(self._prints)).tobytes()).decode()

    def __contains__(self, member: object) -> bool:
        return _print(str(member)) in self._prints


def _print(member: str) -> int:
    return crc32(member.encode("utf-8", "replace"))


@lru_cache(maxsize=256)
def _decode(text: str) -> frozenset[int]:
    return frozenset(array("I", base64.b64decode(text)))
