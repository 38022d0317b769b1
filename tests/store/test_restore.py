"""A lost store is rebuilt from what was published, and nothing is overwritten."""

import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.errors import CommitsLost, StoreFailed
from crawloop_assets.store import FoundUrl, NewCrawler, generations
from crawloop_assets.store import restore as restoring
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.restore import Restorer
from tests.core import core
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served
from tests.store.losses import (
    COMMITS,
    CUT,
    DAMAGED,
    LOST,
    Harm,
    all_titles,
    base,
    filled,
    published_titles,
    put,
    store_at,
)


def restorer(home: Path) -> Restorer:
    return Restorer(home / "var", home / "crawloop.duckdb", wait_s=5)


@pytest.mark.parametrize("harm", [*core(LOST | DAMAGED), *core(CUT, every=3)])
def test_after_every_loss_the_store_is_what_was_published(
    tmp_path: Path, harm: Harm
) -> None:
    before = filled(tmp_path)
    crawler = NewCrawler(family="shop/item", body="{}", reason="first")
    before.promote("shop/item", before.add_crawler(crawler), why="first")
    before.add_urls(family(), [FoundUrl("https://shop.test/a")])
    before.publish()
    harm(tmp_path)
    one = restorer(tmp_path)
    done = one.restore(one.source())
    store = store_at(tmp_path)
    store.publish()
    assert published_titles(tmp_path) == all_titles()
    assert store.batches("shop/item") == ["000001"]
    active = store.active("shop/item")
    assert active is not None and active.body == "{}"
    assert done.source.mark.number == COMMITS + 3
    put(store, 50)
    store.publish()
    assert published_titles(tmp_path) > all_titles()
    put(store_at(tmp_path), 51)
    store_at(tmp_path).publish()


def test_what_was_there_is_moved_aside(tmp_path: Path) -> None:
    filled(tmp_path)
    DAMAGED["base overwritten"](tmp_path)
    damaged = {
        file.name: file.read_bytes() for file in (tmp_path / "var").glob("store-*")
    }
    one = restorer(tmp_path)
    done = one.restore(one.source())
    assert {
        file.name: file.read_bytes() for file in done.aside.glob("store-*")
    } == damaged
    assert (done.aside / "committed.json").exists()


def test_without_a_readable_published_file_an_earlier_one_is_taken(
    tmp_path: Path,
) -> None:
    store = filled(tmp_path)
    put(store, COMMITS)
    store.publish()
    (earlier,) = EarlierFiles(tmp_path / "var").newest_first()
    published = tmp_path / "crawloop.duckdb"
    published.chmod(0o644)
    content = published.read_bytes()
    published.write_bytes(content[: len(content) // 2])
    base(tmp_path).write_bytes(b"")
    one = restorer(tmp_path)
    source = one.source()
    assert source.file == earlier and source.mark.number == COMMITS
    assert one.last_noted() == COMMITS + 1
    done = one.restore(source)
    store_at(tmp_path).publish()
    assert published_titles(tmp_path) == all_titles()
    assert (done.aside / "crawloop.duckdb").read_bytes() == content[: len(content) // 2]


def test_a_file_that_is_named_takes_the_place_of_a_newer_one(tmp_path: Path) -> None:
    store = filled(tmp_path)
    backup = tmp_path / "backup.duckdb"
    backup.write_bytes((tmp_path / "crawloop.duckdb").read_bytes())
    put(store, COMMITS)
    store.publish()
    one = restorer(tmp_path)
    one.restore(one.source(backup))
    store_at(tmp_path).publish()
    assert published_titles(tmp_path) == all_titles()


def test_with_nothing_to_rebuild_from_it_is_said(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "crawloop.duckdb").unlink()
    with pytest.raises(StoreFailed, match="stored pages alone do not say"):
        restorer(tmp_path).source()


def test_what_was_pending_then_is_asked_for_again(tmp_path: Path) -> None:
    store = filled(tmp_path)
    url = "https://shop.test/pending"
    store.add_urls(family(), [FoundUrl(url)])
    store.commit_batch(
        commit(
            "waits",
            [served(url, Item(title="waits", price=Decimal(1)))],
            unit="waits",
            fetched=[fetched(url, etag="e", content_hash="c")],
        )
    )
    store.publish()
    base(tmp_path).unlink()
    one = restorer(tmp_path)
    one.restore(one.source())
    after = store_at(tmp_path)
    assert "waits" not in published_titles(tmp_path)
    assert after.due("shop/item") == {"000001": 1}
    counts = after.commit_batch(
        commit("waits", [served(url, Item(title="waits", price=Decimal(1)))])
    )
    assert counts.new == 1 and not counts.replayed


def test_a_restore_that_fails_leaves_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path)
    LOST["log gone"](tmp_path)
    before = sorted(file.name for file in (tmp_path / "var").glob("store-*"))

    def full(_source: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(generations.shutil, "copyfile", full)
    one = restorer(tmp_path)
    with pytest.raises(StoreFailed, match="No space"):
        one.restore(one.source())
    assert sorted(file.name for file in (tmp_path / "var").glob("store-*")) == before


def then_die(step: Callable[..., object]) -> Callable[..., None]:
    """A step after which the process is killed."""

    def run(*arguments: object) -> None:
        step(*arguments)
        os.kill(os.getpid(), 9)

    return run


def test_a_restore_killed_at_any_step_can_be_done_again(
    tmp_path: Path,
) -> None:
    filled(tmp_path)
    LOST["log gone"](tmp_path)
    for step in ("fold", "_move"):
        child = os.fork()
        if child == 0:
            setattr(restoring, step, then_die(getattr(restoring, step)))
            one = restorer(tmp_path)
            one.restore(one.source())
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 9
        with pytest.raises(CommitsLost):
            store_at(tmp_path).publish()
    one = restorer(tmp_path)
    one.restore(one.source())
    store_at(tmp_path).publish()
    assert published_titles(tmp_path) == all_titles()
