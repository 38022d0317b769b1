"""Batches wait for their run; then all of it is judged, put back and published together."""

import os
import signal
import subprocess
import sys
import textwrap
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.drift.batch_evidence import BatchEvidence
from crawloop_assets.drift.check import CheckName, CheckResult, Severity
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    BatchReport,
    FoundUrl,
    NewCrawler,
    SettledBatch,
    Store,
    pending,
    quarantine,
)
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

Rows = Callable[..., list[dict[str, Any]]]
FAMILY = "shop/item"
JUMP = "jump:price"


def urls(batch: str, count: int) -> list[str]:
    return [f"https://shop.test/{batch}/{n}" for n in range(count)]


def write(
    store: Store,
    run: str,
    batch: str,
    count: int,
    price: int,
    bad: int = 0,
    unit: str | None = "",
    sign: str = JUMP,
    refresh: str = "",
    **more: Any,
) -> None:
    """A batch of so many products of one price, of which the first `bad` show a sign."""
    pages = urls(batch, count)
    evidence = BatchEvidence(
        pages=count,
        version=1,
        rates={sign: (bad, count)},
        shown={sign: tuple(pages[:bad])} if bad else {},
    )
    green = CheckResult(name=CheckName.HISTORY, passed=True, sentence="as usual")
    items = [served(url, Item(title=url, price=Decimal(price))) for url in pages]
    given: dict[str, Any] = {
        "unit": run if unit == "" else unit,
        "evidence": evidence,
        "report": BatchReport(checks=(green,)),
        "stats": BatchStats(
            batch=batch, refresh=refresh, rates={sign: (bad, count)}
        ).model_dump(),
        "fetched": [fetched(url, page_sha256="a" * 64) for url in pages],
    }
    store.add_urls(family(), [FoundUrl(url) for url in pages])
    store.commit_batch(commit(run, items, batch=batch, **given | more))


def settled_prices(rows: Rows) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for row in rows("select _batch, price::int as price from item"):
        found.setdefault(row["_batch"], set()).add(row["price"])
    return found


@pytest.fixture
def known(store: Store) -> Store:
    """Two batches, known since yesterday."""
    for batch, count in (("1", 60), ("2", 20), ("3", 40)):
        write(store, "monday", batch, count, price=1)
    assert store.pending.settle(family(), "monday") == []
    return store


def test_what_is_pending_is_not_published(known: Store, rows: Rows) -> None:
    write(known, "tuesday", "1", 60, price=2)
    assert known.pending.units(FAMILY) == ["tuesday"]
    assert settled_prices(rows) == {"1": {1}, "2": {1}, "3": {1}}
    assert rows("select 1 from item_history where _run_id = 'tuesday'") == []
    assert {row["price"] for row in known.known(family())[urls("1", 1)[0]]} == {"2"}
    assert known.pending.settle(family(), "tuesday") == []
    assert settled_prices(rows)["1"] == {2}
    assert known.pending.units(FAMILY) == []


def test_new_rows_are_not_published_before_their_run_ended(
    store: Store, rows: Rows
) -> None:
    write(store, "monday", "1", 3, price=1)
    assert rows("select * from item") == []
    store.pending.settle(family(), "monday")
    assert len(rows("select * from item")) == 3


def test_a_batch_without_a_unit_is_final(store: Store, rows: Rows) -> None:
    write(store, "monday", "1", 3, price=1, unit=None)
    assert len(rows("select * from item")) == 3 and store.pending.units(FAMILY) == []


def test_the_small_twin_goes_back_with_the_large_batch(
    known: Store, rows: Rows
) -> None:
    """60 pages and 20, a third of each with another price: one is sure enough alone."""
    write(known, "tuesday", "1", 60, price=2, bad=18)
    write(known, "tuesday", "2", 20, price=2, bad=6)
    write(known, "tuesday", "3", 40, price=1)
    settled = known.pending.settle(family(), "tuesday")
    assert [(one.batch, one.held, one.stale, one.drifted) for one in settled] == [
        ("1", 60, 60, True),
        ("2", 20, 20, True),
    ]
    assert settled_prices(rows) == {"1": {1}, "2": {1}, "3": {1}}
    stale = rows("select * from item where _stale_since is not null")
    assert {row["_batch"] for row in stale} == {"1", "2"} and len(stale) == 80
    assert {row["_served_by"] for row in stale} == {"last_good"}
    _held_and_told(known, settled[1])


def _held_and_told(store: Store, one: SettledBatch) -> None:
    held = [page for page in store.quarantine(FAMILY) if page.batch == "2"]
    assert len(held) == 20
    assert held[0].reasons[0].check == CheckName.HISTORY
    assert held[0].reasons[0].field == "price"
    assert held[0].values[0]["price"] == "2"
    (check,) = store.report(FAMILY, "2")
    assert check == one.checks[0] and check.severity is Severity.ERROR
    entry = store.url(FAMILY, held[0].url)
    assert entry is not None and entry.verdict is Verdict.DRIFT
    taught = store.stats_history(FAMILY, passed_only=True)
    assert [stats["batch"] for stats in taught] == ["1", "2", "3", "3"]


def test_pages_of_a_batch_that_is_fine_otherwise_go_back_alone(
    known: Store, rows: Rows
) -> None:
    for batch in ("1", "2"):
        write(known, "tuesday", batch, {"1": 60, "2": 20}[batch], price=2, bad=16)
    write(known, "tuesday", "3", 40, price=2, bad=1)
    settled = {one.batch: one for one in known.pending.settle(family(), "tuesday")}
    assert (settled["3"].held, settled["3"].drifted) == (1, False)
    assert settled_prices(rows)["3"] == {1, 2}
    assert [page.url for page in known.quarantine(FAMILY) if page.batch == "3"] == (
        urls("3", 1)
    )
    assert not known.report(FAMILY, "3")[0].is_drift


FALLEN = "fallen:reviews"
"""A sign of which only history says how often it is shown."""


@pytest.mark.parametrize("waves", [0, 1, 2])
def test_a_promotion_teaches_its_version_nothing_of_its_own_run_or_wave(
    store: Store, waves: int
) -> None:
    """What a new version reads again is judged by what was known before the refresh
    began, in the second wave as in the first; the next refresh knows what it read."""

    def settled(run: str, bad: int, refresh: str = "") -> list[str]:
        for batch in "12":
            write(store, run, batch, 60, 1, bad=bad, sign=FALLEN, refresh=refresh)
        return [one.batch for one in store.pending.settle(family(), run)]

    assert settled("tuesday", bad=0) == []
    for wave in range(waves):
        assert settled(f"wave {wave}", bad=9 * (1 - wave), refresh="tuesday") == []
    assert settled("friday", bad=9) == ([] if waves == 1 else ["1", "2"])


def test_what_was_found_wrong_is_no_norm_of_a_run(store: Store) -> None:
    version = store.add_crawler(NewCrawler(family=FAMILY, body="{}"))
    wrong = {"rates": {FALLEN: (0, 60)}, "version": version}
    for batch in "12":
        write(store, "monday", batch, 60, price=1, sign=FALLEN, stats=wrong)
    store.pending.settle(family(), "monday")
    store.reject(FAMILY, version, "it was wrong")
    for batch in "12":
        write(store, "tuesday", batch, 60, price=1, bad=9, sign=FALLEN)
    assert store.pending.settle(family(), "tuesday") == []


def test_what_nobody_knew_before_leaves(store: Store, rows: Rows) -> None:
    write(store, "monday", "1", 60, price=2, bad=55)
    write(store, "monday", "2", 20, price=2, bad=18)
    settled = store.pending.settle(family(), "monday")
    assert [one.held for one in settled] == [60, 20]
    assert rows("select * from item") == []
    states = rows("select distinct _state from item_history")
    assert {row["_state"] for row in states} == {"new", "removed"}


def test_unchanged_rows_of_a_batch_that_goes_back_are_stale(
    known: Store, rows: Rows
) -> None:
    write(known, "tuesday", "1", 60, price=1, bad=18)
    write(known, "tuesday", "2", 20, price=1, bad=6)
    assert [one.stale for one in known.pending.settle(family(), "tuesday")] == [60, 20]
    assert settled_prices(rows)["1"] == {1}


def test_a_page_that_is_gone_is_not_brought_back(known: Store, rows: Rows) -> None:
    lost = urls("1", 60)[59]
    write(known, "tuesday", "1", 59, price=2, bad=18, gone=[lost])
    write(known, "tuesday", "2", 20, price=2, bad=6)
    known.pending.settle(family(), "tuesday")
    found = {row["_url"] for row in rows("select _url from item where _batch = '1'")}
    assert lost not in found and len(found) == 59


def test_a_row_somebody_else_has_written_since_is_left_alone(
    known: Store, rows: Rows
) -> None:
    write(known, "tuesday", "1", 60, price=2, bad=18)
    write(known, "tuesday", "2", 20, price=2, bad=6)
    write(known, "replay", "2", 20, price=3, unit=None)
    known.pending.settle(family(), "tuesday")
    assert settled_prices(rows) == {"1": {1}, "2": {3}, "3": {1}}


def test_the_runs_of_a_backfill_are_one(known: Store, rows: Rows) -> None:
    write(known, "run-a", "1", 60, price=2, bad=18, unit="backfill")
    write(known, "run-b", "2", 20, price=2, bad=6, unit="backfill")
    assert known.pending.batches(FAMILY, "backfill") == ["1", "2"]
    settled = known.pending.settle(family(), "backfill")
    assert [one.run_id for one in settled] == ["run-a", "run-b"]
    assert settled_prices(rows) == {"1": {1}, "2": {1}, "3": {1}}


def test_a_batch_made_twice_counts_once(known: Store) -> None:
    write(known, "run-a", "1", 60, price=2, bad=18, unit="backfill")
    write(known, "run-b", "1", 60, price=1, unit="backfill")
    write(known, "run-b", "2", 20, price=1, bad=1, unit="backfill")
    assert known.pending.settle(family(), "backfill") == []


def test_settling_twice_changes_nothing(known: Store, rows: Rows) -> None:
    write(known, "tuesday", "1", 60, price=2, bad=18)
    write(known, "tuesday", "2", 20, price=2, bad=6)
    assert len(known.pending.settle(family(), "tuesday")) == 2
    before = rows("select * from item_history order by all")
    assert known.pending.settle(family(), "tuesday") == []
    assert rows("select * from item_history order by all") == before


def test_a_batch_that_comes_while_others_are_judged_stays_pending(
    known: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(known, "run-a", "1", 60, price=2, unit="backfill")

    def judge_slowly(*_: object) -> list[object]:
        write(known, "run-b", "2", 20, price=2, unit="backfill")
        return []

    monkeypatch.setattr(pending, "judge_run", judge_slowly)
    known.pending.settle(family(), "backfill")
    assert known.pending.units(FAMILY) == ["backfill"]
    assert settled_prices(rows) == {"1": {2}, "2": {1}, "3": {1}}


ALIVE = """
    from pathlib import Path
    from crawloop_assets.store import Store
    store = Store(Path({var!r}), Path("none"))
    with store.pending.running("it"):
        print("running", flush=True)
        input()
"""


@pytest.mark.file_store
def test_a_run_is_alive_until_its_process_is_killed(
    store: Store, tmp_path: Path
) -> None:
    assert not store.pending.is_running("it")
    code = textwrap.dedent(ALIVE).format(var=str(tmp_path / "var"))
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        assert store.pending.is_running("it")
        process.kill()
        process.wait()
    assert not store.pending.is_running("it")
    with store.pending.running("it"):
        pass
    assert list((tmp_path / "var" / "runs").iterdir()) == []


KILLED = """
    import os, signal
    from pathlib import Path
    from crawloop_assets.store import Store
    from tests.store.test_pending import write, settle_killed
    store = Store(Path({var!r}), Path({file!r}))
    write(store, "tuesday", "1", 60, price=2, bad=18)
    write(store, "tuesday", "2", 20, price=2, bad=6)
    if {while_settling}:
        settle_killed(store)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def settle_killed(store: Store) -> None:
    """Settle, and die after the rows went back and before anything is final."""
    quarantine.hold = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
    store.pending.settle(family(), "tuesday")


@pytest.mark.parametrize("while_settling", [False, True])
def test_a_run_that_was_killed_is_settled_by_the_next_one(
    known: Store, rows: Rows, tmp_path: Path, while_settling: bool
) -> None:
    code = textwrap.dedent(KILLED).format(
        var=str(tmp_path / "var"),
        file=str(tmp_path / "crawloop.duckdb"),
        while_settling=while_settling,
    )
    dead = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    assert dead.returncode == -signal.SIGKILL
    assert settled_prices(rows) == {"1": {1}, "2": {1}, "3": {1}}
    assert known.pending.units(FAMILY) == ["tuesday"]
    assert [one.batch for one in known.pending.settle(family(), "tuesday")] == [
        "1",
        "2",
    ]
    assert settled_prices(rows) == {"1": {1}, "2": {1}, "3": {1}}
    assert len(known.quarantine(FAMILY)) == 80
    write(known, "tuesday", "1", 60, price=2, bad=18)
    assert settled_prices(rows)["1"] == {1}, "committed once"


def test_settling_keeps_no_more_than_sums(store: Store) -> None:
    for number in range(40):
        write(store, "monday", f"{number}", 5, price=1)
    tracemalloc.start()
    store.pending.settle(family(), "monday")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000
