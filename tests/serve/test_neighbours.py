"""Whose page it is where two families claim as much of a url."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.commit import commit_of
from crawloop_assets.serve.neighbours import Neighbours, left
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, FrontierUrl, NewCrawler, Store, UrlState
from tests.serve.readings import judgement_of, program

SITE = "http://shop.example"
MARKUP = {
    "shop/book": "<article><header><h1>{}</h1></header><p><b>1.50</b></p></article>",
    "shop/film": "<table><tr><td><h1>{}</h1></td><td><i><b>2.50</b></i></td></tr></table>",
}


def family(name: str) -> Family:
    return Family.model_validate(
        {
            "family": name,
            "schema": "tests.models:Item",
            "discover": {"seeds": [f"{SITE}/"], "include": ["^/item/"]},
        }
    )


BOOKS, FILMS = family("shop/book"), family("shop/film")


def page(kind: Family, number: int) -> Page:
    shown = MARKUP[kind.family].format(f"{kind.family} {number}")
    body = f"<!DOCTYPE html><html><body><main>{shown}</main></body></html>"
    return Page(
        url=f"{SITE}/item/{number}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Of a project whose films are published."""
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    for kind in (BOOKS, FILMS):
        body = program().to_json()
        version = store.add_crawler(NewCrawler(family=kind.family, body=body))
        store.promote(kind.family, version, why="a test")
    publish(store, FILMS, [page(FILMS, number) for number in (1, 3, 5)])
    return store


def publish(store: Store, kind: Family, pages: Sequence[Page]) -> None:
    store.add_urls(kind, [FoundUrl(each.url) for each in pages])
    urls = {url.url: url for url in store.frontier(kind.family)}
    for each in pages:
        store.bodies.put(each.body)
    server = BatchServer(kind, store, default_pool(), "run-1")
    visits = [Visit(urls[each.url], each, Verdict.OK) for each in pages]
    served = asyncio.run(server.serve("000001", visits))
    assert served.counts.served == len(pages)


def readings(store: Store, *pages: Page) -> list[Reading]:
    """What the books' crawler makes of pages it meets for the first time."""
    versions = store.crawlers(BOOKS.family)
    reader = PageReader(BOOKS, default_pool(), versions, 1)
    visits = [
        Visit(FrontierUrl(each.url, "000001"), each, Verdict.OK) for each in pages
    ]
    return asyncio.run(reader.read(visits))


def foreign(store: Store, found: list[Reading], *families: Family) -> list[str]:
    neighbours = Neighbours(BOOKS, families or (BOOKS, FILMS), store, default_pool())
    return [reading.url for reading in asyncio.run(neighbours.foreign(found))]


def test_a_page_of_the_others_layout_is_theirs(store: Store) -> None:
    publish(store, BOOKS, [page(BOOKS, 0), page(BOOKS, 2)])
    found = readings(store, page(BOOKS, 4), page(FILMS, 7))
    assert foreign(store, found) == [f"{SITE}/item/7"]


def test_without_published_pages_a_family_keeps_what_it_can_read(store: Store) -> None:
    found = readings(store, page(BOOKS, 4), page(FILMS, 7))
    assert all(reading.good for reading in found)
    assert foreign(store, found) == []
    unread = [reading for reading in found if reading.url.endswith("/7")]
    lost = [Reading(unread[0].visit, Verdict.DRIFT, facts=unread[0].facts)]
    assert foreign(store, lost) == [f"{SITE}/item/7"]


def test_a_page_published_here_before_is_never_theirs(store: Store) -> None:
    publish(store, BOOKS, [page(BOOKS, 0), page(BOOKS, 2)])
    (reading,) = readings(store, page(FILMS, 7))
    known = Reading(
        reading.visit,
        reading.verdict,
        facts=reading.facts,
        previous=({"title": "A book"},),
    )
    assert foreign(store, [known]) == []


def test_a_family_without_neighbours_leaves_nothing(store: Store) -> None:
    publish(store, BOOKS, [page(BOOKS, 0)])
    found = readings(store, page(FILMS, 7))
    assert foreign(store, found, BOOKS) == []
    elsewhere = FILMS.model_copy(
        update={"discover": FILMS.discover.model_copy(update={"include": ("^/film/",)})}
    )
    assert foreign(store, found, BOOKS, elsewhere) == []


def test_a_page_of_which_nothing_is_known_stays(store: Store) -> None:
    url = FrontierUrl(f"{SITE}/item/9", "000001")
    assert foreign(store, [Reading(Visit(url, None, Verdict.GONE), Verdict.GONE)]) == []


def test_pages_that_are_left_are_asked_for_no_more(store: Store) -> None:
    own, other = readings(store, page(BOOKS, 4), page(FILMS, 7))
    commit = commit_of(BOOKS, "000001", "run-1", [own], judgement_of())
    rows = left(commit, [other]).fetched
    assert [row.url for row in rows] == [own.url, other.url]
    assert (rows[1].verdict, rows[1].state) == (Verdict.NOT_ALLOWED, UrlState.REFUSED)
    assert rows[1].status == 200
    assert other.visit.page is not None
    assert rows[1].fetched_at == other.visit.page.fetched_at
