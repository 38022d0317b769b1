"""Bodies of a project: in packs, and readable where an earlier version put them."""

import os
import time
from pathlib import Path

import pytest

from crawloop_assets.errors import PageLost, StoreFailed
from crawloop_assets.store.bodies import FolderBodies
from crawloop_assets.store.packed import PackedBodies
from tests.page_bodies import damage, put_long_ago


@pytest.fixture
def bodies(tmp_path: Path) -> PackedBodies:
    return PackedBodies(tmp_path / "pages")


@pytest.mark.parametrize(
    "body", [b"", b"<html>", os.urandom(100_000)], ids=["empty", "short", "noise"]
)
def test_bytes_come_back_under_their_sha256(bodies: PackedBodies, body: bytes) -> None:
    name = bodies.put(body)
    assert bodies.get(name) == body and bodies.has(name)
    assert bodies.put(body) == name and list(bodies.names()) == [name]
    bodies.remove(name, name)
    assert not bodies.has(name)
    with pytest.raises(PageLost, match=name):
        bodies.get(name)


def test_what_earlier_versions_stored_is_read_and_forgotten_there(
    bodies: PackedBodies,
) -> None:
    files = FolderBodies(bodies.folder)
    old, new = files.put(b"old"), bodies.put(b"new")
    os.utime(files.path(old), (0, 0))
    assert list(bodies.spare({new}, time.time() - 60)) == [old]
    assert bodies.put(b"old") == old, "it is young again, where it is"
    assert list(bodies.spare({new}, time.time() - 60)) == []
    assert bodies.get(old) == b"old" and not (files.has(new))
    assert sorted(bodies.names()) == sorted([old, new])
    assert bodies.present([old, new, "0" * 64]) == {old, new}
    assert bodies.where(old) == str(files.path(old))
    bodies.remove(old)
    assert not files.path(old).exists() and bodies.has(new)


def test_a_damaged_page_costs_itself(bodies: PackedBodies) -> None:
    files = FolderBodies(bodies.folder)
    one, two, old = bodies.put(b"<p>one"), bodies.put(b"<p>two"), files.put(b"old")
    damage(bodies, one)
    files.path(old).write_bytes(b"junk")
    for name in (one, old):
        with pytest.raises(PageLost, match=name):
            bodies.get(name)
        assert not bodies.has(name)
    assert bodies.get(two) == b"<p>two"
    assert bodies.get(bodies.put(b"<p>one")) == b"<p>one"
    assert bodies.get(bodies.put(b"old")) == b"old"


def test_only_old_ones_are_spare(bodies: PackedBodies) -> None:
    old, used = put_long_ago(bodies, b"old"), put_long_ago(bodies, b"used")
    bodies.put(b"young")
    assert list(bodies.spare({used}, time.time() - 60)) == [old]


def test_a_folder_that_is_none_is_said(bodies: PackedBodies) -> None:
    bodies.folder.write_text("in the way")
    with pytest.raises(StoreFailed, match=str(bodies.folder)):
        bodies.put(b"<html>")


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64])
def test_a_name_that_is_no_sha256_is_refused(bodies: PackedBodies, name: str) -> None:
    with pytest.raises(ValueError, match="not a sha256"):
        bodies.has(name)
