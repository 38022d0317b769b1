"""Pages are read one by one, and move between places."""

from pathlib import Path

from crawloop_assets.store.bodies import FolderBodies
from crawloop_assets.store.gone_through import GoneThrough, go_through, take_in
from crawloop_assets.store.packed import PackedBodies
from tests.page_bodies import damage


def test_damaged_pages_are_counted_once_and_gone(tmp_path: Path) -> None:
    bodies = PackedBodies(tmp_path)
    assert go_through(bodies) == GoneThrough(0, 0)
    names = [bodies.put(b"%d" % at) for at in range(5)]
    damage(bodies, *names[:2])
    assert go_through(bodies) == GoneThrough(3, 2)
    assert go_through(bodies) == GoneThrough(3, 0)


def test_pages_of_another_folder_are_taken_in(tmp_path: Path) -> None:
    own, shared = PackedBodies(tmp_path / "own"), FolderBodies(tmp_path / "shared")
    old = FolderBodies(tmp_path / "own").put(b"old")
    new, known, bad = own.put(b"new"), own.put(b"known"), own.put(b"bad")
    damage(own, bad)
    shared.put(b"known")
    assert take_in(shared, tmp_path / "own") == 2
    assert sorted(shared.names()) == sorted([old, new, known])
    assert shared.get(old) == b"old" and own.get(known) == b"known"
    assert take_in(shared, tmp_path / "own") == 0
