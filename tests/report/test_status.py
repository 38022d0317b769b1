"""Families at a glance in words: the worst first, what to do, nothing of what is right."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crawloop_assets.errors import ConfigError
from crawloop_assets.page import Verdict
from crawloop_assets.project import BrokenFamily
from crawloop_assets.report.status import COLUMNS, FamilyStatus, statuses
from crawloop_assets.store.overview import FamilyOverview, FamilyState

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
GREEN = FamilyOverview(
    "shop/green",
    batches=6,
    rows=300,
    version=2,
    fetched_at=NOW - timedelta(minutes=5),
    next_due=NOW + timedelta(hours=23),
)
RED = FamilyOverview(
    "shop/red",
    batches=6,
    red={f"00000{n}": f"no price on {n} pages" for n in range(1, 6)},
    red_since=NOW - timedelta(days=2),
    rows=300,
    stale=46,
    stale_since=NOW - timedelta(days=3),
    held=46,
    version=1,
    on_probation=True,
    calls=2,
    usd=0.125,
)


def test_a_green_family_has_a_line_and_nothing_to_do() -> None:
    (one,) = statuses([GREEN], [])
    assert not one.needs_somebody and list(one.says(NOW)) == []
    assert one.cells(NOW) == (
        "shop/green",
        "green",
        "6",
        "300",
        "0",
        "0",
        "5 min ago",
        "in 23 h",
        "v2",
        "$0",
    )
    assert len(COLUMNS) == len(one.cells(NOW))


def test_a_moment_that_has_not_come_is_not_now() -> None:
    ahead = replace(GREEN, fetched_at=NOW + timedelta(hours=3))
    assert FamilyStatus(ahead).cells(NOW)[6] == "3 h ahead of this clock"
    close = replace(GREEN, fetched_at=NOW + timedelta(seconds=2))
    assert FamilyStatus(close).cells(NOW)[6] == "0 s ago"


def test_a_red_one_says_since_when_why_and_what_is_kept() -> None:
    one = FamilyStatus(RED)
    assert one.cells(NOW)[1:4] == ("red", "6, 5 red", "300, 46 stale")
    assert one.cells(NOW)[-2:] == ("v1 (on probation)", "$0.12")
    red, stale, held = one.says(NOW)
    assert "since 2 d ago" in red and "000001 (no price on 1 pages)" in red
    assert red.endswith("and 2 more")
    assert "46 rows stale, the oldest since 3 d ago" in stale
    assert held.endswith("crawloop inbox shop/red")


def test_what_needs_somebody_comes_first() -> None:
    waits = FamilyOverview("a/waits", rows=1, questions=1)
    new = FamilyOverview("a/new")
    stale = FamilyOverview("a/stale", rows=2, stale=1)
    empty = FamilyOverview("a/empty", unfound_why="http://a.test/: http: 404")
    unread = FamilyOverview("a/unread", fetched_at=NOW, unfetched=3, unfetched_why="x")
    broken = BrokenFamily("z/broken", ConfigError("no field 'x'", file="x.yaml"))
    found = statuses([GREEN, new, unread, stale, RED, empty, waits], [broken])
    assert [one.state for one in found] == [
        FamilyState.BROKEN,
        FamilyState.WAITS,
        FamilyState.RED,
        FamilyState.EMPTY,
        FamilyState.UNREAD,
        FamilyState.STALE,
        FamilyState.NEW,
        FamilyState.GREEN,
    ]
    assert [one.needs_somebody for one in found] == [True] * 6 + [False] * 2
    assert "no field 'x'" in next(found[0].says(NOW))
    assert "crawloop inbox a/waits" in next(found[1].says(NOW))
    assert list(found[3].says(NOW)) == [
        "a/empty: no url was found; http://a.test/: http: 404"
    ]
    assert list(found[4].says(NOW)) == [
        "a/unread: its pages were asked for, and no row is published",
        "a/unread: 3 pages could not be fetched, the last of them: x",
    ]


def test_an_answer_without_a_word_is_said_to_be_empty() -> None:
    one = FamilyStatus(replace(GREEN, unfetched=2, unfetched_why=""))
    (said,) = one.says(NOW)
    assert said.endswith("not be fetched, the last of them: an empty answer")


def test_a_version_that_waits_for_review_is_a_decision() -> None:
    one = FamilyOverview("a/b", rows=1, waiting=1)
    assert one.state is FamilyState.WAITS
    assert FamilyStatus(one).cells(NOW)[5] == "1"


def test_doubt_is_said_even_where_all_is_green() -> None:
    one = FamilyStatus(FamilyOverview("a/b", rows=4, suspect=2))
    assert list(one.says(NOW)) == ["a/b: 2 rows in doubt: crawloop suspects a/b"]


def test_one_is_not_many() -> None:
    one = FamilyStatus(replace(GREEN, held=1, unfetched=1, unfetched_why="x"))
    assert list(one.says(NOW)) == [
        "shop/green: 1 page could not be fetched, the last of them: x",
        "shop/green: 1 page held back: crawloop inbox shop/green",
    ]


def test_programs_get_moments_and_the_word_for_it() -> None:
    values = FamilyStatus(RED).as_json()
    assert (
        values["state"] == "red" and values["red_since"] == "2026-11-20T12:00:00+00:00"
    )
    assert values["red"]["000001"] == "no price on 1 pages"


def test_what_could_not_be_fetched_is_told_with_its_reason() -> None:
    why = "browser: Executable doesn't exist at /opt/chromium"
    one = FamilyStatus(replace(GREEN, unfetched=3, unfetched_why=why))
    assert list(one.says(NOW)) == [
        f"shop/green: 3 pages could not be fetched, the last of them: {why}"
    ]


def test_pages_that_show_something_else_are_told_with_what_to_do() -> None:
    one = FamilyStatus(replace(GREEN, unwanted={"login": 24, "consent": 1}))
    login, consent = one.says(NOW)
    assert login.startswith(
        "shop/green: 24 page(s) want a login; `login` of their site"
    )
    assert consent.startswith("shop/green: 1 page(s) show a form of consent")


def test_a_red_family_says_that_it_is_healed_or_put_off() -> None:
    began, ended = NOW - timedelta(seconds=20), NOW - timedelta(seconds=9)
    healing = replace(RED, wave_at=began)
    assert any(
        "a heal began 20 s ago" in line for line in FamilyStatus(healing).says(NOW)
    )
    for over in (replace(healing, healed_at=ended), replace(GREEN, wave_at=began)):
        assert not any("a heal" in line for line in FamilyStatus(over).says(NOW))
    again = replace(healing, healed_at=began - timedelta(hours=1))
    assert again.is_healing
    put_off = FamilyStatus(replace(RED, ignored_until=NOW + timedelta(days=3)))
    assert any("put off until 2026-11-25 12:00" in line for line in put_off.says(NOW))


def test_each_verdict_of_another_page_has_words() -> None:
    wanted = {"ok", "drift", "gone", "paused", "over_quota"}
    not_had = {"blocked", "transient", "not_allowed"}  # said with the reason
    for verdict in set(Verdict) - wanted - not_had:
        (said,) = FamilyStatus(replace(GREEN, unwanted={verdict: 2})).says(NOW)
        assert said != f"shop/green: 2 pages {verdict}", verdict


def test_a_family_whose_table_refuses_its_model_is_broken() -> None:
    why = "Lamp.power is stored as BIGINT and now declared as VARCHAR"
    one = FamilyStatus(replace(GREEN, refused_why=why))
    assert one.state is FamilyState.BROKEN and one.needs_somebody
    assert list(one.says(NOW)) == [f"shop/green: no run can publish anything; {why}"]


def test_rows_that_leave_are_said_and_need_nobody() -> None:
    one = FamilyStatus(FamilyOverview("a/b", rows=34, leaving=4))
    assert one.cells(NOW)[3] == "34, 4 leaving"
    assert not list(one.says(NOW))
    both = FamilyStatus(FamilyOverview("a/b", rows=34, stale=2, leaving=4))
    assert both.cells(NOW)[3] == "34, 2 stale, 4 leaving"
