"""One refresh of a family whose pages a test makes: with a real store and real workers, and without requests."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

from crawloop_assets.access.fetched import Fetched
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, NewCrawler, Store

DATED = Family.model_validate(
    {"family": "shop/dated", "schema": "tests.models:Dated", "discover": {}}
)


def html_page(url: str, body: str, headers: Mapping[str, str] | None = None) -> Page:
    """A page that the site gives now."""
    return Page(
        url=url,
        body=body.encode(),
        headers={"content-type": "text/html", **(headers or {})},
        fetched_at=datetime.now(UTC),
    )


def refreshed(
    store: Store,
    family: Family,
    pages: list[Page],
    run_id: str,
    refresh: str = "",
    unchanged: Collection[str] = (),
) -> ServedBatch:
    """Read, judge and commit the pages as the one batch of a refresh, that of the run
    if no other one is read again; for those of `unchanged` urls the site says 304."""
    store.add_urls(family, [FoundUrl(page.url) for page in pages])
    known = {url.url: url for url in store.frontier(family.family)}
    for page in pages:
        store.bodies.put(page.body)
    visits = [
        Visit(known[page.url], page, Verdict.OK, fetched=_answer(page, unchanged))
        for page in pages
    ]
    server = BatchServer(
        family, store, default_pool(), run_id, refresh=refresh or run_id
    )
    return asyncio.run(server.serve("000001", visits))


def _answer(page: Page, unchanged: Collection[str]) -> Fetched | None:
    """What the site said, None of a page in full."""
    if page.url not in unchanged:
        return None
    return Fetched(page.url, Verdict.OK, "not modified", status=304, not_modified=True)


def store_of_titles(folder: Path) -> Store:
    """A new store in which a version that reads titles serves the family of dated things."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    title = FieldProgram(
        spec=FieldSpec(name="title", required=True),
        readers=(Reader(src=Source.CSS, at="h1"),),
    )
    body = Program(fields=(title,)).to_json()
    version = made.add_crawler(NewCrawler(family=DATED.family, body=body))
    made.promote(DATED.family, version, why="a test")
    return made
