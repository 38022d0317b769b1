"""Visits from the store and from the web."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetched, Fetcher
from crawloop_assets.drift.outcome import OldCopy
from crawloop_assets.family import Domain, Domains
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.journal import Journal
from crawloop_assets.serve.visit import (
    Visit,
    fetch_visits,
    stored_page,
    stored_visits,
)
from crawloop_assets.store import (
    BatchCommit,
    FetchedPage,
    FoundUrl,
    FrontierUrl,
    Store,
)
from tests.access.serving import running
from tests.access.site import Site
from tests.page_bodies import damage
from tests.serve.readings import FAMILY, THEN, page_of

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


@pytest.fixture
async def fetcher(site: Site, tmp_path: Path) -> AsyncIterator[Fetcher]:
    domain = Domain(
        host="127.0.0.1", scheme="http", port=site.port, private=True, max_rps=1_000
    )
    async with Fetcher(Domains(domains=(domain,)), tmp_path / "var") as fetcher:
        yield fetcher


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


def test_a_stored_page_is_as_it_was_fetched(store: Store) -> None:
    page = page_of(1)
    url = FrontierUrl(
        page.url,
        "000001",
        page_sha256=page.sha256,
        final_url="http://shop.example/moved",
        headers=page.headers,
        page_fetched_at=THEN,
    )
    assert stored_page(url, store) is None, "its body is not there"
    store.bodies.put(page.body)
    stored = stored_page(url, store)
    assert stored is not None
    assert (stored.url, stored.final_url) == (page.url, "http://shop.example/moved")
    assert (stored.body, stored.headers) == (page.body, page.headers)
    assert (stored.status, stored.fetched_at) == (200, THEN)


def test_a_url_that_never_moved_is_its_own_final_one(store: Store) -> None:
    page = page_of(1)
    store.bodies.put(page.body)
    url = FrontierUrl(page.url, "000001", page_sha256=page.sha256)
    stored = stored_page(url, store)
    assert stored is not None and stored.final_url == page.url
    assert stored_page(FrontierUrl(page.url, "000001"), store) is None


def test_visits_from_the_store_say_what_was_never_fetched(store: Store) -> None:
    page = page_of(1)
    store.bodies.put(page.body)
    there = FrontierUrl(page.url, "000001", page_sha256=page.sha256)
    missing = FrontierUrl("http://shop.example/2", "000001")
    first, second = stored_visits([there, missing], store)
    assert (first.url, first.verdict, first.reason) == (there, Verdict.OK, "")
    assert first.page is not None and first.page.body == page.body
    assert (second.page, second.verdict) == (None, Verdict.TRANSIENT)
    assert second.reason == "never fetched"
    assert not first.unchanged and not second.unchanged


def test_a_visit_is_unchanged_if_the_site_said_so() -> None:
    url = FrontierUrl("http://shop.example/1", "000001")
    fetched = Fetched(url=url.url, verdict=Verdict.OK, reason="", not_modified=True)
    assert Visit(url, page_of(1), Verdict.OK, fetched=fetched).unchanged


async def test_every_url_is_visited_and_what_is_known_is_asked_for_by_validators(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    store.add_urls(FAMILY, [FoundUrl(site.url("/p/0")), FoundUrl(site.url("/gone/1"))])
    urls = store.urls(FAMILY.family, "000001")
    visits = await fetch_visits(FAMILY, urls, fetcher, store)
    by_path = {visit.url.url: visit for visit in visits}
    arrived, gone = by_path[site.url("/p/0")], by_path[site.url("/gone/1")]
    assert arrived.verdict is Verdict.OK and arrived.page is not None
    assert (gone.verdict, gone.page) == (Verdict.GONE, None)
    assert gone.reason
    row = FetchedPage(
        url=arrived.url.url,
        verdict=Verdict.OK,
        fetched_at=arrived.page.fetched_at,
        headers=arrived.page.headers,
        page_sha256=arrived.page.sha256,
        etag=arrived.page.headers["etag"],
    )
    store.commit_batch(
        BatchCommit(family=FAMILY, batch="000001", run_id="one", fetched=[row])
    )
    known = [url for url in store.urls(FAMILY.family, "000001") if url.page_sha256]
    site.reset()
    (again,) = await fetch_visits(FAMILY, known, fetcher, store)
    assert again.unchanged and again.reason == "not modified"
    assert again.page is None, "nobody has to read it"
    assert (again.has_page, again.page_sha256) == (True, arrived.page.sha256)
    assert again.base_url == arrived.page.base_url
    opened = again.opened()
    assert opened.page is not None and opened.page.body == arrived.page.body
    assert (opened.unchanged, opened.opened()) == (True, opened)
    (forced,) = await fetch_visits(FAMILY, known, fetcher, store, force=True)
    assert not forced.unchanged
    damage(store.bodies, arrived.page.sha256)
    lost = again.opened()
    assert (lost.page, lost.has_page, lost.verdict) == (None, False, Verdict.TRANSIENT)
    journal = Journal(store, "the next run")
    (whole,) = await fetch_visits(FAMILY, known, fetcher, store, journal=journal)
    assert whole.page is not None, "what is damaged is asked for in full"
    held = [replace(url, verdict=Verdict.DRIFT) for url in known]
    journal = Journal(store, "another run")
    (full,) = await fetch_visits(FAMILY, held, fetcher, store, journal=journal)
    assert full.is_new_answer, "what was held is asked for in full"
    assert [hit.status for hit in site.hits()] == [304, 200, 200, 200]


@pytest.mark.parametrize(
    ("headers", "new"),
    [
        ({}, True),
        ({"age": "0", "x-cache": "HIT"}, True),
        ({"age": "60", "x-cache": "HIT"}, True),
        ({"age": "7200"}, False),
        ({"age": "9" * 400}, False),
        ({"age": "soon"}, True),
        ({"x-cache": "HIT, MISS"}, False),
        ({"cf-cache-status": "HIT"}, False),
        ({"x-cache": "Miss from the edge"}, True),
    ],
)
def test_what_a_cache_kept_since_the_last_fetch_is_no_new_answer(headers, new):
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    url = FrontierUrl(
        "http://a.example/1", "000001", fetched_at=now - timedelta(hours=1)
    )
    page = Page(url=url.url, body=b"<p>", headers=headers, fetched_at=now)
    fetched = Fetched(url.url, Verdict.OK, "", page)
    assert Visit(url, page, Verdict.OK, fetched=fetched).is_new_answer is new
    is_older = headers.get("age", "") > "6" and not new
    other, same = OldCopy.OTHER, OldCopy.SAME
    for known, copy in ((None, other), (page.sha256, same), ("another", other)):
        visit = Visit(replace(url, page_sha256=known), page, Verdict.OK, "", fetched)
        assert visit.old_copy is (copy if is_older else None)
    unchanged = replace(fetched, page=None, not_modified=True)
    assert Visit(url, page, Verdict.OK, fetched=unchanged).old_copy is None
    assert not Visit(url, page, Verdict.OK, fetched=unchanged).is_new_answer
    from_store = Visit(url, page, Verdict.OK)
    assert from_store.is_new_answer is (new and headers.get("age") != "60")
