"""All batches of a run are judged together: real pages, workers and stores."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from crawloop_assets.store.published import published_rows
from tests.serve.readings import SITE, program

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {"seeds": [f"{SITE}/"], "include": ["^/[0-9]"]},
        "batch_size": 60,
    }
)
LARGE, SMALL = range(60), range(60, 80)
BATCHES = {"000001": LARGE, "000002": SMALL}
DAYS = 3


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    version = store.add_crawler(
        NewCrawler(family=FAMILY.family, body=program().to_json())
    )
    store.promote(FAMILY.family, version, why="a test")
    return store


def page(number: int, *, is_wrong: bool) -> Page:
    """A product; on a wrong one a slogan stands where the title was."""
    title = f"Save on item {number}" if is_wrong else f"Lamp {number}"
    body = f"<h1>{title}</h1><b>{number}.50</b>"
    return Page(
        url=f"{SITE}/{number}",
        body=f"<!DOCTYPE html><html><body>{body}</body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def serve(store: Store, run: str, batch: str, wrong: Iterable[int] = ()) -> ServedBatch:
    pages = [page(n, is_wrong=n in set(wrong)) for n in BATCHES[batch]]
    store.add_urls(FAMILY, [FoundUrl(each.url) for each in pages])
    known = {url.url: url for url in store.frontier(FAMILY.family)}
    for each in pages:
        store.bodies.put(each.body)
    visits = [Visit(known[each.url], each, Verdict.OK) for each in pages]
    server = BatchServer(FAMILY, store, default_pool(), run, refresh=run, unit=run)
    return asyncio.run(server.serve(batch, visits))


@pytest.fixture
def known(store: Store) -> Store:
    for day in range(DAYS):
        for batch in BATCHES:
            assert not serve(store, f"day-{day}", batch).judgement.drifted
        assert store.pending.settle(FAMILY, f"day-{day}") == []
    return store


def wrong_rows(store: Store, tmp_path: Path) -> int:
    store.publish()
    rows = published_rows(tmp_path / "crawloop.duckdb", "item", ["title"])
    assert len(rows) == 80
    return sum(row["title"].startswith("Save") for row in rows)


def test_a_batch_shares_the_verdict_of_its_twin(known: Store, tmp_path: Path) -> None:
    """Three pages of 20 are too few to say so alone; with 18 of 60 they are not."""
    large = serve(known, "today", "000001", wrong=range(1, 19))
    small = serve(known, "today", "000002", wrong=range(61, 64))
    assert large.judgement.drifted and not small.judgement.drifted
    assert small.counts.served == len(SMALL) - small.judgement.unconfirmed == 17
    (settled,) = [
        one for one in known.pending.settle(FAMILY, "today") if one.batch == small.batch
    ]
    assert settled.drifted and settled.held == 17
    assert wrong_rows(known, tmp_path) == 0
    assert len(known.quarantine(FAMILY.family)) == 80


def test_a_healthy_run_is_published_when_it_has_ended(
    store: Store, tmp_path: Path
) -> None:
    serve(store, "today", "000001")
    serve(store, "today", "000002")
    assert published_rows(store.publish(), "item") == []
    assert store.pending.settle(FAMILY, "today") == []
    assert wrong_rows(store, tmp_path) == 0
