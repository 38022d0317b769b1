"""The views of the published file: one per family, and each record once."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pydantic import create_model

from crawloop_assets.page import Verdict
from crawloop_assets.store import FoundUrl, ServedBy, Store
from tests.models import Item
from tests.store import models
from tests.store.conftest import commit, family, fetched, served
from tests.store.models import Link

Rows = Callable[..., list[dict[str, Any]]]
A, B = "https://shop.test/a", "https://shop.test/b"
OF_TABLE = ("item_changes", "item_latest", "item_over_time", "item_unique")
DETAIL = family("shop/item")
LISTING = family("shop/items", kind="listing")


def item(url: str, price: int) -> Item:
    return Item(url=url, title="Tea", price=Decimal(price))


def write(store: Store, of: Any, run: str, **prices: int) -> None:
    """A run that read these prices, by the last letter of the url."""
    pages = []
    for name, price in prices.items():
        url = f"https://shop.test/{name}"
        at = url if of is DETAIL else "https://shop.test/list"
        pages.append(served(at, item(url, price)))
    store.commit_batch(commit(run, pages, of))


def prices(rows: Rows, view: str) -> dict[str, int]:
    """Letter -> price; every record once."""
    found = rows(f'select url, price::int as price from "{view}"')
    assert len({row["url"] for row in found}) == len(found)
    return {row["url"][-1]: row["price"] for row in found}


def test_a_record_of_two_families_is_there_once(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1, b=1)
    write(store, LISTING, "r2", b=2, c=2)
    assert len(rows("from item")) == 4
    assert prices(rows, "item__shop__item") == {"a": 1, "b": 1}
    assert prices(rows, "item__shop__items") == {"b": 2, "c": 2}
    assert prices(rows, "item_unique") == {"a": 1, "b": 2, "c": 2}
    write(store, DETAIL, "r3", a=1, b=1)
    assert prices(rows, "item_unique")["b"] == 1, "the one verified last"


def test_a_row_that_is_in_doubt_gives_way(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1, b=1)
    write(store, LISTING, "r2", a=2, b=2)
    store.doubt(LISTING, 1, "read wrong")
    assert prices(rows, "item_unique") == {"a": 1, "b": 1}
    stale = [served(A, by=ServedBy.LAST_GOOD), served(B, by=ServedBy.LAST_GOOD)]
    store.commit_batch(commit("r3", stale, DETAIL))
    assert prices(rows, "item_unique") == {"a": 2, "b": 2}


def test_of_equals_the_first_family_by_name_is_shown(store: Store, rows: Rows) -> None:
    for of in (LISTING, DETAIL):
        write(store, of, "r1", a=1)
    with store._database.write() as connection:
        connection.execute("update item set _verified_at = '2026-11-22'")
    (shown,) = rows("from item_unique")
    assert shown["_family"] == "shop/item"


def test_keys_of_other_fields_are_other_records(store: Store, rows: Rows) -> None:
    by_title = family("shop/titles", key=["title"], kind="listing")
    store.commit_batch(
        commit("r1", [served(A, Item(title=A, price=Decimal(1)))], DETAIL)
    )
    store.commit_batch(
        commit("r2", [served(B, Item(title=A, price=Decimal(2)))], by_title)
    )
    assert {row["_key"] for row in rows("from item")} == {A}
    assert len(rows("from item_unique")) == 2


def test_one_family_has_its_views_too(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1)
    assert prices(rows, "item_unique") == prices(rows, "item__shop__item") == {"a": 1}
    found = rows(
        "select view_name, comment from duckdb_views() where not internal order by 1"
    )
    assert [row["view_name"] for row in found] == ["item__shop__item", *OF_TABLE]
    assert found[0]["comment"] == "The rows of shop/item."
    assert "verified last" in found[-1]["comment"]
    (said,) = rows("select comment from duckdb_tables() where table_name = 'item'")
    assert "item_unique has each once" in said["comment"]


def test_views_follow_the_columns_of_their_table(
    store: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = family("shop/link", schema="tests.store.models:Link")
    store.commit_batch(commit("r1", [served(A, Link(url=A, title="Tea"))], of))
    assert "title" in rows("from link_unique")[0]
    other = create_model("Link", url=(str, ...), name=(str | None, None))
    monkeypatch.setattr(models, "Link", other)
    store.commit_batch(commit("r2", [served(A, other(url=A, name="Tea"))], of))
    for view in ("link_unique", "link__shop__link"):
        (row,) = rows(f"from {view}")
        assert row["name"] == "Tea" and "title" not in row


def test_a_name_that_is_taken_is_left_alone(
    store: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(store, family("2nd__site/x_1", kind="listing"), "r1", a=1)
    write(store, family("2nd/site/x_1", kind="listing"), "r1", b=1)
    taken = create_model("ItemUnique", title=(str, ...))
    monkeypatch.setattr(models, "ItemUnique", taken, raising=False)
    of = family("shop/once", schema="tests.store.models:ItemUnique")
    store.commit_batch(commit("r1", [served(A, taken(title="a table"))], of))
    assert rows("from item_unique")[0]["title"] == "a table"
    assert prices(rows, "item_unique_") == {"a": 1, "b": 1}
    assert prices(rows, "item__2nd__site__x_1") == {"b": 1}
    assert prices(rows, "item__2nd__site__x_1_") == {"a": 1}
    assert rows("from item_unique__shop__once")[0]["title"] == "a table"


def test_a_removed_family_has_no_view(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1)
    write(store, LISTING, "r1", a=2)
    store.families.remove("shop/items", "ann")
    found = rows("select view_name from duckdb_views() where not internal order by 1")
    assert [row["view_name"] for row in found] == ["item__shop__item", *OF_TABLE]
    assert prices(rows, "item_unique") == {"a": 1}


def test_what_is_pending_is_in_no_view(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1)
    store.commit_batch(commit("r2", [served(A, item(A, 5))], DETAIL, unit="r2"))
    assert prices(rows, "item_unique") == prices(rows, "item__shop__item") == {"a": 1}


def test_views_work_wherever_the_file_is(store: Store, tmp_path: Path) -> None:
    write(store, DETAIL, "r1", a=1)
    moved = store.publish().rename(tmp_path / "else where.duckdb")
    with duckdb.connect() as connection:
        connection.execute("create table item (nothing integer)")
        connection.execute(f"attach '{moved}' as theirs (read_only)")
        for view in ("item_unique", "item__shop__item"):
            found = connection.execute(f"select url from theirs.{view}").fetchall()
            assert found == [(A,)]


@pytest.mark.file_store
def test_the_store_itself_has_no_views(store: Store) -> None:
    store.add_urls(DETAIL, [FoundUrl(A)])
    write(store, DETAIL, "r1", a=1)
    store.publish()
    with store._database.read() as connection:
        views = "select 1 from duckdb_views() where not internal"
        assert connection.execute(views).fetchall() == []


def test_what_holds_now_leaves_out_what_is_stale(store: Store, rows: Rows) -> None:
    write(store, DETAIL, "r1", a=1, b=2)
    store.commit_batch(commit("r2", fetched=[fetched(A, Verdict.BLOCKED)]))
    assert prices(rows, "item_latest") == {"b": 2}


def test_changes_have_their_fields_and_the_values_before_and_after(
    store: Store, rows: Rows
) -> None:
    for run, price in (("r1", 1), ("r2", 2)):
        write(store, DETAIL, run, a=price)
    store.commit_batch(commit("r3", gone=[A]))
    found = rows(
        "select state, fields, before.price::int as before, after.price::int as after, after is null as gone "
        "from item_changes order by changed_at"
    )
    assert [tuple(row.values()) for row in found] == [
        ("new", ["url", "title", "price"], None, 1, False),
        ("changed", ["price"], 1, 2, False),
        ("removed", ["url", "title", "price"], 2, None, True),
    ]


def test_every_number_has_its_history(store: Store, rows: Rows) -> None:
    for run, price in (("r1", 1), ("r2", 2), ("r3", 2), ("r4", 1)):
        write(store, DETAIL, run, a=price)
    found = rows(
        "select field, value, until is null as holds from item_over_time order by since"
    )
    assert [tuple(row.values()) for row in found] == [
        ("price", 1.0, False),
        ("price", 2.0, False),
        ("price", 1.0, True),
    ]
    store.commit_batch(commit("r5", gone=[A]))
    (last,) = rows("select * from item_over_time order by since desc limit 1")
    assert last["value"] == 1.0 and last["until"] is not None


@pytest.mark.parametrize("view", ["item_latest", "item_changes", "item_over_time"])
def test_every_view_says_what_it_is(store: Store, rows: Rows, view: str) -> None:
    write(store, DETAIL, "r1", a=1)
    (found,) = rows("select comment from duckdb_views() where view_name = ?", view)
    assert len(found["comment"].split()) > 8
