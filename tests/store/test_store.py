"""One facade: each call is a transaction of its own, and asking makes nothing."""

from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError, StoreBusy
from crawloop_assets.store import (
    AuditKind,
    FoundUrl,
    HeldPage,
    HeldReason,
    NewCrawler,
    Store,
    UrlState,
)
from crawloop_assets.store.migrate import LAYOUT
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

A, B, C = (f"https://shop.test/{name}" for name in "abc")
TEA = Item(title="Tea", price=Decimal(1))


def held(url: str) -> HeldPage:
    reasons = [HeldReason(check="votes")]
    return HeldPage(url=url, page_sha256=None, version=1, reasons=reasons)


@pytest.mark.file_store
def test_asking_for_the_layout_makes_no_store(store: Store, tmp_path: Path) -> None:
    assert store.layout() == 0
    assert not list((tmp_path / "var").glob("*.duckdb"))
    store.add_urls(family(), [FoundUrl(A)])
    assert store.layout() == LAYOUT


def test_an_empty_store_knows_nothing_of_a_family(store: Store) -> None:
    of = family()
    assert store.known(of) == {} and store.suspects(of) == []
    assert store.canaries(of, 3) == [] and store.explain(of, A) == []
    assert store.known_before(of, 1, [A]) == {} and store.read_by(of, 1) == []
    assert store.report("shop/item", "000001") == []
    assert store.stats_history("shop/item") == []
    assert store.active("shop/item") is None and store.url("shop/item", A) is None


def test_only_active_urls_of_a_batch_are_asked_for(store: Store) -> None:
    assert store.add_urls(family(), [FoundUrl(url) for url in (A, B, C)]) == ["000001"]
    assert store.mark_aliases("shop/item", {B: A}) == 1
    store.commit_batch(commit("r1", fetched=[fetched(C, state=UrlState.REFUSED)]))
    assert [url.url for url in store.urls("shop/item", "000001")] == [A]
    assert store.due("shop/item") == {"000001": 1}
    everything = {url.url: url.state for url in store.frontier("shop/item")}
    assert everything == {A: UrlState.ACTIVE, B: UrlState.ALIAS, C: UrlState.REFUSED}
    alias = store.url("shop/item", B)
    assert alias is not None and alias.alias_of == A
    assert store.batches("shop/item") == ["000001"]


def test_the_statistics_of_batches_come_newest_last(store: Store) -> None:
    for run in range(3):
        store.commit_batch(commit(f"r{run}", stats={"run": run}))
    assert store.stats_history("shop/item") == [{"run": run} for run in range(3)]
    assert store.stats_history("shop/item", limit=2) == [{"run": 1}, {"run": 2}]


def test_what_a_person_discards_is_audited_with_its_urls(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A), held(B)]))
    first, second = store.quarantine("shop/item")
    store.discard("shop/item", [first.id], "ada", "I looked", "run9")
    assert [entry.url for entry in store.quarantine()] == [second.url]
    (event,) = store.audits("shop/item", AuditKind.QUARANTINE_REJECTED)
    assert event.run_id == "run9"
    assert event.detail == {
        "ids": [first.id],
        "who": "ada",
        "why": "I looked",
        "urls": [first.url],
    }


def test_a_withdrawal_that_cannot_be_done_changes_nothing(store: Store) -> None:
    number = store.add_crawler(NewCrawler(family="shop/item", body="{}"))
    store.promote("shop/item", number, "first")
    with pytest.raises(ConfigError, match="no earlier version"):
        store.withdraw(family(), number, "wrong", "r1")
    with pytest.raises(ConfigError, match="version 7 of shop/item is not active"):
        store.withdraw(family(), 7, "wrong", "r1")
    active = store.active("shop/item")
    assert active is not None and active.version == number
    assert store.audits(kind=AuditKind.CRAWLER_WITHDRAWN) == []


def test_a_version_without_rows_can_be_withdrawn(store: Store) -> None:
    for body in ("one", "two"):
        number = store.add_crawler(NewCrawler(family="shop/item", body=body))
        store.promote("shop/item", number, "a test", expected_active=number - 1)
    assert store.withdraw(family(), 2, "wrong", "r1") == []
    active = store.active("shop/item")
    assert active is not None and active.version == 1
    (event,) = store.audits(kind=AuditKind.CRAWLER_WITHDRAWN)
    assert event.detail == {
        "version": 2,
        "successor": None,
        "why": "wrong",
        "batches": [],
    }


def test_the_copy_is_published_where_it_was_asked_for(
    store: Store, tmp_path: Path
) -> None:
    store.commit_batch(commit("r1", [served(A, TEA)]))
    assert store.publish() == tmp_path / "crawloop.duckdb"
    assert (tmp_path / "crawloop.duckdb").stat().st_size > 0
    assert store.publish_if_due() is None


@pytest.mark.file_store
def test_two_stores_of_one_folder_are_one(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "var", tmp_path / "other.duckdb", wait_s=0.1)
    store.commit_batch(commit("r1", [served(A, TEA)]))
    assert list(other.known(family())) == [A]
    with store._database.write(), pytest.raises(StoreBusy):
        other.batches("shop/item")
