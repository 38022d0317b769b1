"""Rows go back to what was known before some runs wrote them."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.store import FoundUrl, Store
from crawloop_assets.store.putback import RecordTable, copy_rows, hide, put_back
from crawloop_assets.store.tables import stored_types
from tests.heal.clock import Clock
from tests.models import Item
from tests.store.conftest import NOON, commit, family, fetched, served

Rows = Callable[..., list[dict[str, Any]]]
FAMILY = "shop/item"


def item(price: int) -> Item:
    return Item(title="Tea", price=Decimal(price))


@pytest.fixture
def written(store: Store) -> Store:
    """a: another price in r2; b: the same; c: new in r2; d: in r1 only."""
    store.add_urls(family(), [FoundUrl(url) for url in "abcd"])
    store.commit_batch(commit("r1", [served(url, item(1)) for url in "abd"]))
    pages = [served(url, item(p)) for url, p in zip("abc", (2, 1, 3), strict=True)]
    store.commit_batch(commit("r2", pages, fetched=[fetched(url) for url in "abc"]))
    return store


def changing(store: Store, change: Callable[[Any, RecordTable], Any]) -> Any:
    with store._database.write() as connection:
        return change(connection, RecordTable("item", stored_types(connection, "item")))


def prices(rows: Rows) -> dict[str, tuple[int, bool]]:
    found = rows("select _url, price::int as price, _stale_since from item")
    return {
        row["_url"]: (row["price"], row["_stale_since"] is not None) for row in found
    }


def test_rows_go_back_or_leave_and_same_ones_are_stale(
    written: Store, rows: Rows
) -> None:
    stale = changing(
        written, lambda to, table: put_back(to, table, FAMILY, ["r2"], "abc", NOON)
    )
    assert stale == 2
    assert prices(rows) == {"a": (1, True), "b": (1, True), "d": (1, False)}
    last = rows("select _url, _state from item_history where _changed_at = ?", NOON)
    assert {(row["_url"], row["_state"]) for row in last} == {
        ("a", "changed"),
        ("c", "removed"),
    }


def test_what_a_row_goes_back_to_is_what_was_written_last(
    store: Store, rows: Rows
) -> None:
    store.add_urls(family(), [FoundUrl("a")])
    clock = Clock()
    with clock.running():
        for price, hours in ((1, 0), (2, 2), (3, -2), (4, 0)):
            clock.go_on(timedelta(hours=hours))
            store.commit_batch(commit(f"r{price}", [served("a", item(price))]))
    changing(store, lambda to, table: put_back(to, table, FAMILY, ["r4"], "a", NOON))
    assert prices(rows) == {"a": (3, True)}


def test_other_pages_are_left_alone(written: Store, rows: Rows) -> None:
    changing(written, lambda to, table: put_back(to, table, FAMILY, ["r2"], "c", NOON))
    assert prices(rows) == {"a": (2, False), "b": (1, False), "d": (1, False)}


def test_a_row_that_left_with_its_page_stays_away(written: Store, rows: Rows) -> None:
    written.commit_batch(commit("r2", gone=["d"], batch="2"))
    changing(written, lambda to, table: put_back(to, table, FAMILY, ["r2"], "d", NOON))
    assert "d" not in prices(rows)


def test_a_hidden_run_leaves_no_trace(written: Store, rows: Rows) -> None:
    changing(written, lambda to, table: hide(to, table, FAMILY, ["r2"]))
    assert prices(rows) == {"a": (1, False), "b": (1, False), "d": (1, False)}
    assert rows("select 1 from item_history where _run_id = 'r2'") == []


def test_a_later_run_hides_what_was_before_it(written: Store, rows: Rows) -> None:
    written.commit_batch(commit("r3", [served("a", item(9))]))
    changing(written, lambda to, table: hide(to, table, FAMILY, ["r2"]))
    assert prices(rows)["a"] == (9, False)


def test_rows_are_copied_with_another_lineage(written: Store, rows: Rows) -> None:
    changing(
        written,
        lambda to, table: copy_rows(
            to, table, "item", "from item where _url = ?", ["d"], {"_run_id": "copy"}
        ),
    )
    found = rows("select _run_id from item where _url = 'd' order by 1")
    assert [row["_run_id"] for row in found] == ["copy", "r1"]
