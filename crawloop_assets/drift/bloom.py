"""A Bloom filter of strings: which values stand on a page, in about twenty bits each."""

import base64
import hashlib
from collections.abc import Collection
from functools import lru_cache

_HASHES = 6
_BITS_EACH = 16
_LEAST, _MOST = 1_024, 131_072


class Bloom:
    """Membership without the members; says yes wrongly in about 1 of 1,000, never no wrongly."""

    def __init__(self, bits: bytes):
        self._bits = bits

    @classmethod
    def of(cls, members: Collection[str]) -> "Bloom":
        """A filter sized for its members."""
        size = _LEAST
        while size < min(len(members) * _BITS_EACH, _MOST):
            size *= 2
        bits = bytearray(size // 8)
        for member in members:
            for place in _places(member, size):
                bits[place >> 3] |= 1 << (place & 7)
        return cls(bytes(bits))

    @classmethod
    def from_text(cls, text: str) -> "Bloom":
        """The filter that `to_text` wrote."""
        return cls(_decode(text))

    def to_text(self) -> str:
        """Base64, for JSON."""
        return base64.b64encode(self._bits).decode()

    def __contains__(self, member: object) -> bool:
        return all(self._bits[place >> 3] >> (place & 7) & 1 for place in _places(str(member), len(self._bits) * 8))


@lru_cache(maxsize=256)
def _decode(text: str) -> bytes:
    return base64.b64decode(text)


def _places(member: str, size: int) -> list[int]:
    digest = int.from_bytes(hashlib.blake2b(member.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    first, step = digest & 0xFFFFFFFF, digest >> 32 | 1
    return [(first + at * step) % size for at in range(_HASHES)]
