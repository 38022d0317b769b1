from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import AuditKind, CrawlerStatus, NewCrawler, Store

FAMILY = "shop/item"


def add(store: Store, body: str, **more: object) -> int:
    return store.add_crawler(NewCrawler(family=FAMILY, body=body, **more))  # type: ignore[arg-type]


def statuses(store: Store) -> list[str]:
    return [version.status.value for version in store.crawlers(FAMILY)]


def test_versions_are_numbered_and_equal_bytes_are_one_version(store: Store) -> None:
    assert [
        add(store, "one", score_sheet={"title": 1.0}, layout={"a": 1}),
        add(store, "two"),
        add(store, "one"),
    ] == [
        1,
        2,
        1,
    ]
    first = store.crawlers(FAMILY)[0]
    assert (first.body, first.score_sheet, first.layout, first.promoted_at) == (
        "one",
        {"title": 1.0},
        {"a": 1},
        None,
    )
    assert store.active(FAMILY) is None


def test_promotion_retires_the_active_version_and_is_audited(store: Store) -> None:
    add(store, "one"), add(store, "two")
    assert store.promote(FAMILY, 1, "first") and store.promote(
        FAMILY, 2, "redesign", expected_active=1
    )
    assert statuses(store) == ["retired", "active"]
    details = [
        event.detail for event in store.audits(FAMILY, AuditKind.CRAWLER_PROMOTED)
    ]
    assert details == [
        {"version": 1, "before": None, "why": "first"},
        {"version": 2, "before": 1, "why": "redesign"},
    ]


def test_a_promotion_that_comes_too_late_does_nothing(store: Store) -> None:
    for body in ("one", "two", "three"):
        add(store, body)
    assert store.promote(FAMILY, 2, "", expected_active=0)
    assert not store.promote(FAMILY, 3, "", expected_active=0)
    assert statuses(store) == ["candidate", "active", "candidate"]


def test_of_many_promoters_exactly_one_wins(tmp_path: Path, store: Store) -> None:
    for body in "abcd":
        add(store, body)
    stores = [Store(tmp_path / "var", tmp_path / "crawloop.duckdb") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        won = list(
            pool.map(
                lambda n: stores[n].promote(FAMILY, n + 1, "", expected_active=0),
                range(4),
            )
        )
    assert sorted(won) == [False, False, False, True]
    assert statuses(store).count("active") == 1


def test_the_active_version_cannot_be_rejected(store: Store) -> None:
    store.promote(FAMILY, add(store, "one"), "")
    store.reject(FAMILY, add(store, "two"), "failed the gauntlet")
    assert store.crawlers(FAMILY)[1].status is CrawlerStatus.REJECTED
    with pytest.raises(ConfigError, match="roll back"):
        store.reject(FAMILY, 1, "")
    with pytest.raises(ConfigError, match="promotion"):
        add(store, "three", status=CrawlerStatus.ACTIVE)


def test_probation_ends(store: Store) -> None:
    add(store, "one", probation=True)
    assert store.crawlers(FAMILY)[0].probation
    store.end_probation(FAMILY, 1)
    assert not store.crawlers(FAMILY)[0].probation
