"""Held pages that their family's file leaves out."""

from datetime import UTC, datetime, timedelta

from crawloop_assets.page import Verdict
from crawloop_assets.store import FetchedPage, FoundUrl, HeldPage, HeldReason, Store
from crawloop_assets.store.states import UrlState
from tests.store.conftest import commit, family

FAMILY = family(batch_size=2)
URLS = [f"http://shop.test/{n}" for n in range(4)]


def held(store: Store, batch: str, *urls: str) -> None:
    """All pages of a batch were asked for just now, and these are held."""
    later = datetime.now(UTC) + timedelta(days=1)
    fetched = [
        FetchedPage(
            url=one.url,
            verdict=Verdict.OK,
            fetched_at=datetime.now(UTC),
            next_due=later,
        )
        for one in store.urls(FAMILY.family, batch)
    ]
    pages = [
        HeldPage(
            url=url, page_sha256=None, version=1, reasons=[HeldReason(check="schema")]
        )
        for url in urls
    ]
    store.commit_batch(
        commit(batch, of=FAMILY, batch=batch, held=pages, fetched=fetched)
    )


def test_they_are_asked_for_no_more_and_their_batch_is_judged_anew(
    store: Store,
) -> None:
    store.add_urls(FAMILY, list(map(FoundUrl, URLS)))
    held(store, "000001", URLS[0])
    held(store, "000002", URLS[2], URLS[3])
    assert store.due(FAMILY.family) == {}
    store.left_out.leave_out(FAMILY.family, [URLS[0]])
    states = {one.url: one.state for one in store.frontier(FAMILY.family)}
    assert states.pop(URLS[0]) is UrlState.LEFT_OUT
    assert set(states.values()) == {UrlState.ACTIVE}
    assert [one.url for one in store.quarantine(FAMILY.family)] == URLS[2:]
    assert store.due(FAMILY.family) == {"000001": 1}, "the other page of it"


def test_one_that_is_found_again_is_asked_for_again(store: Store) -> None:
    store.add_urls(FAMILY, list(map(FoundUrl, URLS[:2])))
    held(store, "000001", *URLS[:2])
    store.left_out.leave_out(FAMILY.family, URLS[:2])
    assert store.urls(FAMILY.family, "000001") == [] == store.quarantine(FAMILY.family)
    assert store.due(FAMILY.family) == {}
    store.add_urls(FAMILY, [FoundUrl(URLS[1])])
    assert [one.url for one in store.urls(FAMILY.family, "000001")] == [URLS[1]]
    assert store.due(FAMILY.family) == {"000001": 1}
