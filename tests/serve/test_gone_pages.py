"""Pages that say for days that they are gone, without a status that says so."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.gone_pages import gone_by_now
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
