"""A store of six commits that is published, and the ways in which files get lost."""

import atexit
import shutil
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from crawloop_assets.store import Store
from tests.models import Item
from tests.store.conftest import commit, served

COMMITS = 6
ROWS = 4
"""Of each commit: all six stay below what is folded."""

Harm = Callable[[Path], object]


def store_at(home: Path) -> Store:
    """A store as a process that starts now has it."""
    return Store(home / "var", home / "crawloop.duckdb", wait_s=5)


def put(store: Store, number: int) -> None:
    """Commit a batch of its own."""
    items = [
        served(
            f"https://shop.test/{number}/{row}",
            Item(title=f"{number} {row}", price=Decimal(row)),
        )
        for row in range(ROWS)
    ]
    store.commit_batch(commit(f"r{number}", items, batch=f"{number:06d}"))


def filled(home: Path) -> Store:
    """A store that is published, with a copy of how it was when half of it was there."""
    for part in ("var", "yesterday"):
        shutil.copytree(_committed() / part, home / part, copy_function=shutil.copy)
    store = store_at(home)
    store.publish()
    return store


@cache
def _committed() -> Path:
    """The same before it is published, made once for all tests of a process."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    home = Path(folder.name)
    store = store_at(home)
    for number in range(COMMITS):
        if number == COMMITS // 2:
            shutil.copytree(home / "var", home / "yesterday")
        put(store, number)
    return home


def published_titles(home: Path) -> set[str]:
    """What an analyst sees."""
    with duckdb.connect(str(home / "crawloop.duckdb"), read_only=True) as connection:
        return {
            title
            for (title,) in connection.execute("select title from item").fetchall()
        }


def all_titles(commits: int = COMMITS) -> set[str]:
    return {f"{number} {row}" for number in range(commits) for row in range(ROWS)}


def base(home: Path) -> Path:
    return next((home / "var").glob("store-*.duckdb"))


def log(home: Path) -> Path:
    return next((home / "var").glob("store-*.wal"))


def cut(file: Path, tenths: int) -> None:
    """Leave that much of a file."""
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * tenths // 10])


def yesterday(home: Path) -> None:
    """Put the older copy in the place of everything."""
    shutil.rmtree(home / "var")
    shutil.copytree(home / "yesterday", home / "var")


def forget_notes(home: Path) -> None:
    for name in ("committed.json", "published.json"):
        (home / "var" / name).unlink()


def yesterdays_store(home: Path) -> None:
    """Put only the older store in its place; the notes stay."""
    for file in (home / "yesterday").glob("store-*"):
        shutil.copy(file, home / "var")


def without_log_and_notes(home: Path) -> None:
    log(home).unlink()
    forget_notes(home)


def without_base_and_log(home: Path) -> None:
    log(home).unlink()
    base(home).unlink()


def cut_log(tenths: int) -> Harm:
    return lambda home: cut(log(home), tenths)


CUT: dict[str, Harm] = {
    f"log cut at {tenths} tenths": cut_log(tenths) for tenths in range(10)
}
LOST: dict[str, Harm] = {
    "log gone": lambda home: log(home).unlink(),
    "log gone, notes gone": without_log_and_notes,
    "base and log gone": without_base_and_log,
    "everything gone": lambda home: shutil.rmtree(home / "var"),
    "yesterday's copy": yesterday,
    "yesterday's store": yesterdays_store,
}
"""The store can be read afterwards, and lacks something, as with the log cut somewhere."""

DAMAGED: dict[str, Harm] = {
    "base gone": lambda home: base(home).unlink(),
    "base empty": lambda home: base(home).write_bytes(b""),
    "base cut": lambda home: cut(base(home), 1),
    "base overwritten": lambda home: base(home).write_bytes(b"x" * 9000),
}
"""The store cannot be read afterwards."""
