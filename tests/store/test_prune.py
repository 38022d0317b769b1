from dataclasses import replace
from decimal import Decimal

from crawloop_assets.store import AuditKind, HeldPage, HeldReason, Pruned, Store
from tests.models import Item
from tests.page_bodies import put_long_ago
from tests.store.conftest import commit, family, fetched, served

A, B = "https://shop.test/a", "https://shop.test/b"


def show(store: Store, run: str, url: str, body: bytes, *, hold: bool = False) -> str:
    """A url shows a document, from which a record is served or held."""
    sha256 = put_long_ago(store.bodies, body)
    page = replace(served(url, Item(title=run, price=Decimal(1))), page_sha256=sha256)
    held = HeldPage(
        url=url, page_sha256=sha256, version=1, reasons=[HeldReason(check="votes")]
    )
    more = {"held": [held]} if hold else {"served": [page]}
    store.commit_batch(commit(run, fetched=[fetched(url, page_sha256=sha256)], **more))
    return sha256


def test_old_documents_are_forgotten_and_used_ones_kept(store: Store) -> None:
    old, used, current = (
        show(store, f"r{n}", A, f"body {n}".encode(), hold=n == 2) for n in range(3)
    )
    other = show(store, "other", B, b"b")
    orphan = put_long_ago(store.bodies, b"orphan")
    young = store.bodies.put(b"young")
    assert store.prune(keep=1) == Pruned(versions=1, bodies=2)
    assert [
        store.bodies.has(name) for name in (old, used, current, other, orphan, young)
    ] == [
        False,
        True,
        True,
        True,
        False,
        True,
    ]
    assert [page.sha256 for page in store.page_versions("shop/item", A)[A]] == [
        used,
        current,
    ]
    assert store.prune(keep=1) == Pruned(0, 0)


def test_a_body_stored_again_is_young_again(store: Store) -> None:
    put_long_ago(store.bodies, b"body")
    store.bodies.put(b"body")
    assert store.prune() == Pruned(0, 0)


def test_an_empty_store_has_nothing_to_prune(store: Store) -> None:
    assert store.prune() == Pruned(0, 0)
    assert store.known(family()) == {}


def test_a_dry_run_counts_and_does_nothing_and_a_real_one_is_noted(
    store: Store,
) -> None:
    for number in range(3):
        show(store, f"r{number}", A, f"body {number}".encode())
    kept = store.chronicle.kept_pages()
    assert (kept.documents, kept.pruned_at) == (3, None)
    assert store.prune(keep=1, dry_run=True) == Pruned(versions=2, bodies=2)
    assert store.chronicle.kept_pages() == kept
    assert store.prune(keep=1) == Pruned(versions=2, bodies=2)
    after = store.chronicle.kept_pages()
    assert after.documents == 1 and after.pruned_at is not None
    (event,) = store.audits(kind=AuditKind.PAGES_PRUNED)
    assert event.detail == {"keep": 1, "versions": 2, "bodies": 2}
