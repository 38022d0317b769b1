"""The last known good values of pages, as a crawler would give them."""

from dataclasses import replace
from decimal import Decimal

from crawloop_assets.store import ServedBy, Store
from crawloop_assets.store.known import KnownRow, by_url
from crawloop_assets.store.tables import Table
from crawloop_assets.store.typemap import columns
from tests.models import Item, Ware
from tests.store.conftest import commit, family, served
from tests.store.models import Full, Row

PAGE = "https://shop.test/list"


def test_values_are_json_in_the_order_they_were_written(store: Store) -> None:
    full = family("shop/full", "tests.store.models:Full", kind="listing", key=["title"])
    records = [
        Full(title="Tea", price=Decimal("2.50"), tags=["b", "a"], specs={"x": "y"}),
        Full(title="Milk", price=Decimal(1)),
    ]
    store.commit_batch(commit("r1", [served(PAGE, *records)], full))
    tea, milk = store.known(full)[PAGE]
    assert (tea["title"], tea["price"], tea["tags"]) == ("Tea", "2.5", ["b", "a"])
    assert milk["title"] == "Milk" and "tags" not in milk
    assert "specs" not in tea, "free JSON is nothing that a crawler reads"


def test_only_the_urls_that_are_asked_for(store: Store) -> None:
    item = Item(title="Tea", price=Decimal(1))
    store.commit_batch(commit("r1", [served(url, item) for url in "abc"]))
    assert list(store.known(family(), ["c", "a", "x"])) == ["a", "c"]
    assert list(store.known(family(), [])) == []
    assert list(store.known(family())) == ["a", "b", "c"]
    assert store.known(family("shop/other")) == {}


def test_a_stale_row_is_known_and_one_that_was_missed_is_not(store: Store) -> None:
    of = family("shop/row", "tests.store.models:Row", kind="listing", key=["title"])
    tea, milk = Row(title="Tea", price=None), Row(title="Milk", price=None)
    store.commit_batch(commit("r1", [served(PAGE, tea, milk)], of))
    store.commit_batch(commit("r2", [served(PAGE, milk)], of))
    assert [row["title"] for row in store.known(of)[PAGE]] == ["Milk"]
    store.commit_batch(commit("r3", [served(PAGE, by=ServedBy.LAST_GOOD)], of))
    assert [row["title"] for row in store.known(of)[PAGE]] == ["Milk"]


def test_a_row_that_came_without_a_field_in_doubt_is_not_known_yet(
    store: Store,
) -> None:
    """Nobody has seen that it has none; once it had a value, or is read whole, it is known."""
    of = family("shop/ware", "tests.models:Ware")
    ware = served(PAGE, Ware(title="Tea", price=Decimal(1)))
    unread = replace(ware, kept={0: frozenset(("brand",))})
    for run, page, known in (
        ("r1", unread, False),
        ("r2", unread, False),
        ("r3", ware, True),
        ("r4", unread, True),
    ):
        store.commit_batch(commit(run, [page], of))
        assert (PAGE in store.known(of)) is known


def test_a_field_without_a_column_is_left_out() -> None:
    types = columns(Row)
    table = Table(
        "row",
        {"title": types["title"]},
        family("shop/row", "tests.store.models:Row").schema_spec(),
    )
    rows = [{"_url": PAGE, "title": "Tea"}, {"_url": PAGE, "title": None}]
    assert by_url(table, rows) == {PAGE: [{"title": "Tea"}, {}]}


def test_a_value_says_whether_a_model_alone_vouches_for_it(store: Store) -> None:
    first, second = (Item(title="Tea", price=Decimal(price)) for price in ("1", "2"))
    store.commit_batch(commit("r1", [served(PAGE, first)]))
    assert [row.by_model for row in store.known(family())[PAGE]] == [frozenset()]
    by_model = served(PAGE, second, by=ServedBy.MODEL, version=None)
    store.commit_batch(commit("r2", [by_model]))
    (row,) = store.known(family())[PAGE]
    assert row.by_model == {"price"}, "the title is what a crawler read before"
    assert row.vouched == {"title": "Tea"}
    stale = served(PAGE, by=ServedBy.LAST_GOOD, version=None)
    store.commit_batch(commit("r3", [stale]))
    (row,) = store.known(family())[PAGE]
    assert row.by_model == {"price"}, "the last good row is still a model's"
    store.commit_batch(commit("r4", [served(PAGE, second)]))
    (row,) = store.known(family())[PAGE]
    assert not row.by_model and row.vouched == row
    (before,) = store.known_before(family(), 1, [PAGE])[PAGE]
    assert before["price"] == "2" and before.by_model == {"title", "price"}


def test_a_row_says_which_of_its_values_were_read_from_a_page(store: Store) -> None:
    store.commit_batch(
        commit("r1", [served(PAGE, Item(title="Tea", price=Decimal(1)))])
    )
    (row,) = store.known(family())[PAGE]
    assert row.read_from("a" * 64) == {"title", "price"}
    assert row.read_from("b" * 64) == frozenset()
    assert row.version == 1
    kept = KnownRow(row, frozenset(), "a" * 64, ("price",))
    assert kept.read_from("a" * 64) == {"title"}
