"""Canaries: a few known pages in every refresh, by which batches of new pages are judged."""

from collections import Counter

import pytest

from crawloop_assets.demo.site.changes import Break
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import FoundUrl
from crawloop_assets.store.published import published_rows
from tests.world import HOST, PRODUCT, PRODUCTS, World

pytestmark = pytest.mark.slow


def asked(made: World, before: int) -> Counter[str]:
    """How often each page was asked for since then."""
    hits = [hit for hit in made.shop.hits[before:] if hit.path.startswith("/product/")]
    return Counter(f"http://{HOST}{hit.path}" for hit in hits)


def add_new_batch(made: World) -> str:
    """A batch of products nobody knows yet."""
    known = {url.url for url in made.store.frontier(PRODUCT)}
    fresh = [
        f"http://{HOST}{item.path}"
        for item in made.shop.items
        if f"http://{HOST}{item.path}" not in known
    ][:8]
    (batch,) = made.store.add_urls(made.family, [FoundUrl(url) for url in fresh])
    made.instance.add_dynamic_partitions(made.names.partition_set, [batch])
    return batch


def test_the_same_known_urls_are_in_every_refresh_and_no_page_is_fetched_twice(
    healthy: World,
) -> None:
    first, *_, last = healthy.batches
    canaries: set[str] = set()
    for batch in (first, last, first):
        before = len(healthy.shop.hits)
        assert healthy.refresh(batch).success
        chosen = {
            url.url
            for url in healthy.store.canaries(healthy.family, ENOUGH_KNOWN_PAGES)
        }
        assert len(chosen) == ENOUGH_KNOWN_PAGES
        assert canaries in (set(), chosen), "they stay the same"
        canaries = chosen
        pages = asked(healthy, before)
        assert set(pages) == canaries | {
            url.url for url in healthy.store.urls(PRODUCT, batch)
        }
        assert set(pages.values()) == {1}
    assert (
        len(
            {
                url.batch
                for url in healthy.store.canaries(healthy.family, ENOUGH_KNOWN_PAGES)
            }
        )
        > 1
    ), "spread over the family"


def test_a_canary_that_is_gone_makes_room_for_another(healthy: World) -> None:
    before = [
        url.url for url in healthy.store.canaries(healthy.family, ENOUGH_KNOWN_PAGES)
    ]
    lost = next(item for item in healthy.shop.items if before[0].endswith(item.path))
    healthy.shop.discontinue(lost.sku)
    assert healthy.refresh().success
    after = [
        url.url for url in healthy.store.canaries(healthy.family, ENOUGH_KNOWN_PAGES)
    ]
    assert len(after) == ENOUGH_KNOWN_PAGES
    assert set(before) - set(after) == {before[0]}


def test_new_pages_are_held_while_the_canaries_are_misread(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = healthy.witness()
    for _ in range(
        2
    ):  # so that it is known how rarely all numbers of a page change at once
        healthy.shop.change_prices()
        witness.note()
        assert healthy.refresh().success
    batch = add_new_batch(healthy)
    healthy.shop.break_(Break.NEIGHBOUR)
    assert healthy.refresh(batch).success
    assert healthy.shown()["failed"] == [batch]
    assert "canaries" in healthy.store.quarantine(PRODUCT)[0].reasons[-1].message
    assert (
        len(published_rows(healthy.project.published, "product", ["_url"])) == PRODUCTS
    )
    assert list(witness.faults(complete=False)) == []

    async def none_fetched(stream: Stream, fetcher: object) -> None:
        return None

    monkeypatch.setattr(Stream, "_fetch_canaries", none_fetched)
    assert healthy.refresh(batch).success
    assert list(witness.faults(complete=False)), (
        "without canaries nothing tells that these pages are misread"
    )
    assert batch not in healthy.shown().get("failed", [])


def test_new_pages_that_are_read_rightly_are_published(healthy: World) -> None:
    batch = add_new_batch(healthy)
    witness = healthy.witness()
    assert healthy.refresh(batch).success
    assert batch in healthy.shown()["succeeded"]
    assert (
        len(published_rows(healthy.project.published, "product", ["_url"]))
        == PRODUCTS + 8
    )
    assert list(witness.faults(complete=False)) == []
