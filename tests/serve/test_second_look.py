"""Doubtful pages are asked again within the run: with a real site, a real fetcher, a real store and real workers."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.second_look import (
    MOST_IN_BATCH,
    MOST_IN_RUN,
    Answer,
    doubtful,
    looks_in_words,
    pages_asked_again,
)
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import Store
from tests.access.site import Site
from tests.access.wire import Told
from tests.serve.readings import judgement_of, reading_of, visit_of
from tests.serve.shelf import (
    CENTS,
    FAMILY,
    PAGES,
    RIGHT,
    WRONG,
    Shelf,
    asked,
    price,
    refresh,
    stocked,
    stream,
)


@pytest.mark.parametrize("fault", [CENTS, WRONG])
def test_a_fault_that_passed_is_published_right_in_the_same_run(
    store: Store, site: Site, shelf: Shelf, fault: str
) -> None:
    shelf.says[3] = [fault, RIGHT]
    served = refresh(store, site, shelf)
    assert price(store, site, 3) == Decimal(RIGHT)
    assert served.counts.held == 0 and not served.judgement.unconfirmed
    assert served.second_look == "1 asked, 1 said the known value again"

    assert len(site.hits("/item/")) == PAGES + 1, "one request more than pages"
    first, second = asked(site, 3)
    assert "if-none-match" in first.headers and "cache-control" not in first.headers
    assert not {"if-none-match", "if-modified-since"} & second.headers.keys()
    assert second.headers["cache-control"] == "no-cache"
    others = {hit.connection for hit in site.log if hit is not second}
    assert second.connection not in others, "a connection of its own"

    entry = store.url(FAMILY.family, site.url("/item/3"))
    assert entry is not None and entry.verdict is Verdict.OK
    assert entry.page_sha256 is not None and entry.etag == f'"3-{RIGHT}"'
    assert RIGHT.encode() in store.bodies.get(entry.page_sha256)
    assert refresh(store, site, shelf).second_look == ""


def test_a_site_that_insists_is_believed_a_refresh_later(
    store: Store, site: Site, shelf: Shelf
) -> None:
    shelf.says[3] = [WRONG]
    served = refresh(store, site, shelf)
    assert price(store, site, 3) == Decimal(RIGHT)
    assert set(served.judgement.waiting) == {site.url("/item/3")}
    assert served.second_look == "1 asked, 1 said what is doubtful again"
    assert len(asked(site, 3)) == 2
    refresh(store, site, shelf)
    assert price(store, site, 3) == Decimal(WRONG)


def test_a_held_page_is_confirmed_by_one_full_answer_of_the_next_refresh(
    store: Store, site: Site, shelf: Shelf
) -> None:
    """It is asked for without validators: a 304 would confirm nothing."""
    shelf.says[3] = [WRONG]
    refresh(store, site, shelf)
    served = refresh(store, site, shelf)
    assert [hit.status for hit in asked(site, 3)] == [200]
    assert price(store, site, 3) == Decimal(WRONG)
    assert served.second_look == ""


def test_a_cache_is_passed(store: Store, site: Site, shelf: Shelf) -> None:
    """It gives a wrong price to whoever does not ask for a new answer."""
    shelf.says[3] = [WRONG]
    shelf.headers[3] = {"Age": "864000", "X-Cache": "HIT"}
    refresh(store, site, shelf)
    shelf.says[3] = [WRONG + "1", RIGHT]
    served = refresh(store, site, shelf)
    assert price(store, site, 3) == Decimal(RIGHT)
    assert served.second_look == "1 asked, 1 said the known value again"


@pytest.mark.parametrize(
    "answer",
    [
        Told(b"<h1>503</h1>", 503),
        Told(b"<h1>403</h1>", 403),
        Told(b"<h1>404</h1>", 404),
        Told(b"<html><title>Just a moment...</title></html>"),
        Told(b"<html><body><h1>Page not found</h1></body></html>"),
        Told(b"<html><body><h1>Tea no. 3</h1><b>soon</b></body></html>"),
    ],
    ids=["transient", "blocked", "gone", "challenge", "soft 404", "no price"],
)
def test_a_second_answer_that_is_no_page_leaves_the_first(
    store: Store, site: Site, shelf: Shelf, answer: Told
) -> None:
    shelf.says[3] = [WRONG, answer]
    served = refresh(store, site, shelf)
    assert served.second_look == "1 asked, 1 gave nothing to read"
    assert len(asked(site, 3)) == 2, "what fails is not repeated"
    assert set(served.judgement.waiting) == {site.url("/item/3")}
    assert served.verdicts == {Verdict.OK: PAGES}
    (held,) = store.quarantine(FAMILY.family)
    assert held.values[0]["price"] == WRONG
    assert price(store, site, 3) == Decimal(RIGHT)


def test_no_more_is_asked_than_the_budget_allows(
    site: Site, shelf: Shelf, tmp_path: Path
) -> None:
    pages, dearer = 100, 60
    store = stocked(site, shelf, tmp_path, pages)
    for number in range(dearer):
        shelf.says[number] = [f"{float(shelf.price(number)) * (1.3 + number / 90):.2f}"]
    served = refresh(store, site, shelf)
    assert served.counts.held >= dearer and not served.judgement.drifted
    assert len(site.hits("/item/")) == pages + 5
    assert served.second_look == "5 asked, 5 said what is doubtful again"


def test_a_run_has_a_budget_too(store: Store, site: Site, shelf: Shelf) -> None:
    for number in (3, 6):
        shelf.says[number] = ["99.00"]
    site.reset()
    made = stream(store, site, "run-9")
    batches = made.run(["000001"] * 3)
    assert next(batches).second_look.startswith("2 asked")
    look = made.server.second_look
    assert look is not None and look.left == MOST_IN_RUN - 2
    look.left = 1
    assert next(batches).second_look.startswith("1 asked")
    assert next(batches).second_look == ""
    assert [len(asked(site, number)) for number in (3, 6)] == [5, 4]


def test_a_batch_that_drifted_is_not_asked_again(
    store: Store, site: Site, shelf: Shelf
) -> None:
    for number in range(PAGES):
        shelf.says[number] = [f"{float(shelf.price(number)) / 100:.2f}"]
    served = refresh(store, site, shelf)
    assert served.judgement.drifted and served.second_look == ""
    assert len(site.hits("/item/")) == PAGES


def test_second_requests_wait_for_their_turn(
    store: Store, site: Site, shelf: Shelf
) -> None:
    """One at a time is what this host takes, however many pages are doubtful."""
    shelf.says[3] = [WRONG, RIGHT]
    shelf.says[6] = ["50.00", "16.00"]
    site.latency_s = 0.05
    served = refresh(store, site, shelf, concurrency=1)
    assert served.second_look == "2 asked, 2 said the known value again"
    assert site.most_at_once[0] == 1


@pytest.mark.parametrize("target", ["/private/3", "http://127.0.0.2:{port}/item/3"])
def test_robots_txt_and_allowlist_hold_for_the_second_request(
    store: Store, site: Site, shelf: Shelf, target: str
) -> None:
    there = target.format(port=site.port)
    shelf.says[3] = [WRONG, Told(status=302, headers={"Location": there})]
    served = refresh(store, site, shelf)
    assert served.second_look == "1 asked, 1 gave nothing to read"
    assert [hit.status for hit in asked(site, 3)] == [200, 302]
    assert len(site.hits()) == PAGES + 1, "nothing beside the pages"


def test_stored_pages_are_judged_without_one_request(
    store: Store, site: Site, shelf: Shelf
) -> None:
    shelf.says[3] = [WRONG]
    refresh(store, site, shelf)
    site.reset()
    server = BatchServer(FAMILY, store, default_pool(), "replay")
    (served,) = Stream(server, None).run(["000001"])
    assert served.judgement.unconfirmed and served.second_look == ""
    assert site.log == []


def suspicion(severity: Severity = Severity.WARN) -> Finding:
    return Finding(check=CheckName.HISTORY, severity=severity, message="dearer")


def test_pages_that_wait_go_first_and_of_them_those_of_a_cache() -> None:
    visits = [visit_of(number, fetched=True) for number in range(4)]
    cached = visits[3].page
    assert isinstance(cached, Page)
    old = cached.model_copy(update={"headers": {"age": "90000"}})
    readings = [reading_of(visit) for visit in visits[:3]]
    readings.append(reading_of(replace(visits[3], page=old)))
    judgement = judgement_of({one.url: suspicion() for one in readings})
    rows = WaitingRows(rows=frozenset({0}), findings=(suspicion(),))
    waiting = {one.url: rows for one in readings[2:]}
    judgement = judgement.model_copy(update={"waiting": waiting})
    found = doubtful(readings, judgement)
    assert [one.url[-1] for one in found] == ["3", "2", "0", "1"]


def test_only_suspicion_about_a_page_that_was_read_is_a_doubt() -> None:
    read = reading_of(visit_of(1))
    against = {read.url: suspicion()}
    assert doubtful([read], judgement_of(against)) == [read]
    assert doubtful([read], judgement_of()) == []
    assert doubtful([read], judgement_of(against, hold_all="all are wrong")) == []
    drifted = judgement_of(against).model_copy(update={"drifted": True})
    assert doubtful([read], drifted) == []
    error = {read.url: suspicion(Severity.ERROR)}
    assert doubtful([read], judgement_of(error)) == []
    for change in (
        {"verdict": Verdict.DRIFT},
        {"version": None},
    ):
        other = reading_of(visit_of(1), **change)
        assert doubtful([other], judgement_of(against)) == [], change


def test_of_a_list_only_other_values_are_a_doubt() -> None:
    read = reading_of(visit_of(1), values=({"title": "Tea"}, {"title": "Coffee"}))
    for check, asked_again in (
        (CheckName.HISTORY, [read]),
        (CheckName.CONSISTENCY, []),
    ):
        finding = suspicion().model_copy(update={"check": check})
        waiting = {read.url: WaitingRows(rows=frozenset({1}), findings=(finding,))}
        judgement = judgement_of().model_copy(update={"waiting": waiting})
        assert doubtful([read], judgement) == asked_again


def test_looks_in_plain_words() -> None:
    assert looks_in_words({}) == ""
    counts = {Answer.DOUBTFUL: 1, Answer.KNOWN: 2}
    assert (
        looks_in_words(counts)
        == "3 asked, 2 said the known value again, 1 said what is doubtful again"
    )


@pytest.mark.parametrize(
    ("pages", "left", "most"),
    [
        (1, MOST_IN_RUN, 1),
        (20, MOST_IN_RUN, 1),
        (100, MOST_IN_RUN, 5),
        (101, MOST_IN_RUN, 6),
        (5_000, MOST_IN_RUN, MOST_IN_BATCH),
        (5_000, 3, 3),
        (20, 0, 0),
    ],
)
def test_the_budget_is_a_share_of_the_batch_within_bounds(
    pages: int, left: int, most: int
) -> None:
    assert pages_asked_again(pages, left) == most
