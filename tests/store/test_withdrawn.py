"""What a version wrote is taken back; what was known before stands again, and the history keeps both."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import AuditKind, CrawlerStatus, HeldPage, NewCrawler, Store
from tests.models import Item
from tests.store.conftest import commit, family, served

Rows = Callable[..., list[dict[str, Any]]]
FAMILY = "shop/item"


def add(store: Store, *bodies: str, **more: Any) -> None:
    for body in bodies:
        number = store.add_crawler(NewCrawler(family=FAMILY, body=body, **more))
        store.promote(FAMILY, number, "a test")


def item(price: str, title: str = "Tea") -> Item:
    return Item(title=title, price=Decimal(price))


@pytest.fixture
def written(store: Store) -> Store:
    """a: read by both versions, differently; b: by both, alike; c: by the second only; d: by the first only."""
    add(store, "one", "two")
    store.commit_batch(commit("r1", [served(url, item("1")) for url in "abd"]))
    store.commit_batch(
        commit(
            "r2",
            [
                served(url, item(p), version=2)
                for url, p in zip("abc", "213", strict=True)
            ],
        )
    )
    return store


def test_read_by_and_known_before(written: Store) -> None:
    held = HeldPage(url="e", page_sha256=None, version=2, reasons=[])
    written.commit_batch(commit("r3", held=[held]))
    assert written.read_by(family(), 2) == ["a", "b", "c", "e"]
    assert written.read_by(family(), 1) == ["d"]
    before = written.known_before(family(), 2, ["a", "b", "c"])
    assert {url: [row["price"] for row in found] for url, found in before.items()} == {
        "a": ["1"],
        "b": ["1"],
    }


def test_rows_go_back_to_what_was_known_or_leave(written: Store, rows: Rows) -> None:
    assert written.withdraw(family(), 2, "it read a wrong price", "r3") == ["000001"]
    now = {row["_url"]: row for row in rows("select * from item")}
    assert {url: int(row["price"]) for url, row in now.items()} == {
        "a": 1,
        "b": 1,
        "d": 1,
    }
    assert {url: row["_served_by"] for url, row in now.items()} == {
        "a": "last_good",
        "b": "last_good",
        "d": "crawler",
    }
    assert [url for url in "abd" if now[url]["_stale_since"] is None] == ["d"]
    assert [now[url]["_crawler_version"] for url in "abd"] == [1, 1, 1]
    told = rows(
        "select _url, price::int as price, _state, _run_id from item_history where _run_id = 'r3' order by all"
    )
    assert [tuple(row.values()) for row in told] == [
        ("a", 1, "changed", "r3"),
        ("b", 1, "changed", "r3"),
        ("c", 3, "removed", "r3"),
    ]
    assert [one.status for one in written.crawlers(FAMILY)] == [
        CrawlerStatus.ACTIVE,
        CrawlerStatus.REJECTED,
    ]
    (event,) = written.audits(FAMILY, AuditKind.CRAWLER_WITHDRAWN)
    assert event.detail["batches"] == ["000001"]


def test_a_good_reading_ends_it(written: Store, rows: Rows) -> None:
    written.withdraw(family(), 2, "", "r3")
    written.commit_batch(commit("r4", [served("a", item("1")), served("c", item("4"))]))
    now = {row["_url"]: row for row in rows("select * from item")}
    assert (now["a"]["_state"], now["a"]["_stale_since"], now["a"]["_served_by"]) == (
        "same",
        None,
        "crawler",
    )
    assert (now["c"]["_state"], int(now["c"]["price"])) == ("new", 4)


def test_a_successor_takes_the_place_in_the_same_transaction(written: Store) -> None:
    written.add_crawler(NewCrawler(family=FAMILY, body="three"))
    written.withdraw(family(), 2, "", "r3", successor=3)
    assert [one.status.value for one in written.crawlers(FAMILY)] == [
        "retired",
        "rejected",
        "active",
    ]


def test_only_the_active_version_is_withdrawn_and_only_where_there_is_another(
    store: Store, rows: Rows
) -> None:
    add(store, "one")
    store.commit_batch(commit("r1", [served("a", item("1"))]))
    for version in (1, 2):
        with pytest.raises(ConfigError):
            store.withdraw(family(), version, "", "r2")
    assert len(rows("select * from item")) == 1
    assert [one.status for one in store.crawlers(FAMILY)] == [CrawlerStatus.ACTIVE]


def test_who_is_on_probation(store: Store) -> None:
    add(store, "one", probation=True)
    add(store, "two")
    assert store.on_probation() == []
    add(store, "three", probation=True)
    assert [(one.family, one.version) for one in store.on_probation()] == [(FAMILY, 3)]
    store.end_probation(FAMILY, 3, "three pages more")
    assert store.on_probation() == []
    (event,) = store.audits(FAMILY, AuditKind.PROBATION_ENDED)
    assert event.detail == {"version": 3, "why": "three pages more"}
