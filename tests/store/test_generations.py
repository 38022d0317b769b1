import errno
import hashlib
import os
import random
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.store import AuditKind, Store, generations
from crawloop_assets.store.generations import log_of
from tests.models import Item
from tests.store.conftest import commit, family, served

pytestmark = pytest.mark.file_store


def files(tmp_path: Path) -> list[str]:
    return sorted(
        path.name
        for path in (tmp_path / "var").glob("store*")
        if "lock" not in path.name
    )


def base(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "var").glob("store-*.duckdb")
    return found


def put(store: Store, run: str, count: int = 20) -> None:
    items = [
        served(
            f"https://shop.test/{run}/{n}", Item(title=f"{run} {n}", price=Decimal(n))
        )
        for n in range(count)
    ]
    store.commit_batch(commit(run, items))


def test_a_commit_never_writes_to_the_base(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generations, "_LOG_LIMIT", 10**12)
    store.audit(AuditKind.WAVE_STARTED, None)
    before = hashlib.sha256(base(tmp_path).read_bytes()).digest()
    for run in range(5):
        put(store, f"r{run}")
    put(store, "large", 5_000)
    assert hashlib.sha256(base(tmp_path).read_bytes()).digest() == before
    assert len(store.known(family())) == 5_100


def test_a_store_is_its_owners_alone_whoever_makes_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        Store(tmp_path / "var", tmp_path / "crawloop.duckdb").publisher.check_whole()
    finally:
        os.umask(before)
    assert base(tmp_path).stat().st_mode & 0o077 == 0


def test_a_long_log_is_folded_into_the_next_base(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "r1")
    assert files(tmp_path) == [
        "store-000001.duckdb",
        "store-000001.duckdb.wal",
        "store.holder",
    ]
    monkeypatch.setattr(generations, "_LOG_LIMIT", 0)
    monkeypatch.setattr(generations, "_LOG_SHARE", 0)
    put(store, "r2")
    assert files(tmp_path) == ["store-000002.duckdb", "store.holder"]
    assert len(store.known(family())) == 40


def test_a_log_torn_at_any_byte_loses_only_what_was_not_committed(
    store: Store, tmp_path: Path
) -> None:
    for run in range(4):
        put(store, f"r{run}", 5)
    log = log_of(base(tmp_path))
    whole, last = log.read_bytes(), 0
    chance = random.Random(1)
    for cut in sorted(
        {0, 1, 50, len(whole) - 1, len(whole), *chance.sample(range(len(whole)), 10)}
    ):
        log.write_bytes(whole[:cut])
        kept = len(store.known(family()))
        assert kept % 5 == 0 and kept >= last
        last = kept
        put(store, "after", 5)  # what is torn must not swallow what comes later
        assert len(store.known(family())) == kept + 5
    assert last == 20


@pytest.mark.parametrize(
    "step", ["copyfile", "_fold", "replace", "sync_folder", "unlink"]
)
def test_a_fold_killed_at_any_step_loses_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    put(store, "r1")
    monkeypatch.setattr(generations, "_LOG_LIMIT", 0)
    monkeypatch.setattr(generations, "_LOG_SHARE", 0)
    child = os.fork()
    if child == 0:
        place = {"copyfile": generations.shutil, "replace": Path, "unlink": Path}.get(
            step, generations
        )
        done = getattr(place, step)

        def then_die(*arguments: object, **more: object) -> None:
            done(*arguments, **more)
            if step != "unlink" or "store-" in str(arguments[0]):
                os.kill(os.getpid(), 9)

        setattr(place, step, then_die)
        put(store, "r2")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 9
    assert len(store.known(family())) == 40
    put(store, "r3")
    assert len(store.known(family())) == 60
    assert len(list((tmp_path / "var").glob("store-*"))) == 1


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_a_fold_that_the_disk_refuses_takes_nothing_from_the_commit_before(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put(store, "r1")
    monkeypatch.setattr(generations, "_LOG_LIMIT", 0)
    monkeypatch.setattr(generations, "_LOG_SHARE", 0)
    with monkeypatch.context() as failing:
        failing.setattr(os, name, refused)
        put(store, "r2")
    assert len(store.known(family())) == 40
    put(store, "r3")
    assert len(store.known(family())) == 60
    assert base(tmp_path).name != "store-000001.duckdb"


def refused(*_given: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
