import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from filelock import FileLock

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store import AuditKind, BatchCommit, FoundUrl, Store, generations
from crawloop_assets.store.db import layout_of
from crawloop_assets.store.engine import Engine, looked_at
from crawloop_assets.store.file_db import FileDatabase
from crawloop_assets.store.migrate import LAYOUT
from tests.models import Item
from tests.store.conftest import commit, family, served

pytestmark = pytest.mark.file_store


@contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Another Python process that has printed its first line."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline()
        try:
            yield running
        finally:
            running.kill()


def in_child(limit: int, store: Store, *, run: str) -> str:
    """Commit 200 records in a forked process whose files may not grow beyond `limit` bytes; what happened."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            store.commit_batch(pages(run))
            os.write(writing, b"committed")
        except StoreFailed as error:
            os.write(writing, str(error).encode()[:4000])
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return os.read(reading, 5000).decode()


def pages(run: str) -> BatchCommit:
    items = [
        Item(title=os.urandom(100).hex(), price=Decimal(number))
        for number in range(200)
    ]
    return commit(
        run,
        [
            served(f"https://shop.test/{run}/{number}", item)
            for number, item in enumerate(items)
        ],
    )


OPEN_STORE = """
import duckdb, sys, time
opened = duckdb.connect(sys.argv[1], read_only=True)
print(1, flush=True)
time.sleep(60)
"""
HOLD_LOCK = """
import sys, time
from pathlib import Path
from crawloop_assets.store.lock import StoreLock
with StoreLock(Path(sys.argv[1]), 60).held():
    print(1, flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_a_store_that_is_open_elsewhere_is_busy_and_names_the_process(
    store: Store, tmp_path: Path
) -> None:
    store.batches("x")
    impatient = Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=0.2)
    with (
        process(OPEN_STORE, tmp_path / "var/store-000001.duckdb") as other,
        pytest.raises(StoreBusy, match=str(other.pid)),
    ):
        impatient.audit(AuditKind.WAVE_STARTED, None)
    impatient.audit(AuditKind.WAVE_STARTED, None)


def test_a_locked_store_is_busy_and_names_the_process(
    store: Store, tmp_path: Path
) -> None:
    impatient = Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=0.2)
    with process(HOLD_LOCK, tmp_path / "var", 60) as other:
        with pytest.raises(StoreBusy, match=str(other.pid)):
            impatient.batches("x")
        with pytest.raises(StoreBusy):
            impatient.publish()
    assert impatient.batches("x") == []  # a lock dies with its process


def test_a_patient_store_waits_its_turn(store: Store, tmp_path: Path) -> None:
    with process(HOLD_LOCK, tmp_path / "var", 0.3):
        store.audit(AuditKind.WAVE_STARTED, None)
    assert len(store.audits()) == 1


def test_threads_of_one_process_take_turns(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda n: store.add_urls(
                    family(batch_size=3), [FoundUrl(f"https://shop.test/{n}")]
                ),
                range(16),
            )
        )
    assert len(store.frontier("shop/item")) == 16
    assert [
        len(store.urls("shop/item", batch)) for batch in store.batches("shop/item")
    ] == [3, 3, 3, 3, 3, 1]


def test_a_thread_does_not_wait_forever_for_another(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=0.2)
    with (
        store._database.lock.held(),
        ThreadPoolExecutor(1) as pool,
        pytest.raises(StoreBusy, match="thread"),
    ):
        pool.submit(store.batches, "x").result()


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    with pytest.raises(KeyError), store._database.write() as connection:
        connection.execute("insert into batches (family) values ('x')")
        raise KeyError
    with store._database.read() as connection:
        assert connection.execute("select count(*) from batches").fetchall() == [(0,)]


def test_a_reader_cannot_write(store: Store) -> None:
    with (
        pytest.raises(duckdb.InvalidInputException),
        store._database.read() as connection,
    ):
        connection.execute("insert into batches (family) values ('x')")


def test_a_full_disk_is_said_and_keeps_what_was_there(store: Store) -> None:
    store.commit_batch(pages("r1"))
    for limit in (1_000, 60_000):
        assert "disk under" in in_child(limit, store, run=f"full{limit}")
    assert len(store.known(family())) == 200
    assert store.commit_batch(pages("r2")).new == 200


def test_a_disk_that_fills_up_after_the_commit_loses_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.commit_batch(pages("r1"))
    monkeypatch.setattr(generations, "_LOG_LIMIT", 0)
    monkeypatch.setattr(generations, "_LOG_SHARE", 0)
    assert (
        in_child(1_000_000, store, run="r2") == "committed"
    )  # in the log; the next base could not be written
    assert len(store.known(family())) == 400
    store.commit_batch(pages("r3"))
    store.publish()
    with duckdb.connect(
        str(tmp_path / "crawloop.duckdb"), read_only=True
    ) as connection:
        assert connection.execute("select count(*) from item").fetchall() == [(600,)]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(StoreFailed, match="var"):
        Store(tmp_path / "var", tmp_path / "crawloop.duckdb").batches("x")


def test_a_damaged_file_is_said(store: Store, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var/store-000001.duckdb").write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreFailed, match=r"store-000001\.duckdb"):
        store.batches("x")


def test_a_store_of_a_newer_version_is_refused(store: Store, tmp_path: Path) -> None:
    with store._database.write() as connection:
        connection.execute("update meta set version = 99")
    with pytest.raises(StoreFailed, match="99"):
        Store(tmp_path / "var", tmp_path / "crawloop.duckdb").batches("x")


def test_a_store_of_an_older_layout_is_brought_up_to_date_with_its_rows(
    store: Store, tmp_path: Path
) -> None:
    _make_older(store)
    again = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    (check,) = again.report("shop/item", "000001")
    assert (check.sentence, check.examples[0].url) == ("they differ", "https://a b")
    assert again.suspects(family()) == []
    changed = [served("https://shop.test/a", Item(title="Coffee", price=Decimal(1)))]
    assert again.commit_batch(commit("r2", changed)).changed == 1


def test_a_copy_of_a_store_of_an_older_layout_is_up_to_date(
    store: Store, tmp_path: Path
) -> None:
    _make_older(store)
    again = FileDatabase(tmp_path / "var")
    again.copy(tmp_path / "copy.duckdb")
    with looked_at(tmp_path / "copy.duckdb", time.monotonic() + 5) as connection:
        assert layout_of(connection) == LAYOUT


def test_a_store_that_is_up_to_date_is_opened_once_for_a_look(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.audit(AuditKind.WAVE_STARTED, None)
    opened = []
    whole = Engine.opened
    monkeypatch.setattr(
        Engine, "opened", lambda *given: opened.append(given) or whole(*given)
    )
    again = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert (len(again.audits()), len(opened)) == (1, 1)
    again.audits()
    assert len(opened) == 2


def _make_older(store: Store) -> None:
    """A store with a row that knows nothing of columns and tables that came later."""
    store.commit_batch(
        commit(
            "r1", [served("https://shop.test/a", Item(title="Tea", price=Decimal(1)))]
        )
    )
    with store._database.write() as connection:
        for table in ("item", "item_history"):
            for column in ("_suspect", "_kept", "_stale_why"):
                connection.execute(f"alter table {table} drop column {column}")
        connection.execute("alter table materializations drop column suspect")
        connection.execute(
            "drop table drift_reports; drop table canaries; update meta set version = 1"
        )
        connection.execute(
            "create table drift_reports (family varchar, batch varchar, run_id varchar, created_at timestamptz, "
            "check_name varchar, passed boolean, severity varchar, observed double, threshold double, "
            "sentence varchar, examples varchar[]); insert into drift_reports values "
            "('shop/item', '000001', 'r1', now(), 'votes', false, 'warn', 0.5, 0.1, 'they differ', ['https://a b'])"
        )


def test_a_removed_store_is_made_again(store: Store, tmp_path: Path) -> None:
    store.audit(AuditKind.WAVE_STARTED, None)
    for file in (tmp_path / "var").glob("store-*"):
        file.unlink()
    assert store.audits() == []
    store.audit(AuditKind.WAVE_STARTED, None)
    assert len(store.audits()) == 1


def test_no_extension_is_ever_loaded_and_the_session_is_utc(store: Store) -> None:
    with store._database.write() as connection:
        names = (
            "autoinstall_known_extensions",
            "autoload_known_extensions",
            "enable_external_access",
            "timezone",
        )
        settings = [
            connection.execute("select current_setting(?)", [name]).fetchall()[0][0]
            for name in names
        ]
    assert settings == [False, False, False, "UTC"]


def test_the_store_works_in_a_forked_process(store: Store) -> None:
    store.audit(AuditKind.WAVE_STARTED, None)
    assert in_child(10**9, store, run="r1") == "committed"
    assert len(store.known(family())) == 200


def test_waiting_is_not_longer_than_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=0.2)
    store.batches("x")
    with FileLock(tmp_path / "var/store.lock"):
        started = time.monotonic()
        with pytest.raises(StoreBusy):
            store.batches("x")
    assert time.monotonic() - started < 30


def test_what_is_read_together_is_of_one_state_and_one_opening(store: Store) -> None:
    store.add_urls(family(), [FoundUrl("https://shop.test/a")])
    met = threading.Event()

    def add_another() -> None:
        met.set()
        store.add_urls(family(), [FoundUrl("https://shop.test/b")])

    with ThreadPoolExecutor() as others:
        with store.one_state(), store.one_state():
            waiting = others.submit(add_another)
            assert met.wait(10)
            seen = [len(store.frontier("shop/item")) for _ in range(3)]
            assert not waiting.done()
        waiting.result(timeout=30)
    assert (seen, len(store.frontier("shop/item"))) == ([1, 1, 1], 2)


def test_who_looks_at_one_state_cannot_change_it(store: Store) -> None:
    with store.one_state(), pytest.raises(RuntimeError, match="cannot change"):
        store.add_urls(family(), [FoundUrl("https://shop.test/a")])
    assert store.add_urls(family(), [FoundUrl("https://shop.test/a")])
