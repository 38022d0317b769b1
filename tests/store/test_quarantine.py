"""Pages held back: one open entry per url, closed by a later commit or a person."""

from decimal import Decimal

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.page import Verdict
from crawloop_assets.store import HeldPage, HeldReason, HeldState, Store, UrlState
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

A, B, C = (f"https://shop.test/{name}" for name in "abc")
REASON = HeldReason(check="votes", field="price", message="the readers differ")


def held(url: str, title: str = "Tea") -> HeldPage:
    return HeldPage(
        url=url,
        page_sha256="b" * 64,
        version=3,
        reasons=[REASON],
        values=[{"title": title, "price": "2.50"}],
        votes={"price": [1, 2]},
    )


def states(store: Store) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in store.quarantine("shop/item", None):
        found.setdefault(entry.url, []).append(entry.state.value)
    return found


def test_an_entry_keeps_what_was_read_and_why_it_is_held(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A)]))
    (entry,) = store.quarantine()
    assert (entry.url, entry.version, entry.run_id) == (A, 3, "r1")
    assert entry.reasons == (REASON,)
    assert entry.values == ({"title": "Tea", "price": "2.50"},)
    assert entry.votes == {"price": [1, 2]}
    assert (entry.state, entry.decided_at, entry.decided_by) == (
        HeldState.HELD,
        None,
        None,
    )


@pytest.mark.parametrize(
    "later",
    [
        {"served": [served(A, Item(title="Tea", price=Decimal(1)))]},
        {"held": [held(A, "Coffee")]},
        {"unchanged": [A]},
        {"gone": [A]},
        {"aliases": {A: B}},
        {"fetched": [fetched(A, Verdict.BLOCKED, state=UrlState.REFUSED)]},
    ],
    ids=lambda later: next(iter(later)),
)
def test_whatever_decides_a_url_supersedes_its_entry(
    store: Store, later: dict[str, object]
) -> None:
    store.commit_batch(commit("r1", held=[held(A), held(C)]))
    store.commit_batch(commit("r2", **later))
    again = ["held"] if "held" in later else []
    assert states(store) == {A: ["superseded", *again], C: ["held"]}


def test_a_fetch_that_decides_nothing_leaves_it_open(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A)]))
    store.commit_batch(commit("r2", fetched=[fetched(A)]))
    assert states(store) == {A: ["held"]}


def test_entries_are_asked_by_family_and_state(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(B)]))
    other = family("shop/other")
    store.commit_batch(commit("r1", of=other, held=[held(A)]))
    assert [entry.url for entry in store.quarantine("shop/other")] == [A]
    assert [entry.url for entry in store.quarantine()] == [B, A], "oldest first"
    assert store.quarantine("shop/item", HeldState.RELEASED) == []


def test_released_values_are_published_and_the_entry_names_who_did_it(
    store: Store,
) -> None:
    store.commit_batch(commit("r1", held=[held(A), held(B)]))
    first, second = store.quarantine("shop/item")
    assert store.release(family(), [first.id, first.id], "ada").records == 1
    assert list(store.known(family())) == [A]
    store.discard("shop/item", [second.id], "bob")
    decided = {entry.url: entry for entry in store.quarantine("shop/item", None)}
    assert (decided[A].state, decided[A].decided_by) == (HeldState.RELEASED, "ada")
    assert (decided[B].state, decided[B].decided_by) == (HeldState.REJECTED, "bob")
    assert decided[A].decided_at is not None


def test_ids_that_are_not_open_are_all_named_and_nothing_is_done(store: Store) -> None:
    store.commit_batch(commit("r1", held=[held(A)]))
    (entry,) = store.quarantine("shop/item")
    with pytest.raises(ConfigError, match="shop/item: nobody, noone"):
        store.release(family(), [entry.id, "nobody", "noone"], "ada")
    with pytest.raises(ConfigError, match=entry.id):
        store.discard("shop/other", [entry.id], "ada")
    assert states(store) == {A: ["held"]} and store.known(family()) == {}
