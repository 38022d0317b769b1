"""Which earlier readings say what is normal."""

from crawloop_assets.store import HeldPage, HeldReason, Store
from tests.store.conftest import family
from tests.store.test_past import NAME, URLS, made


def test_a_red_reading_that_a_person_released_says_for_which_fields(
    store: Store,
) -> None:
    reasons = (
        HeldReason(check="history", field="price", message="other values"),
        HeldReason(check="batch", message="history: other values"),
    )
    held = [
        HeldPage(url=url, page_sha256="0" * 64, version=1, reasons=reasons)
        for url in URLS
    ]
    made(store, "r1", red=True, held=held)
    first, second = store.quarantine(NAME)
    store.release(family(), [first.id], "ada")
    assert store.past.norms(family(), "r2", 50) == [], "one page of two"
    store.release(family(), [second.id], "ada")
    assert store.past.norms(family(), "r1", 50) == [], "of its own refresh"
    (taught_by,) = store.past.norms(family(), "r2", 50)
    assert taught_by["released"] == ["price"]
    made(store, "replay", refresh="r1")
    norms = store.past.norms(family(), "r2", 50)
    assert [stats["n"] for stats in norms] == ["r1-000001", "replay-000001"]


def test_what_is_rejected_or_superseded_was_not_released(store: Store) -> None:
    reasons = (HeldReason(check="history", field="price", message="other values"),)
    held = [
        HeldPage(url=url, page_sha256="0" * 64, version=1, reasons=reasons)
        for url in URLS
    ]
    made(store, "r1", red=True, held=held)
    first, second = store.quarantine(NAME)
    store.release(family(), [first.id], "ada")
    store.discard(NAME, [second.id], "ada")
    assert store.past.norms(family(), "r2", 50) == []
