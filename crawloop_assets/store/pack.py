"""The file that page bodies are appended to, many with one write: what an entry is, and
how entries are found again behind damage.

An entry is a header of fixed size, which says what follows and proves itself by a
checksum, and the compressed bytes. An end that was torn by a kill is no entry yet.
"""

import hashlib
import os
import struct
import zlib
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import zstandard

from crawloop_assets.errors import PageLost

__all__ = ["PackEntry", "PackKind", "entry_of", "erase", "packed", "scan", "unpacked"]

_LEVEL = 3
_MARK = b"\x93CLP"
_FACTS = struct.Struct(">4sBQI32s")
_SUM = struct.Struct(">I")
_HEADER = _FACTS.size + _SUM.size
_NOBODY = bytes(32)
_MOST = 2**28


class PackKind(IntEnum):
    """What an entry says of a name; the numbers are stored."""

    BODY = 1
    """Here are its bytes."""
    AGAIN = 2
    """It was stored once more at this moment; its bytes are where they were."""
    GONE = 3
    """Here were bytes that were removed."""


_KINDS = frozenset(PackKind)


class PackEntry(NamedTuple):
    """One entry: `name` is the sha256 (32 bytes), `stored` seconds since 1970, `at` where
    its bytes begin in the file."""

    kind: PackKind
    name: bytes
    stored: int
    at: int
    size: int

    @property
    def end(self) -> int:
        """Where the next entry begins."""
        return self.at + self.size


def packed(body: bytes) -> bytes:
    """Bytes as they are stored."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(body)


def unpacked(sha256: str, stored: bytes | memoryview) -> bytes:
    """The bytes of that name; PageLost if they are not what it says."""
    try:
        body = zstandard.ZstdDecompressor().decompress(stored)
    except zstandard.ZstdError as error:
        raise PageLost(f"page {sha256} is damaged: {error}") from error
    if hashlib.sha256(body).hexdigest() != sha256:
        raise PageLost(f"page {sha256} is damaged: its bytes do not match its name")
    return body


def entry_of(kind: PackKind, name: bytes, stored: int, data: bytes = b"") -> bytes:
    """An entry as it is appended."""
    facts = _FACTS.pack(_MARK, kind, stored, len(data), name)
    return facts + _SUM.pack(zlib.crc32(facts)) + data


def erase(handle: int, name: bytes, at: int) -> None:
    """Write zeros over the body of that name whose bytes begin there, and over its name;
    nothing happens where another one's do."""
    one = _parsed(os.pread(handle, _HEADER, at - _HEADER), at - _HEADER)
    if one is not None and one.name == name:
        gone = entry_of(PackKind.GONE, _NOBODY, 0, bytes(one.size))
        os.pwrite(handle, gone, at - _HEADER)


def scan(handle: int, at: int = 0) -> tuple[list[PackEntry], int]:
    """The whole entries of an opened pack from a place on, and where the last one ends:
    behind it there is nothing, or what no entry was made of.

    Only headers are read. Behind a damaged one, what looks like an entry counts only if
    its bytes are those of its name: a page may hold what looks like one.
    """
    end, found = os.fstat(handle).st_size, list[PackEntry]()
    while one := _parsed(os.pread(handle, _HEADER, at), at):
        if one.end > end:
            return found, at
        found.append(one)
        at = one.end
    rescued = list(_rescued(os.pread(handle, end - at, at), at))
    return found + rescued, rescued[-1].end if rescued else at


def _rescued(rest: bytes, start: int) -> Iterator[PackEntry]:
    """The entries in bytes that begin with damage, which were read from `start` on."""
    at = rest.find(_MARK, 1)
    while at >= 0:
        one = _parsed(rest[at : at + _HEADER], start + at)
        at += 1
        if one and _is_whole(one, memoryview(rest)[one.at - start : one.end - start]):
            yield one
            at = one.end - start
        at = rest.find(_MARK, at)


def _is_whole(entry: PackEntry, data: memoryview) -> bool:
    """Whether bytes are those of an entry."""
    try:
        if zstandard.frame_content_size(data) > _MOST:
            return False
        unpacked(entry.name.hex(), data)
    except (PageLost, zstandard.ZstdError):
        return False
    return True


def _parsed(header: bytes, at: int) -> PackEntry | None:
    """The entry whose header was read at a place, None if it is none."""
    facts, check = header[: _FACTS.size], header[_FACTS.size :]
    if len(header) < _HEADER or check != _SUM.pack(zlib.crc32(facts)):
        return None
    _, kind, stored, size, name = _FACTS.unpack(facts)
    if kind not in _KINDS:
        return None  # of a later version
    return PackEntry(PackKind(kind), name, stored, at + _HEADER, size)
