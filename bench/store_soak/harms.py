"""Ways in which the files of a store get lost, and what is looked at afterwards."""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.store_soak.writer import open_store
from crawloop_assets.errors import CrawloopError
from crawloop_assets.store.file_db import FileDatabase
from crawloop_assets.store.restore import Restorer

TENTHS = range(10)


def base_of(home: Path) -> Path:
    """The file of the store."""
    return max((home / "var").glob("store-*.duckdb"))


def log_of_store(home: Path) -> Path:
    """Its log, whether or not it is there."""
    base = base_of(home)
    return base.with_name(f"{base.name}.wal")


def older_copy(home: Path, aside: Path) -> None:
    """Keep a copy of the store as it is now, for a later roll-back."""
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for file in (home / "var").glob("store-*.duckdb*"):
        shutil.copy(file, aside)


def _delete_base(home: Path, _older: Path) -> None:
    base_of(home).unlink()


def _delete_both(home: Path, _older: Path) -> None:
    log_of_store(home).unlink(missing_ok=True)
    base_of(home).unlink()


def _empty_base(home: Path, _older: Path) -> None:
    base_of(home).write_bytes(b"")


def _overwrite_base(home: Path, _older: Path) -> None:
    base_of(home).write_bytes(b"x" * 9000)


def _delete_log(home: Path, _older: Path) -> None:
    log_of_store(home).unlink()


def _roll_back(home: Path, older: Path) -> None:
    for file in (home / "var").glob("store-*.duckdb*"):
        file.unlink()
    for file in older.iterdir():
        shutil.copy(file, home / "var")


def _roll_back_beside(home: Path, older: Path) -> None:
    """What a copy without thought does: the older files take the names of the newer."""
    base = base_of(home)
    old = base_of_copy(older)
    shutil.copy(old, base)
    log_of_store(home).unlink(missing_ok=True)


def base_of_copy(older: Path) -> Path:
    """The file of the store in a copy of it."""
    return max(older.glob("store-*.duckdb"))


HARMS: Mapping[str, Callable[[Path, Path], None]] = {
    "base deleted": _delete_base,
    "base and log deleted": _delete_both,
    "base emptied": _empty_base,
    "base overwritten": _overwrite_base,
    "log deleted": _delete_log,
    "rolled back": _roll_back,
    "older base in its place": _roll_back_beside,
}
"""What is done to a store, given its home and an older copy."""


def cut_log(home: Path, tenths: int) -> None:
    """Leave so much of the log."""
    log = log_of_store(home)
    content = log.read_bytes()
    log.write_bytes(content[: len(content) * tenths // 10])


def digest(file: Path) -> str:
    """What a file holds, in short."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


_ONE = "where rowid = (select min(rowid) from {})"
SABOTAGE: Mapping[str, str] = {
    "lost": f"delete from thing {_ONE.format('thing')}",
    "doubled": f"insert into thing_history select * from thing_history {_ONE.format('thing_history')}",
    "wrong": f"update thing set price = price + 1 {_ONE.format('thing')}",
    "torn": f"update thing set _run_id = _run_id || '00' {_ONE.format('thing')}",
}
"""Damage of which no file tells, done through SQL: the soak has to see it."""

LESS = "less"
"""The damage of a published file that is replaced by an older one."""


def sabotage(home: Path, kind: str) -> None:
    """Do it to a store on purpose."""
    with FileDatabase(home / "var").write() as connection:
        connection.execute(SABOTAGE[kind])


def publish_answer(home: Path) -> str:
    """Publish as a process that begins now: "published", or why not."""
    try:
        open_store(home).publish()
    except CrawloopError as error:
        return str(error)
    return PUBLISHED


def restore_answer(home: Path) -> str:
    """Rebuild the store from the file that is newest, and publish it."""
    published = home / "crawloop.duckdb"
    restorer = Restorer(home / "var", published)
    try:
        restorer.restore(restorer.source())
    except CrawloopError as error:
        return str(error)
    return publish_answer(home)


PUBLISHED = "published"
