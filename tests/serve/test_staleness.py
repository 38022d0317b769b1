"""Rows that no refresh renews are seen, and why they are not."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from crawloop_assets.drift.check import CheckName, CheckResult, Severity
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.staleness import with_staleness
from crawloop_assets.serve.visit import stored_visits
from crawloop_assets.store import Store
from tests.serve.readings import SITE, finding, judgement_of, reading_of, visit_of
from tests.serve.test_batch import FAMILY, PAGES, add_version, page, server, visits


def stale(served: ServedBatch) -> CheckResult:
    (check,) = [one for one in served.judgement.checks if one.name is CheckName.STALE]
    return check


def test_each_cause_is_counted() -> None:
    held = reading_of(visit_of(1), findings=(finding(),), verdict=Verdict.DRIFT)
    home = reading_of(visit_of(2), verdict=Verdict.HOME_REDIRECT, values=())
    renewed = reading_of(visit_of(3))
    rows = {f"{SITE}/{number}": number for number in range(1, 5)}
    judgement = with_staleness(judgement_of(), (held, home, renewed), rows)
    (check,) = judgement.checks
    assert (check.passed, check.severity) == (False, Severity.WARN)
    assert check.sentence.startswith("7 rows are older than the last refresh: ")
    for cause in ("4 not fetched", "2 home_redirect", f"1 held by {finding().check}"):
        assert cause in check.sentence
    assert [example.got for example in check.examples][1] == "home_redirect"
    assert check.observed == pytest.approx(7 / 9)
    assert not check.is_drift and not check.blocking


def test_where_all_rows_are_renewed_the_check_passes() -> None:
    (check,) = with_staleness(judgement_of(), (), {}).checks
    assert check.passed and check.sentence == "no row is older than the last refresh"
    renewed = reading_of(visit_of(3))
    (check,) = with_staleness(judgement_of(), [renewed], {renewed.url: 1}).checks
    assert check.passed


def test_one_row_is_no_rows() -> None:
    (check,) = with_staleness(judgement_of(), (), {f"{SITE}/1": 1}).checks
    assert check.sentence == "1 row is older than the last refresh: 1 not fetched"


@pytest.mark.parametrize(
    ("rows", "said"),
    [((0,), "1 waits until the site says so again"), ((), "2 stands on its page, ")],
)
def test_rows_that_wait_and_rows_that_are_overlooked_are_told_apart(
    rows: tuple[int, ...], said: str
) -> None:
    served = reading_of(visit_of(3))
    held = WaitingRows(rows=frozenset(rows), findings=(finding(),))
    judgement = judgement_of().model_copy(update={"waiting": {served.url: held}})
    (check,) = with_staleness(judgement, [served], {served.url: 2}).checks
    assert said in check.sentence


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(made)
    return made


def refresh(store: Store, run_id: str, away: int = 0) -> ServedBatch:
    """A refresh in which the first pages lead to the home page."""
    pages = [page(number) for number in range(PAGES)]
    found = visits(
        store, [_moved(one) if at < away else one for at, one in enumerate(pages)]
    )
    made = server(store, run_id, refresh=run_id)
    return asyncio.run(made.serve("000001", found))


def _moved(asked: Page) -> Page:
    """The home page in its place: what it shows first could be read as a record."""
    home = page(77).body
    return asked.model_copy(update={"final_url": f"{SITE}/", "body": home})


def _answered_at_home(asked: Page) -> Page:
    """The page itself, under the address that a login led to."""
    return asked.model_copy(update={"final_url": f"{SITE}/"})


def stale_rows(store: Store) -> int:
    """As an operator sees them."""
    (seen,) = store.families.overviews([FAMILY])
    return seen.stale + seen.leaving


def test_a_page_that_shows_its_record_is_renewed_wherever_a_redirect_ended(
    store: Store,
) -> None:
    """A false redirect to the home page left ten rows stale."""
    assert stale(refresh(store, "run-1")).passed
    answered = [_answered_at_home(page(number)) for number in range(PAGES)]
    made = server(store, "run-2", refresh="run-2")
    served = asyncio.run(made.serve("000001", visits(store, answered)))
    assert served.verdicts == {Verdict.OK: PAGES}
    assert not stale_rows(store)


def test_rows_behind_a_false_redirect_are_told_from_the_second_refresh_on(
    store: Store,
) -> None:
    """Today ten rows stayed stale behind green checks."""
    assert stale(refresh(store, "run-1")).passed
    first = refresh(store, "run-2", away=3)
    assert first.verdicts[Verdict.HOME_REDIRECT] == 3
    assert first.counts.stale == 3 and stale(first).passed
    second = refresh(store, "run-3", away=2)
    assert stale(second).sentence == (
        "2 rows are older than the last refresh: 2 home_redirect"
    )
    assert stale(second) in store.report(FAMILY.family, "000001")
    assert stale_rows(store) == 2
    assert stale(refresh(store, "run-4")).passed
    assert not stale_rows(store)


def test_a_replay_of_stored_pages_makes_no_row_current_that_the_site_shows_no_more(
    store: Store,
) -> None:
    refresh(store, "run-1")
    refresh(store, "run-2", away=3)
    assert stale_rows(store) == 3
    urls = store.urls(FAMILY.family, "000001")
    asyncio.run(server(store, "heal").serve("000001", stored_visits(urls, store)))
    assert stale_rows(store) == 3
    again = store.urls(FAMILY.family, "000001")
    assert [url.verdict for url in again] == [url.verdict for url in urls]
    refresh(store, "run-3")
    assert not stale_rows(store), "the site shows them again"


def test_a_replay_of_the_refresh_that_lost_them_does_not_count_them(
    store: Store,
) -> None:
    refresh(store, "run-1")
    refresh(store, "run-2", away=3)
    pages = [_moved(page(number)) for number in range(3)]
    found = [replace(visit) for visit in visits(store, pages)]
    replay = asyncio.run(server(store, "replay").serve("000001", found))
    assert stale(replay).passed
