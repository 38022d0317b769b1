"""What becomes of the rows of a table in one commit."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from crawloop_assets.page import Verdict
from crawloop_assets.store import BatchCounts, HeldPage, HeldReason, ServedBy, Store
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served
from tests.store.models import Row

Rows = Callable[..., list[dict[str, Any]]]
LISTING = family("shop/list", "tests.store.models:Row", kind="listing", key=["title"])
PAGE, OTHER = "https://shop.test/list", "https://shop.test/list?page=2"


def shows(store: Store, run: str, *titles: str, **more: Any) -> BatchCounts:
    """A visit of the listing that shows these rows."""
    page = served(PAGE, *(Row(title=title, price=None) for title in titles))
    return store.commit_batch(commit(run, [page], LISTING, **more))


def held(url: str) -> HeldPage:
    reasons = [HeldReason(check="votes")]
    return HeldPage(url=url, page_sha256=None, version=1, reasons=reasons)


def table(rows: Rows, name: str = "row") -> dict[str, dict[str, Any]]:
    return {row["title"]: row for row in rows(f"from {name}")}


def test_rows_are_new_same_changed_and_removed(store: Store, rows: Rows) -> None:
    def page(url: str, price: int) -> Any:
        return served(url, Item(title=url, price=Decimal(price)))

    first = store.commit_batch(commit("r1", [page(url, 1) for url in "abc"]))
    assert (first.records, first.new) == (3, 3)
    second = store.commit_batch(commit("r2", [page("a", 1), page("b", 2)], gone=["c"]))
    assert (second.records, second.same, second.changed) == (2, 1, 1)
    assert (second.new, second.removed) == (0, 1)
    now = {row["title"]: row for row in rows("from item")}
    assert {title: row["_state"] for title, row in now.items()} == {
        "a": "same",
        "b": "changed",
    }
    assert now["a"]["_changed_at"] < now["a"]["_verified_at"]
    assert now["b"]["_changed_at"] == now["b"]["_verified_at"]
    history = rows("select title, _state, _run_id, price from item_history")
    assert [tuple(row.values()) for row in history[3:]] == [
        ("b", "changed", "r2", Decimal(2)),
        ("c", "removed", "r2", Decimal(1)),
    ]


def test_a_row_that_a_listing_does_not_show_leaves_at_the_third_visit(
    store: Store, rows: Rows
) -> None:
    shows(store, "r1", "Tea", "Milk")
    for run, misses in (("r2", 1), ("r3", 2)):
        counts = shows(store, run, "Tea")
        assert (counts.missing, counts.stale, counts.removed) == (1, 1, 0)
        assert table(rows)["Milk"]["_misses"] == misses
    stale_since = table(rows)["Milk"]["_stale_since"]
    assert stale_since is not None and table(rows)["Tea"]["_stale_since"] is None
    counts = shows(store, "r4", "Tea")
    assert (counts.missing, counts.stale, counts.removed) == (0, 0, 1)
    assert list(table(rows)) == ["Tea"]


def test_a_held_page_counts_no_visit_of_its_listing(store: Store, rows: Rows) -> None:
    shows(store, "r1", "Tea", "Milk")
    for run in ("r2", "r3", "r4"):
        counts = shows(store, run, "Tea", held=[held(PAGE)])
        assert (counts.missing, counts.removed) == (1, 0)
    milk = table(rows)["Milk"]
    assert milk["_misses"] == 0 and milk["_stale_since"] is not None


def test_rows_that_a_listing_shows_no_more_leave_beside_one_that_waits(
    store: Store, rows: Rows
) -> None:
    """What waits stays, as it was known, wherever it stands now."""
    shows(store, "r1", "Tea", "Milk", "Jam")
    other = served(OTHER, Row(title="Jar", price=None))
    store.commit_batch(commit("r2", [other], LISTING))
    waiting = served(PAGE, *(Row(title=title, price=9) for title in ("Milk", "Jar")))
    for run in ("r3", "r4", "r5"):
        given = {"held": [held(PAGE)], "waiting": [waiting]}
        shown = [served(PAGE, Row(title="Tea", price=None)), served(OTHER)]
        store.commit_batch(commit(run, shown, LISTING, **given))
    found = table(rows)
    assert set(found) == {"Tea", "Milk", "Jar"}
    assert all(found[name]["_stale_since"] for name in ("Milk", "Jar"))
    assert found["Milk"]["price"] is None and found["Tea"]["_stale_since"] is None


def test_a_row_that_moved_to_another_page_is_not_missing(
    store: Store, rows: Rows
) -> None:
    shows(store, "r1", "Tea", "Milk")
    moved = served(OTHER, Row(title="Milk", price=None))
    counts = shows(store, "r2", "Tea")
    assert counts.missing == 1
    counts = store.commit_batch(commit("r3", [moved], LISTING))
    assert (counts.new, counts.same) == (0, 1)
    milk = table(rows)["Milk"]
    assert (milk["_url"], milk["_misses"], milk["_stale_since"]) == (OTHER, 0, None)


def test_a_detail_page_that_names_another_record_replaces_it_at_once(
    store: Store, rows: Rows
) -> None:
    of = family(key=["title"])
    tea, milk = (Item(title=title, price=Decimal(1)) for title in ("Tea", "Milk"))
    store.commit_batch(commit("r1", [served("a", tea)], of))
    counts = store.commit_batch(commit("r2", [served("a", milk)], of))
    assert (counts.new, counts.removed, counts.missing) == (1, 1, 0)
    assert list(table(rows, "item")) == ["Milk"]


def test_a_detail_page_without_a_record_only_misses_it(
    store: Store, rows: Rows
) -> None:
    tea = Item(title="Tea", price=Decimal(1))
    store.commit_batch(commit("r1", [served("a", tea)]))
    counts = store.commit_batch(commit("r2", [served("a")]))
    assert (counts.removed, counts.missing, counts.stale) == (0, 1, 1)
    assert table(rows, "item")["Tea"]["_misses"] == 1


def test_released_rows_of_a_listing_miss_no_others(store: Store, rows: Rows) -> None:
    shows(store, "r1", "Tea")
    page = HeldPage(
        url=PAGE,
        page_sha256=None,
        version=1,
        reasons=[HeldReason(check="votes")],
        values=[{"title": "Milk"}],
    )
    store.commit_batch(commit("r2", of=LISTING, held=[page]))
    (entry,) = store.quarantine("shop/list")
    store.release(LISTING, [entry.id], "ada")
    found = table(rows)
    assert found["Milk"]["_served_by"] == "person"
    assert found["Tea"]["_misses"] == 0


def test_pages_that_could_not_be_read_make_their_rows_stale(
    store: Store, rows: Rows
) -> None:
    pages = [served(url, Item(title=url, price=Decimal(1))) for url in "abcde"]
    store.commit_batch(commit("r1", pages))
    counts = store.commit_batch(
        commit(
            "r2",
            [served("a", by=ServedBy.LAST_GOOD)],
            held=[held("b")],
            fetched=[fetched("c", Verdict.TRANSIENT), fetched("d"), fetched("e")],
            unchanged=["d"],
        )
    )
    assert counts.stale == 3
    found = table(rows, "item")
    stale = [title for title, row in found.items() if row["_stale_since"] is not None]
    assert stale == ["a", "b", "c"]
    assert found["a"]["_served_by"] == "last_good"
    assert found["b"]["_served_by"] == "crawler"
    assert found["d"]["_verified_at"] > found["e"]["_verified_at"]


def test_an_alias_loses_its_rows_and_counts_as_removed(
    store: Store, rows: Rows
) -> None:
    pages = [served(url, Item(title=url, price=Decimal(1))) for url in "ab"]
    store.commit_batch(commit("r1", pages))
    assert store.commit_batch(commit("r2", aliases={"b": "a"})).removed == 1
    assert list(table(rows, "item")) == ["a"]
    (last,) = rows("from item_history where _state = 'removed'")
    assert (last["title"], last["_run_id"], last["_misses"]) == ("b", "r2", 0)


def test_a_commit_without_records_leaves_the_table_as_it_is(
    store: Store, rows: Rows
) -> None:
    shows(store, "r1", "Tea")
    before = table(rows)
    counts = store.commit_batch(commit("r2", of=LISTING))
    assert (counts.records, counts.stale, counts.removed) == (0, 0, 0)
    assert table(rows) == before
