"""Rows say why they are stale, and which of their values are older than they are."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    FoundUrl,
    HeldPage,
    HeldReason,
    ServedBy,
    ServedPage,
    Store,
)
from tests.models import Item, Numbered, Ware
from tests.store.conftest import commit, family, fetched, served

Rows = Callable[..., list[dict[str, Any]]]
A, B = "https://shop.test/a", "https://shop.test/b"
WARES = family("shop/ware", "tests.models:Ware")


def ware(price: str, brand: str | None = "Acme", *, kept: bool = False) -> ServedPage:
    page = served(A, Ware(title="Tea", price=Decimal(price), brand=brand))
    return replace(page, kept={0: frozenset(("brand",))} if kept else {})


def write(store: Store, run: str, *pages: ServedPage, **more: Any) -> None:
    store.commit_batch(commit(run, pages, WARES, **more))


def mark(rows: Rows) -> tuple[dict[str, datetime | None] | None, datetime]:
    (row,) = rows("select _kept, _verified_at from ware")
    return row["_kept"], row["_verified_at"]


def held(url: str, *reasons: str) -> HeldPage:
    against = [HeldReason(check="votes", message=reason) for reason in reasons]
    return HeldPage(url=url, page_sha256="b" * 64, version=1, reasons=against)


def test_a_kept_value_has_the_date_on_which_it_was_found_last(
    store: Store, rows: Rows
) -> None:
    write(store, "r1", ware("1"))
    none, found = mark(rows)
    assert none is None
    write(store, "r2", ware("2", kept=True))
    kept, verified = mark(rows)
    assert kept == {"brand": found} and verified > found
    write(store, "r3", ware("3", kept=True))
    assert mark(rows)[0] == {"brand": found}, "it is no younger for being kept again"
    write(store, "r4", ware("3"))
    none, found_again = mark(rows)
    assert none is None
    write(store, "r5", ware("3", kept=True))
    assert mark(rows)[0] == {"brand": found_again}


def test_the_history_is_told_what_is_kept_and_what_no_longer_is(
    store: Store, rows: Rows
) -> None:
    """Also where no value is another one: what a row says is."""
    for run, kept in (("r1", False), ("r2", True), ("r3", True), ("r4", False)):
        write(store, run, ware("1", kept=kept))
    found = rows("select _run_id, _kept, _state from ware_history order by rowid")
    assert [(row["_run_id"], row["_state"]) for row in found] == [
        ("r1", "new"),
        ("r2", "same"),
        ("r4", "same"),
    ]
    assert [row["_kept"] is not None for row in found] == [False, True, False]


def test_what_is_kept_is_known_before_a_run_that_is_pending(
    store: Store, rows: Rows
) -> None:
    write(store, "r1", ware("1"))
    write(store, "r2", ware("1", kept=True))
    kept, _ = mark(rows)
    write(store, "r3", ware("2"), unit="r3")
    assert kept and mark(rows)[0] == kept


def test_a_row_that_was_never_known_keeps_what_it_is_given_from_now_on(
    store: Store, rows: Rows
) -> None:
    """The row may have left while its page was read."""
    write(store, "r1", ware("1", kept=True))
    kept, verified = mark(rows)
    assert kept == {"brand": verified}


def test_what_nobody_has_known_yet_has_no_date_until_it_is_read(
    store: Store, rows: Rows
) -> None:
    for run in ("r1", "r2"):
        write(store, run, ware(run[1], brand=None, kept=True))
        assert mark(rows)[0] == {"brand": None}
    write(store, "r3", ware("2"))
    none, found = mark(rows)
    assert none is None
    write(store, "r4", ware("2", brand=None, kept=True))
    assert mark(rows)[0] == {"brand": found}


def test_another_version_is_not_contradicted_by_a_value_of_an_earlier_document(
    store: Store, rows: Rows
) -> None:
    other = replace(
        served(B, Ware(title="Milk", price=Decimal(1))), page_sha256="b" * 64
    )
    write(store, "r1", ware("1"), other)
    write(store, "r2", ware("2", kept=True), other)
    newer = replace(ware("2", "Acme & Sons"), version=2)
    write(store, "r3", newer)
    assert store.suspects(WARES) == []
    write(store, "r4", replace(newer, records=ware("3").records, version=3))
    assert rows("select brand from ware where _url = ?", A) == [{"brand": "Acme"}]


def test_a_kept_value_is_no_witness_for_other_families(store: Store) -> None:
    of_list = family("shop/list", "tests.models:Ware", kind="listing", key=["title"])
    write(store, "r1", ware("1"))
    write(store, "r2", ware("2", kept=True))
    said = store.others.say(of_list, [served(A, Ware(title="Tea", price=Decimal(2)))])
    assert said == {A: ({"title": "Tea", "price": "2"},)}


def item(title: str) -> Item:
    return Item(title=title, price=Decimal(1))


def why(rows: Rows) -> dict[str, str | None]:
    found = rows("select _url, _stale_since, _stale_why from item")
    for row in found:
        assert (row["_stale_since"] is None) == (row["_stale_why"] is None)
    return {row["_url"]: row["_stale_why"] for row in found}


@pytest.fixture
def written(store: Store) -> Store:
    store.add_urls(family(), [FoundUrl(url) for url in (A, B)])
    store.commit_batch(commit("r1", [served(url, item(url)) for url in (A, B)]))
    return store


def test_what_is_so_of_many_rows_of_a_page_is_said_once(
    written: Store, rows: Rows
) -> None:
    lacking = [f"row {at}: price is not valid" for at in range(3)]
    written.commit_batch(commit("r2", held=[held(A, *lacking, "they differ")]))
    said = "held: votes: row 0: price is not valid; votes: they differ"
    assert why(rows)[A] == said


def test_a_row_says_what_holds_its_page_and_then_says_nothing(
    written: Store, rows: Rows
) -> None:
    written.commit_batch(commit("r2", held=[held(A, "they differ", "and again")]))
    assert why(rows) == {A: "held: votes: they differ; votes: and again", B: None}
    written.commit_batch(commit("r3", held=[held(A, "still")]))
    assert why(rows)[A] == "held: votes: still"
    written.commit_batch(commit("r4", [served(A, item(A))]))
    assert why(rows) == {A: None, B: None}


def test_a_304_clears_it(written: Store, rows: Rows) -> None:
    written.commit_batch(commit("r2", held=[held(A, "they differ")]))
    written.commit_batch(commit("r3", unchanged=[A]))
    assert why(rows) == {A: None, B: None}


def test_a_row_says_what_came_in_the_place_of_its_page(
    written: Store, rows: Rows
) -> None:
    lost = replace(served(B, by=ServedBy.LAST_GOOD), records=())
    gone = [fetched(A, Verdict.LOGIN), fetched(B, Verdict.DRIFT)]
    written.commit_batch(commit("r2", [lost], fetched=gone))
    assert why(rows) == {
        A: "the page was login",
        B: "neither a version nor a model could read its page",
    }


def test_a_row_says_that_its_list_does_not_show_it(store: Store, rows: Rows) -> None:
    of_list = family(schema="tests.models:Numbered", kind="listing", key=["sku"])
    both = [Numbered(sku=sku, title="Tea", price=Decimal(1)) for sku in "ab"]
    store.commit_batch(commit("r1", [served(A, *both)], of_list))
    store.commit_batch(commit("r2", [served(A, both[0])], of_list))
    assert rows("select sku, _stale_why from numbered order by 1") == [
        {"sku": "a", "_stale_why": None},
        {"sku": "b", "_stale_why": "its page does not show it"},
    ]


def test_a_row_of_an_old_page_is_as_old_as_it_was(store: Store, rows: Rows) -> None:
    """A heal reads stored pages again, also of urls that brought no page since."""
    look = "select price, _stale_since, _stale_why, _verified_at from ware"
    write(store, "r1", ware("1"))
    lost = [fetched(A, Verdict.NEEDS_RENDER)]
    write(store, "r2", fetched=lost)
    (first,) = rows(look)
    assert first["_stale_since"] is not None
    old = replace(ware("2"), is_old=True)
    write(store, "r3", old, fetched=lost)
    (again,) = rows(look)
    assert again == first | {"price": Decimal(2)}
    assert again["_stale_why"] == "the page was needs_render"
    write(store, "r4", ware("3"), fetched=[fetched(A)])
    (now,) = rows(look)
    assert now["_stale_since"] is None and now["_verified_at"] > first["_verified_at"]


def test_a_new_row_of_an_old_page_is_stale(store: Store, rows: Rows) -> None:
    old = replace(ware("2"), is_old=True)
    write(store, "r1", old, fetched=[fetched(A, Verdict.BLOCKED)])
    assert rows("select _stale_why from ware") == [
        {"_stale_why": "the page was blocked"}
    ]
