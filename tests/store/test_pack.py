"""A pack: whatever is cut or damaged costs the entries that it hits, and no others."""

import hashlib
import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.store.pack import (
    PackEntry,
    PackKind,
    entry_of,
    erase,
    packed,
    scan,
    unpacked,
)

BODIES = [b"<p>one</p>", b"", os.urandom(40), b"<p>four</p>" * 9]


def named(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def entries_of(bodies: Sequence[bytes]) -> list[bytes]:
    return [
        entry_of(PackKind.BODY, named(body), moment, packed(body))
        for moment, body in enumerate(bodies)
    ]


def scanned(file: Path, data: bytes, at: int = 0) -> tuple[list[PackEntry], int]:
    file.write_bytes(data)
    handle = os.open(file, os.O_RDWR)
    try:
        return scan(handle, at)
    finally:
        os.close(handle)


def read(data: bytes, entry: PackEntry) -> bytes:
    return unpacked(entry.name.hex(), data[entry.at : entry.end])


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_what_was_appended_is_found(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes]
) -> None:
    data = b"".join(entries_of(bodies))
    found, end = scanned(tmp_path_factory.mktemp("pack") / "pack", data)
    assert [read(data, one) for one in found] == bodies
    assert [one.stored for one in found] == list(range(len(bodies)))
    assert end == len(data)


def test_an_end_torn_at_any_byte_costs_what_it_cut(tmp_path: Path) -> None:
    parts = entries_of(BODIES)
    whole, ends = b"".join(parts), [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    for size in range(len(whole) + 1):
        found, end = scanned(tmp_path / "pack", whole[:size])
        kept = sum(1 for one in ends[1:] if one <= size)
        assert [read(whole, one) for one in found] == BODIES[:kept]
        assert end == ends[kept]


def test_a_damaged_byte_anywhere_costs_its_own_entry(tmp_path: Path) -> None:
    parts = entries_of(BODIES)
    whole, owners = b"".join(parts), []
    for number, part in enumerate(parts):
        owners += [number] * len(part)
    for at, owner in enumerate(owners):
        data = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        found, _ = scanned(tmp_path / "pack", data)
        names = {one.name for one in found if data[one.at : one.end]}
        assert {named(body) for body in BODIES} - names <= {named(BODIES[owner])}
        for one in found:
            if one.name != named(BODIES[owner]):
                assert read(data, one) in BODIES


@given(st.binary(min_size=1, max_size=300), st.integers(0, 2**32))
def test_bytes_of_no_entry_are_none(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, seed: int
) -> None:
    file = tmp_path_factory.mktemp("pack") / "pack"
    assert scanned(file, noise) == ([], 0)
    cut = random.Random(seed).randrange(len(noise))
    behind = noise[:cut] + entries_of([b"body"])[0]
    found, end = scanned(file, behind)
    assert [one.name for one in found] == [named(b"body")] and end == len(behind)


def test_a_page_that_looks_like_an_entry_is_none(tmp_path: Path) -> None:
    """Behind damage only bytes count that are what their name says."""
    claim = entry_of(PackKind.BODY, named(b"known"), 9, b"not at all")
    hostile = os.urandom(9_000) + claim + os.urandom(9_000)
    parts = entries_of([hostile, b"next"])
    assert claim in parts[0], "noise is stored as it is"
    found, _ = scanned(tmp_path / "pack", b"\0" + b"".join(parts)[1:])
    assert [one.name for one in found] == [named(b"next")]


def test_an_erased_body_is_nowhere_and_its_neighbours_are(tmp_path: Path) -> None:
    parts, file = entries_of(BODIES), tmp_path / "pack"
    found, _ = scanned(file, b"".join(parts))
    handle = os.open(file, os.O_RDWR)
    erase(handle, found[2].name, found[2].at)
    erase(handle, found[2].name, found[3].at)
    left, end = scan(handle)
    os.close(handle)
    assert [one.kind for one in left] == [1, 1, 3, 1] and end == found[3].end
    data = file.read_bytes()
    assert BODIES[2] not in data and found[2].name not in data
    assert read(data, left[3]) == BODIES[3], "where another body is nothing is erased"


def test_stored_numbers_stay() -> None:
    assert [*PackKind] == [1, 2, 3]
    assert entry_of(PackKind.AGAIN, b"n" * 32, 7).hex() == (
        "93434c50" + "02" + f"{7:016x}" + "00000000" + "6e" * 32 + "a490ca83"
    )


def test_an_entry_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    later = entry_of(4, named(b"x"), 1, b"new")  # type: ignore[arg-type]
    found, _ = scanned(tmp_path / "pack", later + entries_of([b"body"])[0])
    assert [one.name for one in found] == [named(b"body")]
