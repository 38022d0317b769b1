"""Held pages: quarantined, released, discarded."""

from decimal import Decimal

import pytest

from crawloop_assets.errors import ConfigError, SchemaConflict
from crawloop_assets.store import (
    HeldState,
    Store,
)
from tests.store.conftest import commit, family, served
from tests.store.test_commit import A, B, Rows, held, item


def test_a_held_page_waits_in_quarantine_until_it_is_served(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A, {"title": "Tea", "price": "1"})]))
    (entry,) = store.quarantine("shop/item")
    assert entry.reasons[0].check == "votes" and entry.values == (
        {"title": "Tea", "price": "1"},
    )
    store.commit_batch(commit("r2", held=[held(A, {"title": "Tea", "price": "2"})]))
    assert [entry.run_id for entry in store.quarantine()] == ["r2"]
    store.commit_batch(commit("r3", [served(A, item("Tea"))]))
    assert store.quarantine() == []
    assert [entry.state for entry in store.quarantine(state=None)] == [
        HeldState.SUPERSEDED
    ] * 2


def test_a_person_can_release_or_discard_held_pages(store: Store, rows: Rows) -> None:
    pages = [
        held(A, {"title": "Tea", "price": "1"}),
        held(B, {"title": "Milk", "price": "2"}),
    ]
    store.commit_batch(commit("r1", held=pages))
    tea, milk = store.quarantine()
    assert store.release(family(), [tea.id], "ana").new == 1
    store.discard("shop/item", [milk.id], "ana")
    assert rows("select title, price, _served_by from item") == [
        {"title": "Tea", "price": Decimal(1), "_served_by": "person"}
    ]
    assert store.quarantine() == []
    assert {
        event.detail["who"]
        for event in store.audits()
        if event.kind.startswith("quarantine")
    } == {"ana"}
    with pytest.raises(ConfigError, match=tea.id):
        store.release(family(), [tea.id], "ana")


def test_released_values_that_do_not_fit_the_schema_are_refused(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A, {"title": "Tea", "price": "-1"})]))
    (entry,) = store.quarantine()
    with pytest.raises(SchemaConflict) as raised:
        store.release(family(), [entry.id], "ana")
    said = str(raised.value)
    assert "price: Input should be greater than" in said and "crawloop teach" in said
    assert "\n" not in said and "pydantic" not in said, "one sentence"
    assert store.quarantine() == [entry]
