import hashlib
import os
from pathlib import Path

import pytest

from crawloop_assets.errors import PageLost, StoreFailed
from crawloop_assets.store.bodies import FolderBodies


@pytest.fixture
def bodies(tmp_path: Path) -> FolderBodies:
    return FolderBodies(tmp_path / "pages")


@pytest.mark.parametrize(
    "body", [b"", b"<html>", os.urandom(100_000)], ids=["empty", "short", "noise"]
)
def test_bytes_come_back_under_their_sha256(bodies: FolderBodies, body: bytes) -> None:
    name = bodies.put(body)
    assert bodies.get(name) == body and bodies.has(name)
    assert bodies.put(body) == name and list(bodies.names()) == [name]
    assert bodies.path(name).relative_to(bodies.folder).parts == (
        name[:2],
        f"{name}.zst",
    )


def test_text_is_compressed(bodies: FolderBodies) -> None:
    name = bodies.put(b"<p>Hello</p>" * 10_000)
    assert bodies.path(name).stat().st_size < 1_000


def test_several_are_stored_like_one(bodies: FolderBodies) -> None:
    known = bodies.put(b"known")
    several = {
        hashlib.sha256(body).hexdigest(): body
        for body in (b"one", b"known", b"two" * 90_000)
    }
    bodies.put_all(several)
    bodies.put_all({})
    assert {name: bodies.get(name) for name in bodies.names()} == several
    assert known in several
    assert all(name.suffix == ".zst" for name in bodies.folder.glob("*/*"))


def test_a_missing_page_is_said(bodies: FolderBodies) -> None:
    assert not bodies.has("0" * 64)
    with pytest.raises(PageLost, match="0" * 64):
        bodies.get("0" * 64)


def test_a_page_that_comes_while_it_is_missed_stays(tmp_path: Path) -> None:
    class Late(FolderBodies):
        def _stored(self, sha256: str) -> bytes:
            try:
                return super()._stored(sha256)
            except PageLost:
                self.put(b"<html>")
                raise

    late, name = Late(tmp_path), hashlib.sha256(b"<html>").hexdigest()
    with pytest.raises(PageLost):
        late.get(name)
    assert late.get(name) == b"<html>"


@pytest.mark.parametrize("damage", [b"", b"junk"])
def test_a_damaged_page_is_said(bodies: FolderBodies, damage: bytes) -> None:
    name = bodies.put(b"<html>")
    bodies.path(name).write_bytes(damage)
    with pytest.raises(PageLost, match=name):
        bodies.get(name)
    assert bodies.put(b"<html>") == name and bodies.get(name) == b"<html>"


def test_swapped_bytes_are_noticed(bodies: FolderBodies) -> None:
    one, two = bodies.put(b"one"), bodies.put(b"two")
    bodies.path(two).write_bytes(bodies.path(one).read_bytes())
    with pytest.raises(StoreFailed, match="damaged"):
        bodies.get(two)


def test_a_name_that_is_no_sha256_is_refused(bodies: FolderBodies) -> None:
    for name in ("../../etc/passwd", "", "A" * 64):
        with pytest.raises(ValueError, match="not a sha256"):
            bodies.path(name)


def test_a_disk_that_refuses_leaves_no_file(bodies: FolderBodies) -> None:
    bodies.folder.write_text("in the way")
    with pytest.raises(StoreFailed, match="cannot store"):
        bodies.put(b"<html>")


def test_a_write_that_fails_leaves_no_part_of_it(
    bodies: FolderBodies, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFailed, match="No space"):
        bodies.put(b"<html>")
    with pytest.raises(StoreFailed, match="No space"):
        bodies.put_all(
            {
                hashlib.sha256(body).hexdigest(): body
                for body in (b"one", b"two", b"three")
            }
        )
    assert [path for path in bodies.folder.rglob("*") if path.is_file()] == []
