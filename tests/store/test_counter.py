"""Whatever is lost of the store's files, the published file never has less than before."""

import json
import os
from pathlib import Path

import duckdb
import pytest

from crawloop_assets.errors import CommitsLost, StoreFailed
from crawloop_assets.store import counter
from crawloop_assets.store.counter import (
    CommitMark,
    CommitNote,
    count_commit,
    holds,
    mark_in,
)
from tests.core import core
from tests.store.conftest import family
from tests.store.losses import (
    COMMITS,
    CUT,
    DAMAGED,
    LOST,
    Harm,
    all_titles,
    filled,
    log,
    published_titles,
    put,
    store_at,
)


def note(home: Path) -> CommitMark:
    return CommitMark.model_validate_json((home / "var/committed.json").read_bytes())


@pytest.mark.parametrize("harm", [*core(LOST), *core(CUT, every=3)])
def test_a_store_that_lost_commits_publishes_nothing_and_says_what_to_do(
    tmp_path: Path, harm: Harm
) -> None:
    filled(tmp_path)
    harm(tmp_path)
    store = store_at(tmp_path)
    for number in range(50, 50 + 2 * COMMITS):
        put(
            store, number
        )  # it has more commits than ever before, and lacks the old ones
        with pytest.raises(
            CommitsLost, match="run `crawloop doctor`, then `crawloop restore`"
        ):
            store.publish()
    assert published_titles(tmp_path) == all_titles()


@pytest.mark.parametrize("harm", DAMAGED.values(), ids=DAMAGED)
def test_a_store_that_is_damaged_says_so_and_publishes_nothing(
    tmp_path: Path, harm: Harm
) -> None:
    filled(tmp_path)
    harm(tmp_path)
    store = store_at(tmp_path)
    for call in (store.audits, store.publish, lambda: put(store, 50)):
        with pytest.raises(StoreFailed, match=r"`crawloop restore`"):
            call()
    assert published_titles(tmp_path) == all_titles()


def test_a_process_killed_between_store_and_note_stops_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    before = note(tmp_path)
    child = os.fork()
    if child == 0:
        CommitNote.write = lambda _self, _mark: os.kill(os.getpid(), 9)  # type: ignore[assignment, method-assign]
        put(store_at(tmp_path), COMMITS)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 9
    assert note(tmp_path) == before
    store_at(tmp_path).publish()
    assert published_titles(tmp_path) == all_titles(COMMITS + 1)


def test_a_note_that_is_torn_or_gone_stops_nothing(tmp_path: Path) -> None:
    store = filled(tmp_path)
    for harm in (lambda file: file.write_text('{"numb'), Path.unlink):
        harm(tmp_path / "var/committed.json")
        store.publish()
        put(store, COMMITS)
        assert note(tmp_path).number > COMMITS


def test_what_is_taken_out_on_purpose_is_published(tmp_path: Path) -> None:
    store = filled(tmp_path)
    store.families.remove(family().family, "ada", "sold")
    store.publish()
    assert published_titles(tmp_path) == set()


def test_a_project_from_before_the_counter_goes_on(tmp_path: Path) -> None:
    filled(tmp_path)
    with store_at(tmp_path)._database.write() as connection:
        connection.execute(
            "drop table commits; create table commits (number bigint, name varchar)"
        )
    (tmp_path / "var/committed.json").unlink()
    (tmp_path / "var/published.json").unlink()
    published = tmp_path / "crawloop.duckdb"
    published.chmod(0o644)
    with duckdb.connect(str(published)) as connection:
        connection.execute("drop table commits")
    store = store_at(tmp_path)
    put(store, COMMITS)
    store.publish()
    assert published_titles(tmp_path) == all_titles(COMMITS + 1)


def test_a_new_store_does_not_replace_what_an_uncounted_one_published(
    tmp_path: Path,
) -> None:
    filled(tmp_path)
    published = tmp_path / "crawloop.duckdb"
    published.chmod(0o644)
    with duckdb.connect(str(published)) as connection:
        connection.execute("drop table commits")
    LOST["everything gone"](tmp_path)
    with pytest.raises(CommitsLost):
        store_at(tmp_path).publish()


def test_only_the_last_commits_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter, "_KEPT", 5)
    with duckdb.connect() as connection:
        connection.execute("create table commits (number bigint, name varchar)")
        marks = [count_commit(connection) for _ in range(23)]
        assert [mark.number for mark in marks] == list(range(1, 24))
        ((kept,),) = connection.execute("select count(*) from commits").fetchall()
        assert kept == 9
        assert all(holds(connection, mark) for mark in marks)
        assert not holds(connection, marks[-1].model_copy(update={"name": "another"}))
        assert not holds(connection, CommitMark(number=24, name="later"))


def test_nothing_is_noted_over_what_tells_of_a_loss(tmp_path: Path) -> None:
    filled(tmp_path)
    before = note(tmp_path)
    log(tmp_path).unlink()
    put(store_at(tmp_path), 50)
    assert note(tmp_path) == before
    assert (
        json.loads((tmp_path / "var/committed.json").read_text())["number"] == COMMITS
    )


def test_what_is_no_store_has_no_mark_and_one_from_before_the_counter_has(
    tmp_path: Path,
) -> None:
    file = tmp_path / "other.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("create table fruit (name varchar)")
    assert mark_in(file, 0) is None
    with duckdb.connect(str(file)) as connection:
        connection.execute("create table meta (version integer)")
    assert mark_in(file, 0) == CommitMark(number=0, name="")
