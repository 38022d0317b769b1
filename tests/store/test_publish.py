import os
import stat
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store import FoundUrl, Store, generations
from crawloop_assets.store import publish as publishing
from tests.models import Item
from tests.store.conftest import commit, family, served

NOTEBOOK = """
import duckdb, sys
opened = duckdb.connect(sys.argv[1], read_only=True)
print(1, flush=True)
input()
print(opened.execute("select count(*) from item").fetchall())
"""
CARELESS = """
import duckdb, os, sys
opened = duckdb.connect(sys.argv[1])
opened.execute("create table mine (x integer)")
os._exit(0)
"""


def titles(file: Path) -> list[str]:
    with duckdb.connect(str(file), read_only=True) as connection:
        return [
            row[0]
            for row in connection.execute(
                "select title from item order by title"
            ).fetchall()
        ]


def put(store: Store, title: str) -> None:
    store.commit_batch(
        commit(
            title,
            [served(f"https://shop.test/{title}", Item(title=title, price=Decimal(1)))],
        )
    )


def test_the_published_file_is_complete_read_only_and_alone(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    file = store.publish()
    assert file == tmp_path / "crawloop.duckdb" and titles(file) == ["Tea"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "crawloop.duckdb",
        "var",
    ]


def test_its_rows_are_in_tables_and_it_opens_elsewhere(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    moved = store.publish().rename(tmp_path / "elsewhere.duckdb")
    with duckdb.connect(str(moved), read_only=True) as connection:
        kinds = connection.execute(
            "select distinct table_type from information_schema.tables "
            "where table_name not in ('item_unique', 'item__shop__item', 'item_latest', 'item_changes', 'item_over_time')"
        ).fetchall()
        names = {
            row[0]
            for row in connection.execute(
                "select table_name from duckdb_tables()"
            ).fetchall()
        }
        (tags,) = connection.execute(
            "select tags from duckdb_databases() where not internal"
        ).fetchall()[0]
    assert kinds == [("BASE TABLE",)]
    assert {
        "item",
        "item_history",
        "crawlers",
        "quarantine",
        "drift_reports",
        "pages",
        "frontier",
        "batches",
    } <= names
    assert {
        "access_outcomes",
        "llm_calls",
        "audit",
        "materializations",
        "schemas",
    } <= names
    assert tags["storage_version"].startswith(
        "v1.5"
    )  # older clients than ours can open it


def test_an_empty_store_can_be_published(store: Store) -> None:
    with duckdb.connect(str(store.publish()), read_only=True) as connection:
        assert connection.execute("select count(*) from frontier").fetchall() == [(0,)]


def test_a_reader_that_stays_open_blocks_nobody_and_keeps_what_it_saw(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    store.publish()
    with subprocess.Popen(
        [sys.executable, "-c", NOTEBOOK, str(tmp_path / "crawloop.duckdb")],
        stdin=-1,
        stdout=-1,
        text=True,
    ) as notebook:
        assert notebook.stdout and notebook.stdout.readline()
        put(store, "Milk")
        assert titles(store.publish()) == ["Milk", "Tea"]
        assert notebook.communicate("\n")[0] == "[(1,)]\n"


def test_a_log_left_by_somebody_who_wrote_to_the_copy_harms_nothing(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    file = store.publish()
    file.chmod(0o644)
    subprocess.run([sys.executable, "-c", CARELESS, str(file)], check=True)
    assert (tmp_path / "crawloop.duckdb.wal").exists()
    put(store, "Milk")
    assert titles(store.publish()) == ["Milk", "Tea"]
    assert not (tmp_path / "crawloop.duckdb.wal").exists()


@pytest.mark.file_store
def test_a_publication_that_fails_leaves_the_last_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "Tea")
    file = store.publish()
    put(store, "Milk")

    def full(_source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(generations.shutil, "copyfile", full)
    with pytest.raises(StoreFailed, match="No space"):
        store.publish()
    assert titles(file) == ["Tea"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "crawloop.duckdb",
        "var",
    ]


@pytest.mark.file_store
def test_a_publisher_killed_half_way_leaves_the_last_one(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    file = store.publish()
    put(store, "Milk")
    child = os.fork()
    if child == 0:
        generations.os.fsync = lambda _handle: os.kill(os.getpid(), 9)  # type: ignore[assignment]
        store.publish()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 9
    assert titles(file) == ["Tea"]
    assert titles(store.publish()) == ["Milk", "Tea"]


def test_publishing_between_batches_is_debounced(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.publish_if_due() is not None
    assert store.publish_if_due() is None
    with monkeypatch.context() as patch:
        patch.setattr(publishing.time, "time", lambda: 0.0)
        assert store.publish_if_due() is not None, "the clock was set back"
    assert store.publish() is not None
    monkeypatch.setattr(publishing, "_PAUSE_S", 0.0)
    monkeypatch.setattr(publishing, "_PAUSE_FACTOR", 0.0)
    assert store.publish_if_due() is not None


def test_what_is_published_already_is_not_copied_again(
    store: Store, tmp_path: Path
) -> None:
    put(store, "Tea")
    first = store.publish().stat()
    assert store.publish().stat().st_ino == first.st_ino
    put(store, "Milk")
    assert titles(store.publish()) == ["Milk", "Tea"]
    (tmp_path / "crawloop.duckdb").unlink()
    assert titles(store.publish()) == ["Milk", "Tea"]
    (tmp_path / "crawloop.duckdb").chmod(0o644)
    (tmp_path / "crawloop.duckdb").write_bytes(b"somebody else's")
    assert titles(store.publish()) == ["Milk", "Tea"]


def test_control_tables_are_published_too(store: Store) -> None:
    store.add_urls(family(), [FoundUrl("https://shop.test/a")])
    with duckdb.connect(str(store.publish()), read_only=True) as connection:
        assert connection.execute("select url from frontier").fetchall() == [
            ("https://shop.test/a",)
        ]
