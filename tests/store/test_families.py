"""A family whose file is gone: marked until a person removes it, and then the history
has its rows."""

import os
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import (
    AuditKind,
    CrawlerStatus,
    FoundUrl,
    HeldPage,
    HeldReason,
    HeldState,
    LeftFamily,
    NewCrawler,
    Store,
    families,
)
from tests.models import Item
from tests.store.conftest import commit, family, served

Rows = Callable[..., list[dict[str, Any]]]
GONE, KEPT = "shop/item", "other/item"
A, B = "https://shop.test/a", "https://shop.test/b"
LEFT = LeftFamily(GONE, rows=1, urls=2, versions=2)


def tea(url: str) -> Any:
    return served(url, Item(title="Tea", price=Decimal(1)))


@pytest.fixture
def known(store: Store) -> Store:
    """Two families of one model, each with a row, a held page, urls and versions."""
    for name in (GONE, KEPT):
        of = family(name)
        store.add_urls(of, [FoundUrl(A), FoundUrl(B)])
        for body in ("one", "two", "three"):
            store.add_crawler(NewCrawler(family=name, body=body))
        store.promote(name, 1, why="first")
        store.promote(name, 2, why="second")
        reasons = [HeldReason(check="votes")]
        held = HeldPage(url=B, page_sha256="b" * 64, version=1, reasons=reasons)
        store.commit_batch(commit("r1", [tea(A)], of, held=[held]))
    return store


def test_what_is_left_is_counted_and_its_rows_are_marked(
    known: Store, rows: Rows
) -> None:
    assert known.families.left([GONE, KEPT]) == []
    assert known.families.left([KEPT]) == [LEFT]
    assert rows("from item where _stale_since is not null") == []
    assert known.families.mark_left([KEPT]) == [LEFT]
    first = rows(
        "select _family, _stale_since from item where _stale_since is not null"
    )
    assert [row["_family"] for row in first] == [GONE]
    assert known.families.mark_left([KEPT]) == [LEFT]
    again = rows(
        "select _family, _stale_since from item where _stale_since is not null"
    )
    assert again == first, "since when it is stale is said once"


def test_a_family_that_is_back_is_no_longer_stale(known: Store, rows: Rows) -> None:
    known.families.mark_left([KEPT])
    known.commit_batch(commit("r2", [tea(A)], family(GONE)))
    assert rows("from item where _stale_since is not null") == []


def test_a_removed_family_leaves_the_table_and_the_history_keeps_its_rows(
    known: Store, rows: Rows
) -> None:
    assert known.families.remove(GONE, "ann", "sold") == LEFT
    assert [row["_family"] for row in rows("from item")] == [KEPT]
    states = rows("select _state, title from item_history where _family = ?", GONE)
    assert [row["_state"] for row in states] == ["new", "removed"]
    assert {row["title"] for row in states} == {"Tea"}
    assert known.families.left([KEPT]) == []
    assert known.frontier(GONE) == [] and known.batches(GONE) == []
    _nothing_serves_or_waits(known)
    _the_other_is_as_it_was(known)
    (event,) = known.audits(GONE, AuditKind.FAMILY_REMOVED)
    assert event.detail == {
        "family": GONE,
        "rows": 1,
        "urls": 2,
        "versions": 2,
        "who": "ann",
        "why": "sold",
    }
    with pytest.raises(ConfigError, match="knows no family"):
        known.families.remove(GONE, "ann")


def _nothing_serves_or_waits(store: Store) -> None:
    assert [version.status for version in store.crawlers(GONE)] == [
        CrawlerStatus.RETIRED,
        CrawlerStatus.RETIRED,
        CrawlerStatus.REJECTED,
    ]
    assert store.active(GONE) is None
    (held,) = store.quarantine(GONE, None)
    assert (held.state, held.decided_by) == (HeldState.REJECTED, "ann")


def _the_other_is_as_it_was(store: Store) -> None:
    assert len(store.frontier(KEPT)) == 2 and store.batches(KEPT) == ["000001"]
    active = store.active(KEPT)
    assert active is not None and active.version == 2
    assert len(store.quarantine(KEPT)) == 1


def test_it_can_be_declared_again(known: Store, rows: Rows) -> None:
    known.families.remove(GONE, "ann")
    of = family(GONE)
    assert known.add_urls(of, [FoundUrl(A)]) == ["000001"]
    known.commit_batch(commit("r2", [tea(A)], of))
    assert len(rows("from item where _family = ?", GONE)) == 1
    assert known.add_crawler(NewCrawler(family=GONE, body="four")) == 4


def test_what_was_pending_of_it_never_comes_back(known: Store, rows: Rows) -> None:
    known.commit_batch(commit("r2", [tea(B)], family(GONE), unit="r2"))
    known.families.remove(GONE, "ann")
    assert known.pending.units(GONE) == []
    assert [row["_family"] for row in rows("from item")] == [KEPT]


def test_a_run_that_still_writes_its_rows_is_waited_for(known: Store) -> None:
    known.commit_batch(commit("r2", [tea(B)], family(GONE), unit="backfill"))
    with (
        known.pending.running("r2"),
        pytest.raises(ConfigError, match="run r2 still writes"),
    ):
        known.families.remove(GONE, "ann")
    assert known.families.remove(GONE, "ann").rows == 2


class Wider(Item):
    """The same with one field more."""

    origin: str | None = None


Wider.__name__ = "Item"


def test_columns_that_only_a_removed_family_declared_leave_the_table(
    known: Store, rows: Rows
) -> None:
    wider = family("third/item", schema="tests.store.test_families:Wider")
    known.commit_batch(commit("r1", [], wider))
    assert known.families.leaving(family(KEPT)) == []
    known.families.remove("third/item", "ann")
    assert known.families.leaving(family(KEPT)) == ["origin"]
    known.families.adapt(family(KEPT))
    assert known.families.leaving(family(KEPT)) == []
    assert "origin" not in rows("from item")[0]
    assert "origin" in rows("from item_history")[0]


@pytest.mark.parametrize("dies", ["_close", "write_audit"])
def test_a_removal_killed_half_way_removed_nothing(
    known: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch, dies: str
) -> None:
    if (child := os.fork()) == 0:
        monkeypatch.setattr(families, dies, lambda *_: os.kill(os.getpid(), 9))
        known.families.remove(GONE, "ann")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 9
    assert known.families.left([KEPT]) == [LEFT]
    assert len(rows("from item")) == 2 and len(rows("from item_history")) == 2
    assert known.families.remove(GONE, "ann") == LEFT
