"""Rows of an earlier run that a later reading of the same documents makes doubtful."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from crawloop_assets.store import HeldPage, HeldReason, ServedBy, ServedPage, Store
from tests.models import Item
from tests.store.conftest import commit, family, served

Rows = Callable[..., list[dict[str, Any]]]
A, B, C = (f"https://shop.test/{name}" for name in "abc")


def page(
    url: str,
    price: str,
    version: int,
    document: str = "a",
    link: str | None = "https://a",
) -> ServedPage:
    item = Item(url=link, title="Tea", price=Decimal(price))
    return replace(served(url, item, version=version), page_sha256=document * 64)


def first_run(store: Store) -> None:
    """Version 1 reads two batches in one run."""
    store.commit_batch(commit("r1", [page(A, "1", 1)]))
    store.commit_batch(commit("r1", [page(B, "2", 1), page(C, "3", 1)], batch="000002"))


def suspects(store: Store) -> dict[str, str]:
    return {row.url: row.why for row in store.suspects(family())}


def test_another_value_of_the_same_document_makes_the_rest_of_the_run_suspect(
    store: Store, rows: Rows
) -> None:
    first_run(store)
    counts = store.commit_batch(commit("r2", [page(A, "10", 2)]))
    assert counts.suspect == 2
    why = f"v2 reads another price than v1 from the same document of {A}"
    assert suspects(store) == {B: why, C: why}, "the row itself was written again"
    assert rows(
        "select _url, _suspect from item where _suspect is not null order by 1"
    ) == [
        {"_url": B, "_suspect": why},
        {"_url": C, "_suspect": why},
    ]
    assert rows("select suspect from materializations where run_id = 'r2'") == [
        {"suspect": 2}
    ]


def test_a_suspect_row_is_no_witness_and_a_good_reading_clears_it(store: Store) -> None:
    first_run(store)
    store.commit_batch(commit("r2", [page(A, "10", 2)]))
    assert set(store.known(family())) == {A}
    store.commit_batch(commit("r3", [page(B, "2", 2)], batch="000002"))
    assert set(suspects(store)) == {C}
    assert set(store.known(family())) == {A, B}


def test_a_page_that_is_held_clears_nothing(store: Store) -> None:
    first_run(store)
    store.commit_batch(commit("r2", [page(A, "10", 2)]))
    reasons = [HeldReason(check="votes")]
    held = [HeldPage(url=B, page_sha256=None, version=2, reasons=reasons)]
    store.commit_batch(commit("r3", held=held, unchanged=[C], batch="000002"))
    assert set(suspects(store)) == {B, C}


def test_a_canary_tells_without_being_written(store: Store, rows: Rows) -> None:
    first_run(store)
    counts = store.commit_batch(
        commit("r2", canaries=[page(A, "10", 2)], batch="000003")
    )
    assert counts.suspect == 3
    assert set(suspects(store)) == {A, B, C}
    assert rows("select price from item where _url = ?", A) == [{"price": Decimal(1)}]


def test_news_a_missing_value_the_same_version_or_a_person_make_nothing_suspect(
    store: Store,
) -> None:
    first_run(store)
    store.commit_batch(commit("news", [page(A, "10", 2, document="b")]))
    store.commit_batch(commit("gone", [page(B, "2", 2, link=None)], batch="000002"))
    store.commit_batch(commit("same", [page(C, "9", 1)], batch="000002"))
    told = replace(
        page(A, "11", 1, document="b"), version=None, served_by=ServedBy.PERSON
    )
    store.commit_batch(commit("told", [told]))
    assert suspects(store) == {}


def test_other_runs_and_other_versions_are_not_doubted(store: Store) -> None:
    first_run(store)
    store.commit_batch(commit("r2", [page(C, "3", 3)], batch="000002"))
    store.commit_batch(commit("r3", [page(A, "10", 2)]))
    assert set(suspects(store)) == {B}


def test_a_person_may_doubt_all_rows_of_a_version(store: Store) -> None:
    assert store.doubt(family(), 1, "an example says otherwise") == 0
    first_run(store)
    store.commit_batch(commit("r2", [page(A, "1", 2)]))
    assert store.doubt(family(), 1, "an example says otherwise") == 2
    assert suspects(store) == dict.fromkeys((B, C), "an example says otherwise")
    assert set(store.known(family())) == {A}
