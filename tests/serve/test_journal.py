"""A run that is killed between fetching and committing does not make its successor ask again."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.fetcher import Fetched, Fetcher
from crawloop_assets.errors import StoreFailed
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.journal import Journal, Notes
from crawloop_assets.serve.visit import Visit, fetch_visits
from crawloop_assets.store import BatchCommit, FetchedPage, FoundUrl, FrontierUrl, Store
from tests.access.serving import running
from tests.access.site import Site

pytestmark = pytest.mark.anyio
FAMILY = Family.model_validate(
    {"family": "shop/item", "schema": "tests.models:Item", "discover": {}}
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


@pytest.fixture
def store(site: Site, tmp_path: Path) -> Store:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.add_urls(
        FAMILY,
        [FoundUrl(site.url(path)) for path in ("/p/0", "/p/4", "/old/8", "/gone/1")],
    )
    return store


@pytest.fixture
async def fetcher(site: Site, tmp_path: Path) -> AsyncIterator[Fetcher]:
    domain = Domain(
        host="127.0.0.1", scheme="http", port=site.port, private=True, max_rps=1_000
    )
    async with Fetcher(Domains(domains=(domain,)), tmp_path / "var") as fetcher:
        yield fetcher


async def visits(store: Store, fetcher: Fetcher, **options: Any) -> dict[str, Visit]:
    urls: list[FrontierUrl] = store.urls(FAMILY.family, "000001")
    found = await fetch_visits(FAMILY, urls, fetcher, store, **options)
    return {visit.url.url: visit for visit in found}


async def test_what_was_fetched_is_not_asked_for_again(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    first = await visits(store, fetcher)
    site.reset()
    second = await visits(store, fetcher)
    assert [hit.path for hit in site.hits()] == ["/gone/1"]
    for url in (site.url("/p/0"), site.url("/old/8")):
        one, other = first[url], second[url]
        assert one.page == other.page
        assert one.fetched is not None
        assert other.fetched is not None
        assert (other.verdict, other.fetched.redirects) == (
            Verdict.OK,
            one.fetched.redirects,
        )
        assert (other.fetched.permanent_redirect, other.fetched.status) == (
            one.fetched.permanent_redirect,
            200,
        )


async def test_what_was_committed_is_asked_for_again(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    first = await visits(store, fetcher)
    fetched = first[site.url("/p/0")].fetched
    assert fetched is not None
    assert fetched.page is not None
    row = FetchedPage(
        url=fetched.url,
        verdict=Verdict.OK,
        fetched_at=fetched.fetched_at,
        headers=fetched.page.headers,
        page_sha256=fetched.page.sha256,
        etag=fetched.page.headers["etag"],
    )
    store.commit_batch(
        BatchCommit(family=FAMILY, batch="000001", run_id="one", fetched=[row])
    )
    site.reset()
    second = await visits(store, fetcher)
    assert [(hit.path, hit.status) for hit in site.hits("/p/")] == [("/p/0", 304)]
    assert second[site.url("/p/0")].unchanged
    site.reset()
    third = await visits(store, fetcher)
    assert not site.hits("/p/")
    assert third[site.url("/p/0")].unchanged
    opened = third[site.url("/p/0")].opened().page
    assert opened is not None and opened.body == fetched.page.body


async def test_force_asks_for_everything(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    await visits(store, fetcher)
    site.reset()
    await visits(store, fetcher, force=True)
    assert len(site.hits("/p/")) == 3


async def test_a_run_that_ended_leaves_no_journal(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    await visits(store, fetcher)
    journal = Journal(store, FAMILY.slug)
    assert len(journal.read()) == 3
    journal.close()
    journal.close()
    assert journal.read() == {}


async def test_a_run_reads_once_what_earlier_ones_left(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    """Reading it for each of many batches would cost the square of their number."""
    journal = Journal(store, FAMILY.slug)
    await visits(store, fetcher, journal=journal)
    assert (len(journal.left), len(journal.read())) == (0, 3)
    site.reset()
    await visits(store, fetcher, journal=Journal(store, FAMILY.slug))
    assert not site.hits("/p/")


async def test_a_torn_line_and_a_lost_body_cost_one_request_each(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    first = await visits(store, fetcher)
    page = first[site.url("/p/4")].page
    assert page is not None
    store.bodies.remove(page.sha256)
    file = next((store.var / "journal").iterdir())
    lines = file.read_bytes().splitlines()
    torn = next(line for line in lines if b"/p/0" in line)
    file.write_bytes(
        b"\n".join(line[:40] if line is torn else line for line in lines)
        + b'\n{"url": '
    )
    site.reset()
    await visits(store, fetcher)
    assert sorted(hit.path for hit in site.hits("/p/")) == ["/p/0", "/p/4"]


async def test_what_another_refresh_fetched_is_no_answer_to_this_one(
    site: Site, store: Store, fetcher: Fetcher
) -> None:
    """Pages that are known: since that refresh was killed the site may have changed."""
    url = site.url("/p/0")
    known = FetchedPage(
        url=url,
        verdict=Verdict.OK,
        fetched_at=datetime.now(UTC) - timedelta(minutes=30),
    )
    store.commit_batch(
        BatchCommit(family=FAMILY, batch="000001", run_id="old", fetched=[known])
    )

    def journal(refresh: str) -> Journal:
        return Journal(store, FAMILY.slug, refresh)

    await visits(store, fetcher, journal=journal("monday"))
    site.reset()
    await visits(store, fetcher, journal=journal("monday"))
    assert not site.hits("/p/"), "the same refresh goes on"
    await visits(store, fetcher, journal=journal("tuesday"))
    assert [hit.path for hit in site.hits("/p/")] == ["/p/0"]


async def test_an_old_journal_is_none(
    site: Site, store: Store, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    await visits(store, fetcher)
    monkeypatch.setattr("crawloop_assets.serve.journal.LIFE", timedelta(seconds=-1))
    site.reset()
    await visits(store, fetcher)
    assert len(site.hits("/p/")) == 3


async def test_pages_are_noted_a_moment_after_they_came(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together, without waiting for the end of the batch; at its end at once."""
    journal = Journal(store, FAMILY.slug)
    notes = Notes(journal)
    for at in range(40):
        notes.add(fetched(at))
    while len(journal.read()) < 40:
        await asyncio.sleep(0.01)
    monkeypatch.setattr("crawloop_assets.serve.journal._MOMENT", 3_600)
    notes = Notes(journal)
    notes.add(fetched(40))
    await asyncio.wait_for(notes.written(), 5)
    assert sorted(journal.read()) == sorted(fetched(at).url for at in range(41))


async def test_a_disk_that_refuses_is_said(store: Store) -> None:
    (store.var / "pages").write_text("in the way")
    notes = Notes(Journal(store, FAMILY.slug))
    notes.add(fetched(0))
    with pytest.raises(StoreFailed):
        await notes.written()
    with pytest.raises(StoreFailed):
        notes.add(fetched(1))


def fetched(at: int) -> Fetched:
    page = Page(url=f"http://shop.example/{at}", body=b"%d" % at)
    return Fetched(url=page.url, verdict=Verdict.OK, reason="", page=page)
