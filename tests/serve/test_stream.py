"""Batches in a row, from stored pages and from a site."""

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.journal import Journal
from crawloop_assets.serve.stream import Stream
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from tests.access.serving import running
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.page_bodies import damage
from tests.serve.readings import page_of, program

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {},
        "batch_size": 4,
    }
)


def item(asked: Asked) -> Told:
    if "if-none-match" in asked.headers:
        return Told(status=304)
    body = page_of(asked.number, f"<h1>Tea {asked.number}</h1><b>2.50</b>").body
    return Told(body, headers={"ETag": f'"{asked.number}"'})


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        site.routes["item"] = item
        yield site


@pytest.fixture
def store(site: Site, tmp_path: Path) -> Store:
    """Of a family with three batches that nobody has fetched yet."""
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    urls = [FoundUrl(site.url(f"/item/{number}")) for number in range(10)]
    store.add_urls(FAMILY, urls)
    body = program().to_json()
    version = store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    store.promote(FAMILY.family, version, why="a test")
    return store


def stream(store: Store, site: Site | None, **options: bool) -> Stream:
    fetcher = None
    if site is not None:
        domain = Domain(
            host="127.0.0.1", scheme="http", port=site.port, private=True, max_rps=1_000
        )
        fetcher = Fetcher(Domains(domains=(domain,)), store.var)
    server = BatchServer(FAMILY, store, default_pool(), "run-1")
    return Stream(server, fetcher, **options)


def paths(site: Site) -> list[str]:
    return sorted(hit.path for hit in site.hits("/item/"))


def test_batches_are_fetched_and_served_in_order(site: Site, store: Store) -> None:
    batches = store.batches(FAMILY.family)
    served = list(stream(store, site).run(batches))
    assert [each.batch for each in served] == batches
    assert [each.verdicts for each in served] == [
        {Verdict.OK: 4},
        {Verdict.OK: 4},
        {Verdict.OK: 2},
    ]
    assert all(each.seconds > 0 for each in served)
    assert len(paths(site)) == len(set(paths(site))) == 10
    assert len(store.known(FAMILY)) == 10
    assert Journal(store, FAMILY.slug).read() == {}, "a run came to its end"


def test_each_batch_is_committed_before_the_next_is_served(
    site: Site, store: Store
) -> None:
    batches = store.batches(FAMILY.family)
    run = stream(store, site).run(batches)
    next(run)
    assert len(store.known(FAMILY)) == 4
    run.close()  # type: ignore[attr-defined]


def test_the_pages_of_a_batch_are_gone_while_the_next_is_served(
    site: Site, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = store.batches(FAMILY.family)
    first = {url.url for url in store.urls(FAMILY.family, batches[0])}
    there: list[set[str]] = []
    serve = BatchServer.serve

    async def counting(
        self: BatchServer, batch: str, visits: Sequence[Visit]
    ) -> ServedBatch:
        gc.unfreeze()
        pages = (one for one in gc.get_objects() if type(one) is Page)
        there.append({page.url for page in pages} & first)
        return await serve(self, batch, visits)

    monkeypatch.setattr(BatchServer, "serve", counting)
    for served in stream(store, site).run(batches):
        del served
    assert there == [first, set(), set()]


def test_canaries_are_asked_for_once_even_if_they_are_of_the_batch(
    site: Site, store: Store
) -> None:
    batches = store.batches(FAMILY.family)
    list(stream(store, site).run(batches))
    canaries = {url.url for url in store.canaries(FAMILY, ENOUGH_KNOWN_PAGES)}
    site.reset()
    (served,) = stream(store, site).run(batches[:1])
    asked = {site.url(path) for path in paths(site)}
    assert len(paths(site)) == len(asked)
    assert asked == canaries | {url.url for url in store.urls(FAMILY.family, "000001")}
    assert served.served_by == {"not modified": 4}
    assert {reading.url for reading in served.readings} == {
        url.url for url in store.urls(FAMILY.family, "000001")
    }


def test_pages_that_did_not_change_are_not_taken_from_the_store(
    site: Site, store: Store
) -> None:
    """Their bodies might as well be damaged, which costs each page itself once a
    version has to read it."""
    batches = store.batches(FAMILY.family)[:1]
    list(stream(store, site).run(batches))
    known = store.known(FAMILY)
    damage(store.bodies, *store.bodies.names())
    (served,) = stream(store, site).run(batches)
    assert served.served_by == {"not modified": 4}
    assert [one.visit.page for one in served.readings] == [None] * 4
    assert store.known(FAMILY) == known
    (again,) = stream(store, None).run(batches)
    assert again.verdicts == {Verdict.TRANSIENT: 4}
    assert store.known(FAMILY) == known, "what was known stands"


def test_a_forced_run_reads_every_page_again(site: Site, store: Store) -> None:
    batches = store.batches(FAMILY.family)[:1]
    list(stream(store, site).run(batches))
    (served,) = stream(store, site, force=True).run(batches)
    assert served.served_by == {"crawler v1": 4}


def test_stored_pages_are_served_without_one_request(site: Site, store: Store) -> None:
    batches = store.batches(FAMILY.family)[:2]
    list(stream(store, site).run(batches[:1]))
    site.reset()
    first, second = stream(store, None).run(batches)
    assert first.verdicts == {Verdict.OK: 4}
    assert first.served_by == {"crawler v1": 4}
    assert second.verdicts == {Verdict.TRANSIENT: 4}
    assert paths(site) == []


def test_old_things_are_looked_through_again_once_a_run_is_over(store: Store) -> None:
    run = stream(store, None).run(store.batches(FAMILY.family)[:1])
    next(run)
    assert gc.get_freeze_count() > 0
    run.close()  # type: ignore[attr-defined]
    assert gc.get_freeze_count() == 0
