"""Canaries: chosen once, evenly, among urls with good rows."""

from decimal import Decimal

from crawloop_assets.store import FetchedPage, FoundUrl, ServedBy, Store
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

URLS = [f"https://shop.test/{number}" for number in range(8)]


def crawled(store: Store, urls: list[str], run: str = "r1") -> None:
    """These urls are in the frontier, fetched and served."""
    store.add_urls(family(batch_size=4), [FoundUrl(url) for url in urls])
    pages: list[FetchedPage] = [fetched(url) for url in urls]
    item = Item(title="Tea", price=Decimal(1))
    store.commit_batch(commit(run, [served(url, item) for url in urls], fetched=pages))


def canaries(store: Store, wanted: int) -> list[str]:
    return [found.url for found in store.canaries(family(), wanted)]


def test_they_are_spread_over_the_urls_and_stay_the_same(store: Store) -> None:
    crawled(store, URLS)
    chosen = canaries(store, 4)
    assert chosen == [URLS[0], URLS[2], URLS[4], URLS[6]]
    crawled(store, ["https://shop.test/new"], "r2")
    assert canaries(store, 4) == chosen
    assert canaries(store, 2) == chosen, "more than wanted harm nobody"


def test_one_that_is_no_longer_asked_for_makes_room(store: Store) -> None:
    crawled(store, URLS)
    before = canaries(store, 4)
    store.commit_batch(commit("r2", gone=[before[1]]))
    after = canaries(store, 4)
    assert len(after) == 4 and before[1] not in after
    assert [url for url in before if url in after] == [before[0], *before[2:]]


def test_only_urls_with_good_rows_are_chosen(store: Store) -> None:
    assert canaries(store, 2) == []
    crawled(store, URLS[:3])
    stale = served(URLS[0], by=ServedBy.LAST_GOOD)
    store.commit_batch(commit("r2", [stale]))
    store.add_urls(family(), [FoundUrl("https://shop.test/unread")])
    assert canaries(store, 9) == [URLS[1], URLS[2]]
