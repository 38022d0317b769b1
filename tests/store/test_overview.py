"""All families at a glance, from the ledgers of a store."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import create_model

from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    AccessOutcome,
    AuditKind,
    BatchReport,
    CrawlerStatus,
    FetchedPage,
    FoundUrl,
    HeldPage,
    HeldReason,
    NewCrawler,
    NewQuestion,
    QuestionKind,
    Store,
)
from crawloop_assets.store.engine import Connection, Rows
from crawloop_assets.store.overview import FamilyOverview, FamilyState, overviews
from tests.store.conftest import commit, family, served
from tests.store.models import Link, Row

ONE, TWO = (
    Family.model_validate(
        {"family": name, "schema": "tests.models:Item", "discover": {}}
    )
    for name in ("shop/one", "shop/two")
)

RED = BatchReport(
    checks=(CheckResult(name=CheckName.HISTORY, passed=False, sentence="other values"),)
)


def test_a_family_nothing_is_known_of_was_not_crawled_yet(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert store.families.overviews([ONE]) == [FamilyOverview("shop/one")]
    assert FamilyOverview("shop/one").state is FamilyState.NEW


def test_each_has_its_own_numbers_in_the_order_asked_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.add_urls(TWO, [FoundUrl(f"http://shop.test/{n}") for n in range(3)])
    two, one = store.families.overviews([TWO, ONE])
    assert (two.family, two.batches, two.rows) == ("shop/two", 1, 0)
    assert one.batches == 0
    assert two.next_due and two.next_due <= datetime.now(UTC), "they are due since then"


def test_a_family_of_which_no_url_was_found_says_why(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.record_skips("shop/one", [("http://shop.test/", "http: 404")])
    store.record_skips("shop/two", [("http://shop.test/9", "robots.txt")])
    store.add_urls(TWO, [FoundUrl("http://shop.test/1")])
    one, two = store.families.overviews([ONE, TWO])
    assert (one.state, one.unfound_why) == (
        FamilyState.EMPTY,
        "http://shop.test/: http: 404",
    )
    assert (two.state, two.unfound_why) == (FamilyState.NEW, "")


@pytest.mark.parametrize(
    "verdict", [Verdict.TRANSIENT, Verdict.BLOCKED, Verdict.NOT_ALLOWED]
)
def test_what_could_not_be_had_is_counted_with_its_newest_reason(
    tmp_path: Path, verdict: Verdict
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.add_urls(
        ONE, [FoundUrl("http://shop.test/1"), FoundUrl("http://shop.test/2")]
    )
    for reason in ("timed out", "the browser did not start"):
        store.record_access(
            AccessOutcome(
                domain="shop.test",
                rung="browser",
                outcome=verdict.value,
                url="http://shop.test/1",
                family=ONE.family,
                reason=reason,
            )
        )
    page = FetchedPage(
        url="http://shop.test/1",
        verdict=verdict,
        fetched_at=datetime.now(UTC),
        next_due=None,
    )
    store.commit_batch(replace(commit("r1", [], ONE), fetched=[page]))
    (one,) = store.families.overviews([ONE])
    assert (one.unfetched, one.unfetched_why) == (
        1,
        "browser: the browser did not start",
    )
    assert one.unwanted == {}


def test_the_last_wave_and_the_last_heal_are_known(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    for kind in (AuditKind.WAVE_STARTED, AuditKind.HEAL_FAILED, AuditKind.WAVE_STARTED):
        store.audit(kind, ONE.family, None, {})
    one, two = store.families.overviews([ONE, TWO])
    assert one.wave_at and one.healed_at and one.healed_at < one.wave_at
    assert not one.is_healing, "it is not red"
    assert replace(one, red={"000001": "history: other values"}).is_healing
    assert (two.wave_at, two.healed_at, two.ignored_until) == (None, None, None)


def test_a_version_waits_until_a_later_one_serves_as_in_the_inbox(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    waits = NewCrawler(
        family=ONE.family, body="one", status=CrawlerStatus.AWAITING_REVIEW
    )
    store.add_crawler(waits)
    about = NewQuestion(
        family=ONE.family,
        kind=QuestionKind.REVIEW,
        fields=("price",),
        sentence="a version waits for review",
        since=datetime.now(UTC),
    )
    store.questions.ask(about)
    (one,) = store.families.overviews([ONE])
    assert one.state is FamilyState.WAITS
    assert (one.waiting, one.questions) == (1, 0), "it is one decision"
    other = {"kind": QuestionKind.GONE, "fields": ("stock",)}
    store.questions.ask(about.model_copy(update=other))
    assert store.families.overviews([ONE])[0].questions == 1
    later = replace(waits, body="two", status=CrawlerStatus.CANDIDATE)
    store.promote(ONE.family, store.add_crawler(later), "")
    assert store.families.overviews([ONE])[0].waiting == 0
    assert not store.reviews.waiting(ONE.family)


def test_what_shows_something_else_is_counted_by_what_it_is(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    verdicts = (Verdict.LOGIN, Verdict.OK, Verdict.LOGIN, Verdict.CONSENT, Verdict.GONE)
    urls = [f"http://shop.test/{number}" for number, _ in enumerate(verdicts)]
    store.add_urls(ONE, list(map(FoundUrl, urls)))
    pages = [
        FetchedPage(
            url=url, verdict=verdict, fetched_at=datetime.now(UTC), next_due=None
        )
        for url, verdict in zip(urls, verdicts, strict=True)
    ]
    store.commit_batch(replace(commit("r1", [], ONE), fetched=pages))
    one, two = store.families.overviews([ONE, TWO])
    assert (one.unwanted, one.unfetched) == ({"login": 2, "consent": 1}, 0)
    assert two.unwanted == {}


def test_what_a_list_shows_no_longer_leaves_and_is_not_stale(tmp_path: Path) -> None:
    of = family("shop/list", "tests.store.models:Row", kind="listing", key=["title"])
    page = "http://shop.test/list"
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    tea, milk = (Row(title=title, price=None) for title in ("Tea", "Milk"))
    store.commit_batch(commit("r1", [served(page, tea, milk)], of))
    store.commit_batch(commit("r2", [served(page, tea)], of))
    (one,) = store.families.overviews([of])
    assert (one.rows, one.stale, one.leaving) == (2, 0, 1)
    assert one.stale_since is None and one.state is FamilyState.GREEN
    # Now nobody knows whether the list shows it.
    against = HeldPage(
        url=page, page_sha256=None, version=1, reasons=[HeldReason(check="votes")]
    )
    store.commit_batch(commit("r3", [], of, held=[against]))
    (one,) = store.families.overviews([of])
    assert (one.stale, one.leaving, one.state) == (2, 0, FamilyState.STALE)


class _Counted:
    """A connection that counts what it is asked."""

    def __init__(self, connection: Connection):
        self._connection, self.asked = connection, 0

    def execute(self, query: str, parameters: Any = None) -> Rows:
        self.asked += 1
        return self._connection.execute(query, parameters)


def test_many_families_are_asked_for_in_as_many_queries_as_one(tmp_path: Path) -> None:
    """After each run of any: it would cost what all families cost."""
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    many = [family(f"shop/{n}", "tests.store.models:Row") for n in range(20)]
    for one in many:
        report = RED if one is many[7] else BatchReport()
        pages = [served("http://shop.test/1", Row(title="Tea", price=None))]
        store.commit_batch(replace(commit("r1", pages, one), report=report))
    asked = []
    for families in ([many[7]], many):
        with store.publisher.database.read() as connection:
            counted = _Counted(connection)
            found = overviews(cast(Connection, counted), families)
        asked.append(counted.asked)
    assert asked[0] == asked[1]
    assert [one.family for one in found if one.red] == ["shop/7"]
    assert [one.rows for one in found] == [1] * 20
    assert found[7].red == {"000001": "history: other values"}


def test_a_field_of_another_type_breaks_the_families_of_that_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    rows, links = (
        family("shop/row", "tests.store.models:Row"),
        family("shop/link", "tests.store.models:Link"),
    )
    tea, link = Row(title="Tea", price=None), Link(url="http://a.test/", title="Tea")
    for of, record in ((rows, tea), (links, link)):
        store.commit_batch(commit("r1", [served("http://shop.test/1", record)], of))
    both = store.families.overviews([rows, links, ONE])
    assert [one.refused_why for one in both] == ["", "", ""]
    other = create_model("Row", title=(int, ...), price=(int | None, None))
    monkeypatch.setattr("tests.store.models.Row", other)
    one, *others = store.families.overviews([rows, links, ONE])
    assert one.state is FamilyState.BROKEN
    assert one.refused_why.startswith("Row.title is stored as VARCHAR and now declared")
    assert [one.refused_why for one in others] == ["", ""]


@pytest.mark.parametrize(("cron", "hours"), [("@hourly", 1), (None, 24)])
def test_a_cron_comes_before_what_is_due_later(
    tmp_path: Path, cron: str | None, hours: int
) -> None:
    """All pages are asked for then, those that seldom change, too."""
    shop = family(refresh={"cron": cron})
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    url, now = "http://shop.test/1", datetime.now(UTC)
    store.add_urls(shop, [FoundUrl(url)])
    page = FetchedPage(
        url=url, verdict=Verdict.OK, fetched_at=now, next_due=now + timedelta(hours=23)
    )
    store.commit_batch(replace(commit("r1", [], shop), fetched=[page]))
    (one,) = store.families.overviews([shop])
    assert one.next_due
    assert hours - 1 <= (one.next_due - now) / timedelta(hours=1) <= hours
