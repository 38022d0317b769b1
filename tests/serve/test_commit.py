"""From readings and a judgement to what the store commits."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.outcome import LeftOutRecord
from crawloop_assets.page import Verdict
from crawloop_assets.serve.commit import commit_of, published, watched
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.validated import JudgedRecords
from crawloop_assets.store import BatchCommit, FetchedPage, UrlState
from tests.models import Item
from tests.serve.readings import (
    FAMILY,
    SITE,
    THEN,
    finding,
    judgement_of,
    lost_visit,
    page_of,
    reading_of,
    visit_of,
)


def committed(*readings: Reading, **judged: object) -> BatchCommit:
    judgement = judgement_of(**judged)  # type: ignore[arg-type]
    return commit_of(FAMILY, "000001", "run-1", readings, judgement)


def row_of(reading: Reading, **judged: object) -> FetchedPage:
    (row,) = committed(reading, **judged).fetched
    return row


def test_a_page_is_published_unless_a_check_of_the_page_or_the_batch_is_against_it() -> (
    None
):
    reading = reading_of(visit_of(1))
    assert published(reading, judgement_of())
    assert not published(reading, judgement_of(held={reading.url: finding()}))
    assert not published(reading, judgement_of(hold_all="half of it is gone"))
    assert published(reading, judgement_of(held={f"{SITE}/2": finding()}))
    doubted = replace(reading, findings=(finding(),))
    assert not published(doubted, judgement_of())
    warned = replace(reading, findings=(finding(severity=Severity.WARN),))
    assert published(warned, judgement_of())


def test_each_page_goes_to_what_became_of_it() -> None:
    good = reading_of(visit_of(1))
    same = reading_of(visit_of(2), skipped=True)
    held = reading_of(visit_of(3), verdict=Verdict.DRIFT)
    gone = Reading(lost_visit(4, Verdict.GONE), Verdict.GONE)
    late = Reading(lost_visit(5, Verdict.TRANSIENT), Verdict.TRANSIENT)
    commit = committed(good, same, held, gone, late)
    assert [page.url for page in commit.served] == [good.url]
    assert commit.unchanged == [same.url]
    assert [page.url for page in commit.held] == [held.url]
    assert commit.gone == [gone.url]
    assert [page.url for page in commit.fetched] == [
        good.url,
        same.url,
        held.url,
        gone.url,
        late.url,
    ]
    assert (commit.batch, commit.run_id, commit.version) == ("000001", "run-1", 3)
    assert commit.stats["pages"] == 1
    assert commit.wave is None


def test_a_served_page_names_its_page_and_who_read_it() -> None:
    reading = reading_of(visit_of(1))
    (served,) = committed(reading).served
    assert (served.page_sha256, served.fetched_at) == (page_of(1).sha256, THEN)
    assert (served.version, served.served_by) == (3, reading.served_by)
    assert served.records == reading.records


def test_a_held_page_has_all_reasons_once_and_what_was_read() -> None:
    vote = FieldVote(agreement=0.5, live_readers=1, readers=2)
    record = ExtractedRecord(values={"title": "raw"}, votes={"title": vote}, row=0)
    reading = reading_of(
        visit_of(1),
        verdict=Verdict.DRIFT,
        findings=(finding("too long"), finding("too short")),
        values=(),
        extraction=Extraction(records=(record,)),
    )
    commit = committed(
        reading, held={reading.url: finding("too long")}, hold_all="all of it"
    )
    (held,) = commit.held
    assert [reason.message for reason in held.reasons] == [
        "too long",
        "too short",
        "all of it",
    ]
    assert [reason.check for reason in held.reasons][-1] == "batch"
    assert held.values == [{"title": "raw"}]
    assert held.votes[0]["title"]["agreement"] == 0.5
    assert held.page_sha256 == page_of(1).sha256


def test_a_held_page_shows_valid_values_rather_than_raw_ones() -> None:
    reading = reading_of(visit_of(1), verdict=Verdict.DRIFT)
    (held,) = committed(reading).held
    assert held.values == reading.values
    assert held.version == 3
    assert held.votes == []


def test_a_page_that_is_good_but_held_counts_as_drifted() -> None:
    reading = reading_of(visit_of(1, fetched=True))
    assert row_of(reading).verdict is Verdict.OK
    assert row_of(reading, hold_all="all").verdict is Verdict.DRIFT


def test_a_page_read_again_from_the_store_is_due_when_it_was_due() -> None:
    due = datetime(2026, 5, 1, tzinfo=UTC)
    visit = visit_of(1, next_due=due, interval_s=60.0, errors=2, etag="old")
    row = row_of(reading_of(visit))
    assert (row.next_due, row.interval_s, row.errors) == (due, 60.0, 2)
    assert (row.etag, row.rung) == ("old", None)
    assert (row.page_sha256, row.fetched_at) == (page_of(1).sha256, THEN)


@pytest.mark.parametrize("hold_all", [None, "all"])
def test_reading_the_stored_page_makes_no_page_of_what_the_site_said_since(
    hold_all: str | None,
) -> None:
    later = THEN + timedelta(days=1)
    known = {"fetched_at": later, "page_fetched_at": THEN}
    visit = visit_of(1, verdict=Verdict.NEEDS_RENDER, **known)
    made = committed(reading_of(visit), hold_all=hold_all)
    (row,) = made.fetched
    assert (row.verdict, row.fetched_at) == (Verdict.NEEDS_RENDER, later)
    assert [page.is_old for page in made.served] == [True] * (hold_all is None)
    again = visit_of(1, verdict=Verdict.DRIFT, **known)
    assert row_of(reading_of(again)).verdict is Verdict.OK
    assert not visit_of(1, fetched=True, verdict=Verdict.BLOCKED, **known).is_outdated
    anew = known | {"page_fetched_at": THEN - timedelta(days=1)}
    assert not visit_of(1, verdict=Verdict.BLOCKED, **anew).is_outdated


def test_a_url_without_a_stored_page_leaves_no_row() -> None:
    visit = replace(lost_visit(1, Verdict.TRANSIENT), fetched=None)
    assert committed(Reading(visit, Verdict.TRANSIENT)).fetched == []


def test_a_fetched_page_takes_the_validators_of_its_answer() -> None:
    visit = visit_of(1, fetched=True, etag="old", last_modified="long ago", status=500)
    row = row_of(reading_of(visit))
    assert (row.etag, row.last_modified) == ('"1"', None)
    assert (row.status, row.rung) == (200, "plain")
    assert row.headers["content-type"] == "text/html"
    assert row.size == len(page_of(1).body)
    assert row.state is UrlState.ACTIVE


def test_an_answer_without_a_page_keeps_what_was_known_of_the_url() -> None:
    visit = lost_visit(1, Verdict.TRANSIENT, etag="e", last_modified="m", errors=1)
    row = row_of(Reading(visit, Verdict.TRANSIENT))
    assert (row.etag, row.last_modified, row.page_sha256) == ("e", "m", None)
    assert (row.size, row.errors, row.status) == (0, 2, 404)
    assert row.next_due is not None
    assert timedelta(minutes=9) < row.next_due - datetime.now(UTC) < timedelta(hours=1)


def test_a_page_that_is_gone_is_asked_for_no_more_and_one_that_came_has_no_errors() -> (
    None
):
    gone = Reading(lost_visit(1, Verdict.GONE), Verdict.GONE)
    assert row_of(gone).state is UrlState.GONE
    assert row_of(reading_of(visit_of(2, fetched=True, errors=3))).errors == 0


DAY = timedelta(days=1).total_seconds()


def interval(reading: Reading) -> float:
    """How a page's interval of one day changes."""
    return (row_of(reading).interval_s or 0) / DAY


@pytest.mark.parametrize(
    ("page_hash", "content_hash", "title", "grows"),
    [
        ("same", "a", "Tea", True),
        ("other", "a", "Tea", True),
        ("other", "b", "Tea", False),
        ("other", "a", "Mug", False),
    ],
)
def test_the_interval_follows_whether_the_page_changed(
    page_hash: str, content_hash: str, title: str, grows: bool
) -> None:
    stored = page_of(1).sha256 if page_hash == "same" else "0" * 64
    visit = visit_of(
        1, fetched=True, page_sha256=stored, content_hash=content_hash, interval_s=DAY
    )
    reading = reading_of(
        visit,
        facts=PageFacts(content_hash="a"),
        previous=({"title": title, "price": "1.50", "url": visit.url.url},),
    )
    assert interval(reading) == (2.0 if grows else 0.2)


def test_another_number_of_records_is_a_change() -> None:
    visit = visit_of(1, fetched=True, page_sha256="0" * 64, interval_s=DAY)
    facts = PageFacts(content_hash="a")
    visit = replace(visit, url=replace(visit.url, content_hash="a"))
    assert interval(reading_of(visit, facts=facts, previous=())) == 0.2


def test_a_page_seen_for_the_first_time_keeps_its_interval() -> None:
    visit = visit_of(1, fetched=True, page_sha256=None, interval_s=DAY)
    assert interval(reading_of(visit)) == 1.0


def test_a_page_of_which_nothing_is_seen_counts_as_changed() -> None:
    visit = visit_of(1, fetched=True, page_sha256="0" * 64, interval_s=DAY)
    reading = reading_of(visit)
    assert interval(replace(reading, previous=reading.values)) == 0.2


def test_canaries_bear_witness_or_are_pages_to_heal_from() -> None:
    good = reading_of(visit_of(1))
    drifted = reading_of(visit_of(2), verdict=Verdict.DRIFT)
    held = reading_of(visit_of(3))
    lost = Reading(lost_visit(4, Verdict.GONE), Verdict.GONE)
    seen = judgement_of(held={held.url: finding()})
    before = committed(reading_of(visit_of(9)))
    commit = watched(before, [good, drifted, held, lost], seen)
    assert [page.url for page in commit.canaries] == [good.url]
    assert commit.fetched[:1] == before.fetched
    assert [(row.url, row.verdict) for row in commit.fetched[1:]] == [
        (drifted.url, Verdict.DRIFT),
        (held.url, Verdict.DRIFT),
    ]
    assert commit.served == before.served


@pytest.mark.parametrize(
    ("check", "waits"), [(CheckName.HISTORY, ["Pot"]), (CheckName.COUNT, None)]
)
def test_what_waits_is_told_from_what_a_page_shows_no_more(
    check: CheckName, waits: list[str] | None
) -> None:
    """Not where rows stand on the page that nothing reads."""
    rows = tuple(
        Item(url=f"{SITE}/{title}", title=title, price="1")  # type: ignore[arg-type]
        for title in ("Tea", "Pot", "Jar")
    )
    values = tuple({"title": row.title} for row in rows)
    reading = reading_of(visit_of(1), records=rows, values=values)
    why = finding(severity=Severity.WARN).model_copy(update={"check": check})
    held = WaitingRows(rows=frozenset({1}), findings=(why,))
    judgement = judgement_of().model_copy(update={"waiting": {reading.url: held}})
    commit = commit_of(FAMILY, "000001", "run-1", [reading], judgement)
    titles = [[row.title for row in page.records] for page in commit.waiting]  # type: ignore[attr-defined]
    assert titles == ([waits] if waits else [])
    assert [row.title for row in commit.served[0].records] == ["Tea", "Jar"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("known", "waits"),
    [
        ({"url": f"{SITE}/2", "title": "Pot", "price": "2"}, ["Pot"]),
        ({"title": "Pot"}, None),
        (None, []),
    ],
)
def test_what_is_known_of_a_row_that_is_left_out_stays(
    known: dict[str, str] | None, waits: list[str] | None
) -> None:
    """All of its page does where the model does not take that any more."""
    left_out = (LeftOutRecord(choices=frozenset({"state"}), known=known),)
    tea = {"url": f"{SITE}/1", "title": "Tea", "price": "1.50"}
    completed = JudgedRecords(None, (tea,), (frozenset(),), left_out)
    reading = reading_of(visit_of(1), verdict=Verdict.DRIFT, completed=completed)
    kept = {reading.url: {0: KeptRecord(values=tea, kept=frozenset())}}
    empty = Extraction(records=(ExtractedRecord(values=tea, votes={}),))
    reading = replace(reading, completed=replace(completed, extraction=empty))
    judgement = judgement_of(held={reading.url: finding()}).model_copy(
        update={"kept": kept, "new_choices": frozenset({reading.url})}
    )
    commit = commit_of(FAMILY, "000001", "run-1", [reading], judgement)
    assert [row.title for row in commit.served[0].records] == ["Tea"]  # type: ignore[attr-defined]
    titles = [[row.title for row in page.records] for page in commit.waiting]  # type: ignore[attr-defined]
    assert titles == ([waits] if waits is not None else [])
    judgement = judgement.model_copy(update={"new_choices": frozenset()})
    assert not commit_of(FAMILY, "000001", "run-1", [reading], judgement).waiting
