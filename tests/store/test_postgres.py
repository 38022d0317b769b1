"""A store in Postgres: several machines write at once, and nothing is lost with a session."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from crawloop_assets.errors import CommitsLost, StoreBusy, StoreFailed
from crawloop_assets.store import FoundUrl, Store
from crawloop_assets.store.migrate import LAYOUT
from crawloop_assets.store.places import STORE_URL
from crawloop_assets.store.postgres import sessions_of
from tests.models import Item
from tests.postgres import Databases
from tests.store.conftest import commit, family, served

A = "https://shop.test/a"
TEA = Item(title="Tea", price=Decimal(3))


@pytest.fixture
def url(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with databases.one() as made:
        monkeypatch.setenv(STORE_URL, made)
        yield made


@pytest.fixture
def shared(url: str, tmp_path: Path) -> Store:
    return store_at(tmp_path / "one")


def store_at(machine: Path, wait_s: float = 20) -> Store:
    """The store as a machine opens it that shares no folder with the others."""
    return Store(machine / "var", machine / "crawloop.duckdb", wait_s=wait_s)


def titles(store: Store) -> list[str]:
    known = store.known(family()).values()
    return sorted(str(row["title"]) for rows in known for row in rows)


MACHINE = """
import sys
from decimal import Decimal
from pathlib import Path
from crawloop_assets.store import Store
from tests.models import Item
from tests.store.conftest import commit, family, served
home, name = Path(sys.argv[1]), sys.argv[2]
store = Store(home / "var", home / "crawloop.duckdb")
for number in range(8):
    url = f"https://shop.test/{name}/{number}"
    page = served(url, Item(title=f"{name} {number}", price=Decimal(number)))
    store.commit_batch(commit(f"{name}{number}", [page], batch=f"{number:06d}"))
"""
ALIVE = """
import sys
from pathlib import Path
from crawloop_assets.store import Store
store = Store(Path(sys.argv[1]), Path(sys.argv[1]) / "crawloop.duckdb")
with store.pending.running("it"):
    print(1, flush=True)
    sys.stdin.read()
"""
ROOT = Path(__file__).parents[2]


def test_machines_without_a_shared_folder_write_one_store(
    shared: Store, tmp_path: Path
) -> None:
    names = ("ada", "bea", "cem")
    machines = [
        subprocess.Popen(
            [sys.executable, "-c", MACHINE, str(tmp_path / name), name], cwd=ROOT
        )
        for name in names
    ]
    assert [one.wait(120) for one in machines] == [0, 0, 0]
    assert titles(shared) == [f"{name} {n}" for name in names for n in range(8)]
    mark = shared.publisher.check_whole()
    assert mark is not None and mark.number == 24
    with shared._database.read() as connection:
        numbers = connection.execute("select number from commits").fetchall()
    assert len(numbers) == len(set(numbers)) == 25, "each commit has its own number"


def test_urls_that_two_machines_find_at_once_are_known_once(
    shared: Store, tmp_path: Path
) -> None:
    found = [FoundUrl(f"https://shop.test/{number}") for number in range(300)]
    others = [store_at(tmp_path / str(machine)) for machine in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: one.add_urls(family(), found), others))
    assert len(shared.frontier("shop/item")) == 300


def test_who_waits_too_long_is_told_who_writes(shared: Store, tmp_path: Path) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    other = store_at(tmp_path / "two", wait_s=0.3)
    with (
        shared._database.write(),
        pytest.raises(StoreBusy, match=f"process {os.getpid()} at this machine"),
    ):
        other.record_skips("shop/item", [])


def test_who_looks_waits_for_nobody_and_sees_what_is_committed(
    shared: Store, tmp_path: Path
) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    other = store_at(tmp_path / "two", wait_s=1)
    with shared._database.write() as connection:
        connection.execute("delete from item")
        assert titles(other) == ["Tea"]
    assert titles(other) == []


def test_one_state_is_seen_while_others_commit(shared: Store, tmp_path: Path) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    other = store_at(tmp_path / "two")
    with shared.one_state():
        assert titles(shared) == ["Tea"]
        page = served(f"{A}b", Item(title="Jug", price=Decimal(1)))
        other.commit_batch(commit("r2", [page]))
        assert titles(shared) == ["Tea"]
    assert titles(shared) == ["Jug", "Tea"]


def ended(url: str) -> None:
    """All sessions of the database end, as when its server is started anew."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        )


def test_sessions_that_are_gone_are_opened_anew(shared: Store, url: str) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    ended(url)
    assert titles(shared) == ["Tea"]
    ended(url)
    assert shared.commit_batch(commit("r1", [served(A, TEA)])).replayed


def test_a_session_that_ends_in_a_transaction_changes_nothing(
    shared: Store, url: str
) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    with pytest.raises(StoreFailed), shared._database.write() as connection:
        connection.execute("delete from item")
        ended(url)
        connection.execute("select 1")
    assert titles(shared) == ["Tea"]


@pytest.mark.parametrize("was_done", [True, False])
def test_a_commit_whose_answer_is_lost_is_asked_about(
    shared: Store, monkeypatch: pytest.MonkeyPatch, was_done: bool
) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    execute = psycopg.Connection.execute

    def lossy(session: psycopg.Connection, query: object, *more: object) -> object:
        if query != b"commit":
            return execute(session, query, *more)  # type: ignore[call-overload]
        if was_done:
            execute(session, b"commit")
        session.close()
        raise psycopg.OperationalError("the answer is lost")

    page = served(f"{A}b", Item(title="Jug", price=Decimal(1)))
    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "execute", lossy)
        if was_done:
            assert not shared.commit_batch(commit("r2", [page])).replayed
        else:
            with pytest.raises(StoreFailed):
                shared.commit_batch(commit("r2", [page]))
    assert titles(shared) == (["Jug", "Tea"] if was_done else ["Tea"])


def test_a_run_on_another_machine_is_alive_until_its_process_is_killed(
    shared: Store, tmp_path: Path
) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    assert not shared.pending.is_running("it")
    process = subprocess.Popen(
        [sys.executable, "-c", ALIVE, str(tmp_path / "two")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    with process:
        assert process.stdout is not None and process.stdout.readline()
        assert shared.pending.is_running("it")
        assert not shared.pending.is_running("another")
        process.kill()
        process.wait()
    until = time.monotonic() + 10  # the server has to notice
    while shared.pending.is_running("it") and time.monotonic() < until:
        time.sleep(0.05)
    assert not shared.pending.is_running("it")
    with shared.pending.running("it"):
        assert shared.pending.is_running("it")
    assert not shared.pending.is_running("it")


def test_what_no_text_of_postgres_holds_is_left_out(shared: Store) -> None:
    page = served(A, Item(title="Te\0a", price=Decimal(3)))
    stats = {"version": 1, "around": {"\0 of it": 2, r"\u0000": 1}}
    shared.commit_batch(commit("r1", [page], stats=stats))
    assert titles(shared) == ["Tea"]
    with shared._database.read() as connection:
        said = "select stats->>'around', stats->>'version' from materializations"
        around, version = connection.execute(said).fetchone()
    assert json.loads(around) == {" of it": 2, r"\u0000": 1} and version == "1"


def session_of(store: Store) -> int:
    """The number that the server has for the session of a look."""
    with store._database.read() as connection:
        return int(connection.execute("select pg_backend_pid()").fetchone()[0])


def test_a_forked_process_has_sessions_of_its_own(shared: Store) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    mine, (reading, writing) = session_of(shared), os.pipe()
    if (child := os.fork()) == 0:
        try:
            shared.commit_batch(commit("r2", [served(f"{A}b", TEA)]))
            os.write(writing, str(session_of(shared)).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 20)) != mine == session_of(shared)
    os.close(reading)
    os.close(writing)
    assert titles(shared) == ["Tea", "Tea"]


def test_a_store_that_an_older_copy_replaced_publishes_nothing(
    shared: Store, url: str
) -> None:
    for number in range(3):
        shared.commit_batch(commit(f"r{number}", [served(f"{A}{number}", TEA)]))
    shared.publish()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("delete from crawloop_store.commits where number > 2")
    with pytest.raises(CommitsLost):
        shared.publish()


def test_a_store_of_an_older_layout_is_brought_up_to_date(
    shared: Store, url: str
) -> None:
    shared.commit_batch(commit("r1", [served(A, TEA)]))
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("set search_path = crawloop_store; update meta set version = 10")
        server.execute("alter table llm_calls drop column prompt")
        server.execute("alter table item drop column _model_fields")
        server.execute("alter table item_history drop column _model_fields")
    sessions_of.cache_clear()  # as a process of the new version
    later = store_at(shared.var.parent)
    assert later.layout() == 10
    assert titles(later) == ["Tea"] and later.layout() == LAYOUT
    later.commit_batch(commit("r2", [served(f"{A}b", TEA)]))
    later.publish()


def test_a_store_of_a_newer_layout_is_left_alone(shared: Store, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"update crawloop_store.meta set version = {LAYOUT + 1}")
    with pytest.raises(StoreFailed, match="newer version"):
        shared.batches("shop/item")


def test_a_new_database_has_no_layout_until_something_is_written(
    shared: Store, url: str
) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("drop schema crawloop_store cascade")
    assert shared.layout() == 0 and shared._database.state() == ""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(
            "create schema crawloop_store; create table crawloop_store.meta (version integer)"
        )
        server.execute("insert into crawloop_store.meta values (99)")
    assert shared.layout() == 99
