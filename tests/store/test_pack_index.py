"""The index of packs: what it was told, and that it says when it is none."""

from pathlib import Path

import pytest

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.pack import PackEntry, PackKind
from crawloop_assets.store.pack_index import IndexDamaged, PackIndex, PackPlace

A, B = b"a" * 32, b"b" * 32


def entry(
    name: bytes, at: int, stored: int, kind: PackKind = PackKind.BODY
) -> PackEntry:
    return PackEntry(kind, name, stored, at, 10)


def test_what_is_newer_counts(tmp_path: Path) -> None:
    index = PackIndex(tmp_path / "index.sqlite")
    assert (index.sealed(), index.find([A]), index.identity()) == (set(), {}, "")
    index.take(1, [entry(A, 5, 1), entry(B, 15, 2)])
    index.take(2, [entry(A, 50, 3), entry(B, 0, 4, PackKind.AGAIN)])
    index.take(2, [entry(b"c" * 32, 0, 9, PackKind.AGAIN)])
    assert index.sealed() == {1, 2} and index.identity()
    assert index.find([A, B, b"c" * 32]) == {
        A: PackPlace(2, 50, 10, 3),
        B: PackPlace(1, 15, 10, 4),
    }
    assert index.stored_before(4) == [A]
    index.forget([A])
    assert index.find([A, B]).keys() == {B}


def test_a_damaged_one_says_so_and_another_takes_its_place(tmp_path: Path) -> None:
    index = PackIndex(tmp_path / "index.sqlite")
    (tmp_path / "index.sqlite").write_bytes(b"junk" * 2_000)
    (tmp_path / "index.sqlite-journal").write_bytes(b"junk")
    with pytest.raises(IndexDamaged, match=r"index\.sqlite"):
        index.find([A])
    anew = PackIndex(tmp_path / "index.new")
    anew.begin()
    anew.take(1, [entry(A, 5, 1)])
    index.become(anew)
    assert index.find([A]).keys() == {A}
    assert [file.name for file in tmp_path.iterdir()] == ["index.sqlite"]


def test_a_file_that_cannot_be_opened_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").mkdir()
    with pytest.raises(StoreFailed) as said:
        PackIndex(tmp_path / "index.sqlite").find([A])
    assert not isinstance(said.value, IndexDamaged)
