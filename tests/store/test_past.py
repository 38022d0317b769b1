"""What earlier refreshes leave for the next one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from crawloop_assets.drift.check import (
    CheckExample,
    CheckName,
    CheckResult,
    Severity,
)
from crawloop_assets.store import (
    AuditKind,
    BatchReport,
    FoundUrl,
    HeldPage,
    HeldReason,
    NewCrawler,
    Store,
)
from tests.heal.clock import Clock
from tests.models import Item
from tests.store.conftest import commit, family, served

NAME = "shop/item"
URLS = [f"https://shop.test/{name}" for name in "ab"]
RED = BatchReport(
    checks=(CheckResult(name=CheckName.HISTORY, passed=False, sentence="other values"),)
)


def made(
    store: Store,
    run: str,
    batch: str = "000001",
    red: bool = False,
    held: Sequence[HeldPage] = (),
    **stats: Any,
) -> None:
    """A run commits a batch, and what it learned says who it was."""
    report = RED if red else BatchReport()
    told = {"n": f"{run}-{batch}", **stats}
    store.commit_batch(commit(run, batch=batch, report=report, stats=told, held=held))


def taught(store: Store, refresh: str, limit: int = 50) -> list[str]:
    return [stats["n"] for stats in store.past.norms(family(), refresh, limit)]


def test_batches_of_one_refresh_do_not_teach_each_other(store: Store) -> None:
    made(store, "r1")
    made(store, "r1", "000002")
    assert taught(store, "r1") == []
    assert taught(store, "r2") == ["r1-000001", "r1-000002"]
    made(store, "r2")
    assert taught(store, "r2") == ["r1-000001", "r1-000002"]
    assert taught(store, "r3", limit=1) == ["r2-000001"]


def test_the_runs_of_a_backfill_are_one_refresh(store: Store) -> None:
    for run, batch in (("r1", "000001"), ("r2", "000002")):
        made(store, run, batch, refresh="backfill")
    assert taught(store, "backfill") == []
    assert len(taught(store, "later")) == 2
    assert store.past.of_batch(family(), "000002", "").refresh == "backfill"


def test_what_came_last_is_the_latest_though_the_clock_was_set_back(
    store: Store,
) -> None:
    """What was red while the clock was ahead would be red for as long."""
    clock = Clock()
    with clock.running():
        made(store, "r1")
        clock.go_on(timedelta(hours=2))
        made(store, "r2", red=True)
        clock.go_on(timedelta(hours=-2))
        (red,) = store.past.red(NAME)
        assert red.batch == "000001"
        made(store, "r3")
        assert store.past.red(NAME) == []
        assert store.past.of_batch(family(), "000001", "").refresh == "r3"
        assert all(one.passed for one in store.report(NAME, "000001"))
        assert taught(store, "r4") == ["r1-000001", "r3-000001"]
        assert taught(store, "r3") == ["r1-000001"]
        made(store, "r4", red=True)
        (red,) = store.past.red(NAME)
        assert red.since == clock.now, "it was green before"


def test_a_replay_is_judged_like_the_refresh_whose_pages_it_reads(store: Store) -> None:
    made(store, "r1")
    made(store, "r2", red=True)
    made(store, "r2", "000002")
    assert store.past.of_batch(family(), "000001", "").refresh == "r2"
    made(store, "replay", refresh="r2")
    assert store.past.of_batch(family(), "000001", "").refresh == "r2"
    assert taught(store, "r2") == ["r1-000001"]
    assert taught(store, "r3") == ["r1-000001", "r2-000002", "replay-000001"]


def test_what_is_read_again_later_teaches_no_earlier_refresh(store: Store) -> None:
    made(store, "r1", red=True)
    made(store, "r2", "000002")
    made(store, "replay", refresh="r1")
    assert taught(store, "r2") == []


def test_a_verdict_that_was_taken_back_teaches_nothing(store: Store) -> None:
    made(store, "r1")
    made(store, "again", red=True, refresh="r1")
    assert taught(store, "r2") == []


def test_a_version_found_wrong_teaches_nothing(store: Store) -> None:
    version = store.add_crawler(NewCrawler(family=NAME, body="{}"))
    made(store, "r1", version=version)
    made(store, "r1", "000002", version=None)
    assert len(taught(store, "r2")) == 2
    store.reject(NAME, version, "it was wrong")
    assert taught(store, "r2") == ["r1-000002"]


def test_a_batch_that_was_never_made_belongs_to_no_refresh(store: Store) -> None:
    assert store.past.of_batch(family(), "000001", "").refresh == ""
    assert taught(store, "r1") == []


def test_red_pages_are_those_of_red_batches_that_nobody_released(store: Store) -> None:
    store.add_urls(family(), [FoundUrl(url) for url in URLS])
    reason = HeldReason(check="history", message="other values")
    pages = [
        HeldPage(url=url, page_sha256="a" * 64, version=1, reasons=[reason])
        for url in URLS
    ]
    values = {"url": URLS[0], "title": "Tea", "price": "1.50"}
    pages[0] = replace(pages[0], values=[values])
    store.commit_batch(commit("green", held=pages))
    assert store.past.of_batch(family(), "000001", "").red == []
    store.commit_batch(commit("red", held=pages, report=RED))
    found = store.past.of_batch(family(), "000001", "").red
    assert [one.url for one in found] == sorted(URLS)
    assert found[0].reasons == (reason,)
    (entry, *_) = [one for one in store.quarantine(NAME) if one.url == URLS[0]]
    assert store.past.of_batch(family(), "000001", "").released == frozenset()
    store.release(family(), [entry.id], who="Ada")
    past = store.past.of_batch(family(), "000001", "")
    assert [one.url for one in past.red] == [URLS[1]]
    assert past.released == {(URLS[0], "a" * 64)}
    assert store.past.of_batch(family(), "000002", "").red == []
    unclear = {"drifted": True}
    store.commit_batch(commit("half", batch="000003", held=pages[1:], stats=unclear))
    assert len(store.past.of_batch(family(), "000003", "").red) == 1


def test_what_another_refresh_found_gone_is_remembered(store: Store) -> None:
    gone = HeldReason(check="coverage", field="weight", message="is gone")
    other = HeldReason(check="history", field="title", message="is another one")
    page = HeldPage(url=URLS[0], page_sha256=None, version=1, reasons=[gone, other])
    store.commit_batch(commit("r1", held=[page], stats={"refresh": "r1"}))
    assert store.past.of_batch(family(), "000001", "r1").gone == {}
    found = store.past.of_batch(family(), "000001", "r2").gone
    assert found == {URLS[0]: frozenset({"weight"})}
    store.commit_batch(commit("r2", batch="000002", held=[page], report=RED))
    assert store.past.of_batch(family(), "000002", "r3").gone == {}


def test_a_contradicted_field_is_remembered_until_nothing_is_doubted(
    store: Store,
) -> None:
    example = CheckExample(url=URLS[0], field="price", expected="2", got="1")
    check = CheckResult(
        name=CheckName.CONTRADICTION,
        passed=False,
        severity=Severity.ERROR,
        sentence="the known price still stands there",
        examples=(example,),
    )
    red = BatchReport(checks=(check,))

    def committed(run: str, report: BatchReport, trust: str) -> set[Any]:
        stats = {"refresh": run, "trust": trust}
        made = commit(run, report=report, stats=stats, version=4)
        store.commit_batch(made)
        return set(store.past.of_batch(family(), "000001", "").refuted)

    assert committed("r1", BatchReport(), "full") == set()
    assert committed("r2", red, "none") == {("price", 4)}
    assert committed("r3", BatchReport(), "own") == {("price", 4)}
    assert committed("r4", BatchReport(), "full") == set()
    assert committed("r5", red, "none") == {("price", 4)}


def test_what_the_refresh_before_read_and_held_was_said(store: Store) -> None:
    """Whether or not its batch was red, until another commit or a person decided."""

    def said(refresh: str) -> dict[str, Any]:
        return store.past.of_batch(family(), "000001", refresh).said

    def held(refresh: str, title: str, **more: Any) -> None:
        row = {"url": URLS[0], "title": title, "price": "1.50"}
        page = HeldPage(
            url=URLS[0], page_sha256="a" * 64, version=1, reasons=[], values=[row]
        )
        stats = {"refresh": refresh}
        store.commit_batch(commit(f"run-{title}", held=[page], stats=stats, **more))

    store.add_urls(family(), [FoundUrl(URLS[0])])
    held("r1", "Tea", report=RED)
    assert said("r1") == {}, "a refresh is no second word for itself"
    assert [row["title"] for row in said("r2")[URLS[0]]] == ["Tea"]
    held("r2", "Cup")
    assert [row["title"] for row in said("r2")[URLS[0]]] == ["Tea"], "a replay"
    assert [row["title"] for row in said("r3")[URLS[0]]] == ["Cup"]
    page = served(URLS[0], Item(title="Pot", price=1))
    store.commit_batch(commit("run-3", served=[page], stats={"refresh": "r3"}))
    assert said("r4") == {}, "it was not said again"
    held("r5", "Jug")
    (entry,) = [one for one in store.quarantine(NAME) if one.decided_at is None]
    store.discard(NAME, [entry.id], "ada")
    assert said("r6") == {}


def test_a_run_whose_rows_are_suspect_teaches_nothing(store: Store) -> None:
    def read(run: str, version: int, title: str, *numbers: int) -> None:
        pages = [
            served(f"{URLS[0]}/{number}", Item(title=title, price=1), version=version)
            for number in numbers
        ]
        store.commit_batch(commit(run, served=pages, stats={"n": run}))

    read("r1", 1, "Tea", 1, 2)
    assert taught(store, "r3") == ["r1"]
    read("r2", 2, "Cocoa", 1)
    assert [row.run_id for row in store.suspects(family())] == ["r1"]
    assert taught(store, "r3") == ["r2"]


def test_a_page_was_published_though_its_row_was_removed_since(store: Store) -> None:
    assert store.past.published(family("shop/other"), URLS) == frozenset()
    store.commit_batch(commit("r1", [served(URLS[0], Item(title="Tea", price=1))]))
    assert store.past.published(family(), URLS) == {URLS[0]}
    assert store.past.published(family(), URLS[1:]) == frozenset()
    store.commit_batch(commit("r2", gone=URLS[:1]))
    assert store.known(family()) == {}
    assert store.past.published(family(), URLS) == {URLS[0]}
    assert store.past.published(family("shop/other"), URLS) == frozenset()


def test_no_update_of_a_commit_or_an_audit_moves_it(store: Store) -> None:
    """The order of rows is that of commits, and DuckDB moves rows whose lists change."""
    for run in ("r1", "r2", "r3"):
        made(store, run)
        store.audit(AuditKind.HEAL_STARTED, NAME, run)
    rows = {"materializations": ("stats", "evidence"), "audit": ("detail",)}
    for table, columns in rows.items():
        with store._database.write() as connection:
            for column in columns:
                connection.execute(
                    f"update {table} set {column} = ?::json where run_id = 'r1'",
                    ['{"n": "r1-000001"}'],
                )
            connection.execute(f"update {table} set family = ? where true", [NAME])
        with store._database.read() as connection:
            found = connection.execute(f"select run_id from {table} order by rowid")
            runs = [run for (run,) in found.fetchall() if run]
        assert runs == ["r1", "r2", "r3"], table
