"""A few earlier published files are kept, an hour apart, and no more."""

import os
from pathlib import Path

from crawloop_assets.store.earlier import KEPT_FILES, EarlierFiles
from tests.store.losses import COMMITS, filled, put


def aged(file: Path, hours: float) -> None:
    moment = file.stat().st_mtime - hours * 3600
    os.utime(file, (moment, moment))


def test_files_of_earlier_hours_are_kept_and_the_disk_stays_bounded(
    tmp_path: Path,
) -> None:
    store = filled(tmp_path)
    earlier = EarlierFiles(tmp_path / "var")
    assert earlier.newest_first() == []
    sizes = []
    for number in range(6):
        # Its name and size stay what the publisher remembers; only the clock moves.
        for file in earlier.newest_first():
            aged(file, 2)
        put(store, COMMITS + number)
        sizes.append((tmp_path / "crawloop.duckdb").stat().st_size)
        store.publish()
    kept = earlier.newest_first()
    assert 1 <= len(kept) <= KEPT_FILES
    assert [file.stat().st_size for file in kept[:1]] == sizes[-1:]


def test_of_one_hour_one_file_is_kept(tmp_path: Path) -> None:
    store = filled(tmp_path)
    for number in range(4):
        put(store, COMMITS + number)
        store.publish()
    assert len(EarlierFiles(tmp_path / "var").newest_first()) == 1


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    earlier = EarlierFiles(tmp_path)
    file = tmp_path / "crawloop.duckdb"
    for hour in range(8):
        file.unlink(missing_ok=True)
        file.write_bytes(str(hour).encode())
        os.utime(file, (hour * 7200, hour * 7200))
        earlier.keep(file)
    assert [kept.read_bytes() for kept in earlier.newest_first()] == [b"7", b"6", b"5"]
    assert earlier.newest_first()[0].stat().st_ino == file.stat().st_ino


def test_a_file_that_somebody_else_put_there_is_not_kept(tmp_path: Path) -> None:
    store = filled(tmp_path)
    published = tmp_path / "crawloop.duckdb"
    published.chmod(0o644)
    published.write_bytes(b"somebody else's")
    put(store, COMMITS)
    store.publish()
    assert EarlierFiles(tmp_path / "var").newest_first() == []
