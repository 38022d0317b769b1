"""Pages that say for days that they are gone, without a status that says so."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.gone_pages import gone_by_now, not_gone_at_once
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import Store, UrlState
from tests.serve.readings import SITE, reading_of, visit_of
from tests.serve.test_batch import (
    FAMILY,
    PAGES,
    add_version,
    page,
    server,
    titles,
    visits,
)

WEEK = timedelta(days=7)
NOW = datetime.now(UTC)


def says(
    number: int,
    now: Verdict,
    before: Verdict = Verdict.SOFT_404,
    *,
    fetched: bool = True,
) -> Reading:
    visit = visit_of(number, fetched=fetched, verdict=before)
    return reading_of(visit, verdict=now, reason="it says that it is gone")


GOOD = reading_of(visit_of(1, fetched=True))
OLD = {f"{SITE}/{number}": NOW - timedelta(days=8) for number in range(9)}


@pytest.mark.parametrize("verdict", [Verdict.SOFT_404, Verdict.HOME_REDIRECT])
def test_what_says_for_a_week_that_it_is_gone_is_gone(verdict: Verdict) -> None:
    good, gone = gone_by_now([GOOD, says(2, verdict)], OLD, WEEK)
    assert good is GOOD
    assert gone.verdict is Verdict.GONE
    assert f"stale since {NOW - timedelta(days=8):%Y-%m-%d}" in gone.reason


@pytest.mark.parametrize(
    ("reading", "since", "after"),
    [
        (says(2, Verdict.SOFT_404), OLD, None),
        (says(2, Verdict.SOFT_404), OLD, timedelta(days=9)),
        (says(2, Verdict.SOFT_404), {}, WEEK),
        (says(2, Verdict.SOFT_404, Verdict.BLOCKED), OLD, WEEK),
        (says(2, Verdict.LOGIN), OLD, WEEK),
        (says(2, Verdict.SOFT_404, fetched=False), OLD, WEEK),
    ],
    ids=["never", "not so long", "not stale", "said once", "a login", "not asked"],
)
def test_what_may_pass_is_asked_for_again(
    reading: Reading, since: dict[str, datetime], after: timedelta | None
) -> None:
    assert gone_by_now([GOOD, reading], since, after) == [GOOD, reading]


def test_a_site_of_which_most_pages_say_so_has_a_fault() -> None:
    two = [says(2, Verdict.SOFT_404), says(3, Verdict.SOFT_404)]
    assert gone_by_now([GOOD, *two], OLD, WEEK) == [GOOD, *two]
    other = reading_of(visit_of(4, fetched=True))
    assert [one.verdict for one in gone_by_now([GOOD, other, *two], OLD, WEEK)] == [
        Verdict.OK,
        Verdict.OK,
        Verdict.GONE,
        Verdict.GONE,
    ]


def missing(visit: Visit, status: int) -> Visit:
    """A page that the site has no more."""
    url = visit.url.url
    answer = Fetched(url, Verdict.GONE, f"status {status}", status=status)
    return Visit(visit.url, None, Verdict.GONE, answer.reason, answer)


def answers(number: int, status: int, before: Verdict = Verdict.OK) -> Reading:
    """A page that the site has not, by its status."""
    visit = missing(visit_of(number, verdict=before), status)
    return reading_of(visit, verdict=Verdict.GONE, values=())


@pytest.mark.parametrize(
    ("lost", "status", "known", "verdict"),
    [
        (1, 404, {2, 3, 4}, Verdict.GONE),
        (2, 404, {2, 3, 4}, Verdict.NOT_FOUND),
        (3, 410, {2, 3, 4}, Verdict.GONE),
        (2, 404, {3}, Verdict.GONE),
    ],
    ids=["one of many", "most", "taken away", "never had rows"],
)
def test_most_pages_of_a_site_are_not_gone_at_once(
    lost: int, status: int, known: set[int], verdict: Verdict
) -> None:
    now = [GOOD, *(answers(2 + at, status) for at in range(lost))]
    read = not_gone_at_once(now, {f"{SITE}/{number}" for number in known})
    assert read[0] is GOOD
    assert {one.verdict for one in read[1:]} == {verdict}
    is_held = verdict is Verdict.NOT_FOUND
    assert read[1].reason == ("status 404, as 2 of 3 pages" if is_held else "")


def test_a_page_of_a_redesigned_site_is_gone_as_one_of_any_other() -> None:
    """Nothing is read of the others, and the site shows them."""
    shown = [reading_of(visit_of(at), verdict=Verdict.DRIFT) for at in (2, 3)]
    walled = [reading_of(visit_of(at), verdict=Verdict.LOGIN) for at in (2, 3)]
    lost = answers(4, 404)
    assert not_gone_at_once([*shown, lost], {lost.url})[-1] is lost
    left = not_gone_at_once([*walled, lost], {lost.url})[-1]
    assert (left.verdict, left.reason) == (
        Verdict.NOT_FOUND,
        "status 404, as 1 of 1 pages",
    )


def test_the_only_page_of_a_family_is_not_gone_at_once() -> None:
    (read,) = not_gone_at_once([answers(1, 404)], {f"{SITE}/1"})
    assert read.verdict is Verdict.NOT_FOUND


def test_what_is_not_found_for_a_week_is_gone_though_nothing_else_is_read() -> None:
    now = [answers(number, 404, Verdict.NOT_FOUND) for number in (1, 2)]
    held = not_gone_at_once(now, OLD.keys())
    assert {one.verdict for one in gone_by_now(held, OLD, WEEK)} == {Verdict.GONE}
    assert gone_by_now(held, {}, WEEK) == held
    assert gone_by_now(held, OLD, None) == held
    once = not_gone_at_once([answers(number, 404) for number in (1, 2)], OLD.keys())
    assert gone_by_now(once, OLD, WEEK) == once, "it was read a day ago"


def asked(store: Store, pages: list[Page]) -> list[Visit]:
    """The pages as the site answers with them now."""
    made = []
    for visit in visits(store, pages):
        answer = Fetched(visit.url.url, Verdict.OK, "", page=visit.page, status=200)
        made.append(replace(visit, fetched=answer))
    return made


def lost(number: int) -> Page:
    """A page that says that there is no such thing, with status 200."""
    shown = page(number)
    body = b"<html><head><title>Page not found</title></head><body><h1>Page not found</h1></body></html>"
    return shown.model_copy(update={"body": body})


def test_its_row_leaves_the_table_and_its_url_is_asked_for_no_more(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(store)
    good = [page(number) for number in range(1, PAGES)]

    def refresh(run: str, pages: list[Page]) -> ServedBatch:
        made = server(store, run, refresh=run)
        return asyncio.run(made.serve("000001", asked(store, pages)))

    refresh("run-1", [page(0), *good])
    url = f"{SITE}/0"
    for run in ("run-2", "run-3"):
        served = refresh(run, [lost(0), *good])
        assert served.verdicts[Verdict.SOFT_404] == 1
        assert url in titles(store), "it may be back tomorrow"
    with store._database.write() as connection:
        connection.execute(
            "update item set _stale_since = ? where _url = ?", [NOW - WEEK, url]
        )
    assert refresh("run-4", [lost(0), *good]).verdicts[Verdict.GONE] == 1
    assert url not in titles(store) and len(titles(store)) == PAGES - 1
    entry = store.url(FAMILY.family, url)
    assert entry and entry.state is UrlState.GONE


def test_a_site_that_answers_404_for_a_day_loses_no_row(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(store)
    every = [page(number) for number in range(PAGES)]

    def refresh(run: str, *, status: int = 200) -> ServedBatch:
        asks = asked(store, every)
        if status != 200:
            asks = [missing(visit, status) for visit in asks]
        made = server(store, run, refresh=run)
        return asyncio.run(made.serve("000001", asks))

    refresh("run-1")
    assert refresh("run-2", status=404).verdicts == {Verdict.NOT_FOUND: PAGES}
    assert len(titles(store)) == PAGES
    (row,) = store.explain(FAMILY, f"{SITE}/1")
    assert row.stale_since is not None
    entry = store.url(FAMILY.family, f"{SITE}/1")
    assert entry and entry.state is UrlState.ACTIVE and entry.next_due is not None
    assert refresh("run-3").verdicts == {Verdict.OK: PAGES}
    (row,) = store.explain(FAMILY, f"{SITE}/1")
    assert row.stale_since is None
    assert refresh("run-4", status=410).verdicts == {Verdict.GONE: PAGES}
    assert not titles(store)
