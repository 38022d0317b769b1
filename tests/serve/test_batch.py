"""One batch from its visits to the store, with a real store and real workers."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.family import Family, Promotion
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import (
    AuditKind,
    BatchCounts,
    FoundUrl,
    FrontierUrl,
    NewCrawler,
    ServedBy,
    Store,
    UrlState,
)
from tests.serve.readings import (
    SITE,
    judgement_of,
    lost_visit,
    program,
    reading_of,
    visit_of,
)

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {"seeds": [f"{SITE}/"], "include": ["^/[0-9]"]},
    }
)
PAGES = 8


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


def add_version(store: Store, **selectors: str) -> int:
    """One more version, active from now on."""
    body = program(**selectors).to_json()
    version = store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    store.promote(FAMILY.family, version, why="a test")
    return version


def page(number: int, *, tag: str = "h1", price: str = "", canonical: str = "") -> Page:
    head = f"<link rel='canonical' href='{canonical}'>" if canonical else ""
    shown = price or f"{number}.50"
    body = f"<head>{head}</head><{tag}>Tea {number}</{tag}><b>{shown}</b>"
    return Page(
        url=f"{SITE}/{number}",
        body=f"<!DOCTYPE html><html>{body}</html>".encode(),
        headers={"content-type": "text/html"},
    )


def visits(store: Store, pages: Sequence[Page]) -> list[Visit]:
    """The pages as if they were read from the store."""
    store.add_urls(FAMILY, [FoundUrl(each.url) for each in pages])
    known = {url.url: url for url in store.frontier(FAMILY.family)}
    for each in pages:
        store.bodies.put(each.body)
    return [Visit(known[each.url], each, Verdict.OK) for each in pages]


def server(store: Store, run_id: str = "run-1", **options: Any) -> BatchServer:
    return BatchServer(FAMILY, store, default_pool(), run_id, **options)


def serve(
    store: Store, pages: Sequence[Page], run_id: str = "run-1", **options: Any
) -> ServedBatch:
    made = server(store, run_id, **options)
    return asyncio.run(made.serve("000001", visits(store, pages)))


def titles(store: Store) -> dict[str, Any]:
    return {url: rows[0]["title"] for url, rows in store.known(FAMILY).items()}


def test_a_batch_is_read_judged_and_committed(store: Store) -> None:
    add_version(store)
    served = serve(store, [page(number) for number in range(PAGES)], wave="heal1")
    assert served.batch == "000001"
    assert served.verdicts == {Verdict.OK: PAGES}
    assert served.served_by == {"crawler v1": PAGES}
    assert served.model_calls == 0
    assert served.counts.served == PAGES and served.note == ""
    assert titles(store) == {
        f"{SITE}/{number}": f"Tea {number}" for number in range(PAGES)
    }
    rows = store.explain(FAMILY, f"{SITE}/1")
    assert rows[0].run_id == "run-1"


def test_only_batches_that_passed_teach(store: Store) -> None:
    add_version(store)
    good = [page(number) for number in range(PAGES)]
    serve(store, good, refresh="run-1")
    made = server(store, "run-2", refresh="run-2")
    assert [stats.pages for stats in made.history.before("run-2")] == [PAGES]
    bad = [page(number, tag="h2") for number in range(PAGES)]
    served = asyncio.run(made.serve("000001", visits(store, bad)))
    assert served.judgement.drifted
    assert len(server(store, "run-3").history.before("run-3")) == 1
    assert titles(store)[f"{SITE}/1"] == "Tea 1"
    assert served.served_by == {}


def test_who_served_a_page_is_told(store: Store) -> None:
    readings = (
        reading_of(visit_of(1)),
        reading_of(visit_of(2), skipped=True),
        reading_of(visit_of(3), served_by=ServedBy.MODEL, version=None),
        reading_of(visit_of(4), served_by=ServedBy.OLDER, version=2),
        reading_of(visit_of(5), verdict=Verdict.DRIFT),
    )
    served = ServedBatch("1", readings, judgement_of(), BatchCounts())
    assert served.served_by == {
        "crawler v3": 1,
        "not modified": 1,
        "model": 1,
        "older v2": 1,
    }
    assert served.model_calls == 1
    assert served.verdicts == {Verdict.OK: 4, Verdict.DRIFT: 1}
    assert (served.note, served.seconds) == ("", 0.0)


def test_a_batch_says_why_no_model_serves_it(store: Store) -> None:
    add_version(store)
    assert serve(store, [page(1)], note="no model is set").note == "no model is set"


class Rescuer:
    """Serves what drifted, and has reached its budget."""

    note = "no budget left"

    async def rescue(self, readings: Any) -> Any:
        return list(map(self.served, readings))

    def served(self, reading: Any) -> Any:
        if reading.good:
            return reading
        good = reading_of(reading.visit, served_by=ServedBy.MODEL, version=None)
        return replace(good, facts=reading.facts, extraction=reading.extraction)

    def disbelieve(self, urls: Any) -> None:
        list(urls)


def test_what_no_version_reads_goes_to_the_model(store: Store) -> None:
    add_version(store)
    pages = [page(0), page(1), page(2, tag="h2")]
    served = serve(store, pages, model=Rescuer())
    assert [reading.served_by for reading in served.readings] == [
        ServedBy.CRAWLER,
        ServedBy.CRAWLER,
        ServedBy.MODEL,
    ]
    assert (served.model_calls, served.note) == (1, "no budget left")


class Neighbourhood:
    """Claims pages by their url."""

    def __init__(self, *urls: str):
        self.urls = urls

    async def foreign(self, readings: Any) -> list[Any]:
        return [reading for reading in readings if reading.url in self.urls]


def test_pages_of_neighbours_are_left_to_them(store: Store) -> None:
    add_version(store)
    theirs = Neighbourhood(f"{SITE}/2")
    served = serve(store, [page(1), page(2)], neighbours=theirs)
    assert [reading.url for reading in served.readings] == [f"{SITE}/1"]
    assert set(titles(store)) == {f"{SITE}/1"}
    entry = store.url(FAMILY.family, f"{SITE}/2")
    assert entry is not None and entry.state is UrlState.REFUSED


def test_an_older_version_that_serves_a_run_is_the_active_one_again(
    store: Store,
) -> None:
    add_version(store)
    add_version(store, title="h2", price="i")
    made = server(store)
    assert made.active == 2
    asyncio.run(made.serve("000001", visits(store, [page(n) for n in range(3)])))
    assert made.wins == {1: 3}
    made.settle()
    active = store.active(FAMILY.family)
    assert active is not None and active.version == 1
    events = store.audits(FAMILY.family)
    assert any("served 3 pages, v2 none" in str(event.detail) for event in events)


def test_a_person_who_reviews_promotions_is_asked_before_an_older_one_is_active(
    store: Store,
) -> None:
    add_version(store)
    add_version(store, title="h2", price="i")
    heal = FAMILY.heal.model_copy(update={"promotion": Promotion.REVIEW})
    reviewed = FAMILY.model_copy(update={"heal": heal})
    made = BatchServer(reviewed, store, default_pool(), "run-1")
    asyncio.run(made.serve("000001", visits(store, [page(n) for n in range(3)])))
    assert made.wins == {1: 3}
    assert "waits for a person" in made.settle()
    active = store.active(FAMILY.family)
    assert active is not None and active.version == 2
    assert [*store.audits(FAMILY.family, AuditKind.REVIEW_ASKED)]


@pytest.mark.parametrize("wins", [{}, {1: 2}, {1: 9, 2: 1}, {2: 9}])
def test_a_few_pages_or_one_of_the_active_version_change_nothing(
    store: Store, wins: dict[int, int]
) -> None:
    add_version(store)
    add_version(store, title="h2", price="i")
    made = server(store)
    made.wins.update(wins)
    made.settle()
    active = store.active(FAMILY.family)
    assert active is not None and active.version == 2


def test_pages_that_are_held_win_nothing(store: Store) -> None:
    """Today a version whose batch was red came back, and its wrong rows with it."""
    add_version(store)
    add_version(store, title="h2", price="i")
    made, pages = server(store), [page(number) for number in range(PAGES)]
    serve(store, [page(n, price=f"{n}00.50") for n in range(PAGES)], "run-0")
    served = asyncio.run(made.serve("000001", visits(store, pages)))
    assert served.judgement.drifted
    assert made.wins == {} and made.settle() == ""


def test_without_a_version_there_is_nothing_to_settle(store: Store) -> None:
    made = server(store)
    assert (made.versions, made.active) == ([], None)
    made.settle()
    assert store.active(FAMILY.family) is None


def test_a_page_that_is_another_name_is_no_record_of_its_own(store: Store) -> None:
    add_version(store)
    same = page(2, price="1.50", canonical=f"{SITE}/1")
    same = same.model_copy(update={"body": same.body.replace(b"Tea 2", b"Tea 1")})
    visited = visits(store, [page(1), same])
    fetched = [_just_fetched(visit) for visit in visited]
    served = asyncio.run(server(store).serve("000001", fetched))
    assert set(titles(store)) == {f"{SITE}/1"}
    assert served.verdicts == {Verdict.OK: 2}
    entry = store.url(FAMILY.family, f"{SITE}/2")
    assert entry is not None and entry.alias_of == f"{SITE}/1"


def test_a_name_nobody_knows_becomes_a_known_url(store: Store) -> None:
    add_version(store)
    (visit,) = visits(store, [page(1, canonical=f"{SITE}/7")])
    asyncio.run(server(store).serve("000001", [_just_fetched(visit)]))
    entry = store.url(FAMILY.family, f"{SITE}/7")
    assert entry is not None and entry.found_on == f"{SITE}/1"
    assert set(titles(store)) == {f"{SITE}/1"}
    own = store.url(FAMILY.family, f"{SITE}/1")
    assert own is not None and own.etag is None, "it is asked for in full"


def _just_fetched(visit: Visit) -> Visit:
    page, template = visit.page, visit_of(1, fetched=True).fetched
    assert page is not None and template is not None
    fetched = replace(template, url=page.url, page=page)
    return replace(visit, fetched=fetched)


def test_new_pages_are_judged_by_canaries(store: Store) -> None:
    add_version(store)
    known = [page(number) for number in range(PAGES)]
    serve(store, known)
    canaries = {
        visit.url.url: visit
        for visit in visits(
            store, [page(n, tag="h2") for n in range(ENOUGH_KNOWN_PAGES)]
        )
    }
    misread = [
        page(number, tag="h1", price="1.00").model_copy(
            update={"url": f"{SITE}/{number}"}
        )
        for number in range(20, 20 + PAGES)
    ]
    before = {url.url: url for url in store.frontier(FAMILY.family)}
    served = serve(store, misread, "run-2", canaries=canaries)
    assert served.verdicts == {Verdict.OK: PAGES}
    after = {url.url: url for url in store.frontier(FAMILY.family)}
    drifted = [f"{SITE}/{number}" for number in range(ENOUGH_KNOWN_PAGES)]
    assert [before[url].verdict for url in drifted] == [Verdict.OK] * ENOUGH_KNOWN_PAGES
    assert [after[url].verdict for url in drifted] == [
        Verdict.DRIFT
    ] * ENOUGH_KNOWN_PAGES


def test_a_canary_is_not_replaced_by_what_its_own_batch_made_of_it(
    store: Store,
) -> None:
    """One price of eight that rose by half is news in each of five batches; that it is their canaries' is none.

    It is seen by the sixth batch, after those of the canaries were committed.
    """
    add_version(store)
    in_eights = FAMILY.model_copy(update={"batch_size": PAGES})
    numbers = range(5 * PAGES)
    store.add_urls(in_eights, [FoundUrl(page(number).url) for number in numbers])

    def run(day: int, canary: float, *more: list[Page]) -> list[ServedBatch]:
        told = []
        for number in numbers:
            price = number + 10.5 + (day / 10 if number % PAGES == 1 else 0)
            price *= 1 if number % PAGES else canary
            told.append(page(number, price=f"{price:.2f}"))
        batches = [told[at : at + PAGES] for at in numbers[::PAGES]]
        made = server(store, f"run-{day}", refresh=f"run-{day}")
        canaries = visits(store, told[::PAGES])
        made.canaries = {visit.url.url: visit for visit in canaries}
        return [
            asyncio.run(made.serve(f"{at:06}", visits(store, pages)))
            for at, pages in enumerate([*batches, *more], 1)
        ]

    for day in range(5):
        run(day, canary=1)
    new = [page(number) for number in range(60, 60 + PAGES)]
    *own, last = run(5, 1.5, new)
    assert [each.judgement.hold_all for each in own] == [None] * 5
    assert [each.counts.held for each in own] == [0] * 5
    assert last.judgement.hold_all is not None
    assert "of the family's canaries" in last.judgement.hold_all


def test_a_batch_that_knows_enough_of_its_own_needs_no_canaries(store: Store) -> None:
    add_version(store)
    pages = [page(number) for number in range(PAGES)]
    serve(store, pages)
    canaries = {visit.url.url: visit for visit in visits(store, [page(0, tag="h2")])}
    serve(store, pages[1 : ENOUGH_KNOWN_PAGES + 1], "run-2", canaries=canaries)
    entry = store.url(FAMILY.family, f"{SITE}/0")
    assert entry is not None and entry.verdict is Verdict.OK


def test_urls_that_brought_nothing_are_committed_too(store: Store) -> None:
    add_version(store)
    store.add_urls(FAMILY, [FoundUrl(f"{SITE}/4")])
    (url,) = store.frontier(FAMILY.family)
    visit = replace(lost_visit(4, Verdict.GONE), url=FrontierUrl(url.url, url.batch))
    served = asyncio.run(server(store).serve("000001", [visit]))
    assert served.verdicts == {Verdict.GONE: 1}
    entry = store.url(FAMILY.family, f"{SITE}/4")
    assert entry is not None and entry.state is UrlState.GONE
