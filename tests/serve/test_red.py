"""What a batch was red for stays red until something has changed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.red import Excused, still_red
from crawloop_assets.store import BatchCommit, HeldReason, Store
from crawloop_assets.store.past import RedPage
from tests.serve.readings import SITE, page_of, reading_of, visit_of
from tests.serve.test_batch import (
    FAMILY,
    PAGES,
    add_version,
    page,
    serve,
    server,
    titles,
    visits,
)

READ = reading_of(visit_of(1))
HISTORY = HeldReason(check="history", field="price", message="100 times what it was")
BATCH = HeldReason(check="batch", message="100 times what it was")


def red(number: int, *reasons: HeldReason, version: int = 3) -> RedPage:
    sha256 = page_of(number).sha256
    return RedPage(f"{SITE}/{number}", sha256, version, reasons)


def test_the_same_bytes_and_version_are_held_for_the_same_reason() -> None:
    (kept,) = still_red([READ], [red(1, HISTORY)])
    (found,) = kept.findings
    assert (kept.verdict, kept.good) == (Verdict.DRIFT, False)
    assert (found.check, found.field) == (CheckName.HISTORY, "price")
    assert found.message.startswith("100 times") and "held before" in found.message
    again = HISTORY.model_copy(update={"message": found.message})
    assert still_red([READ], [red(1, again)]) == [kept]


@pytest.mark.parametrize(
    "other",
    [
        red(1, HISTORY, version=2),
        red(1, HISTORY)._replace(page_sha256="f" * 64),
        red(1, HeldReason(check="schema", message="the worker was killed")),
        red(1, HeldReason(check="votes", message="the readers disagree")),
        red(1, BATCH),
    ],
)
def test_another_version_other_bytes_and_other_reasons_are_read_anew(
    other: RedPage,
) -> None:
    assert still_red([READ], [other]) == [READ]


def coverage(name: str, severity: Severity = Severity.ERROR) -> HeldReason:
    return HeldReason(check="coverage", field=name, severity=severity)


@pytest.mark.parametrize(
    ("reasons", "is_held"),
    [
        ([coverage("stock")], False),
        ([coverage("stock"), coverage("")], False),
        ([coverage("stock"), coverage("price", Severity.WARN)], False),
        ([coverage("stock"), coverage("price")], True),
        ([coverage("price", Severity.WARN)], True),
        ([coverage("")], True),
    ],
)
def test_what_a_person_accepted_holds_no_page_nor_what_was_suspected_beside_it(
    reasons: list[HeldReason], is_held: bool
) -> None:
    (read,) = still_red(
        [READ], [red(1, *reasons)], Excused(accepted=frozenset({"stock"}))
    )
    assert read.good is not is_held


@pytest.mark.parametrize(
    ("check", "said", "is_held"),
    [
        ("history", frozenset({""}), False),
        ("history", frozenset({"price"}), True),
        ("contradiction", frozenset({""}), True),
    ],
)
def test_rows_that_the_site_twice_did_not_have_hold_no_page(
    check: str, said: frozenset[str], is_held: bool
) -> None:
    gone = HeldReason(check=check, message="a known record is nowhere in the batch")
    excused = Excused(said_twice={READ.url: said})
    (read,) = still_red([READ], [red(1, gone)], excused)
    assert read.good is not is_held


def test_keys_that_two_pages_had_are_counted_again_and_hold_no_page_by_themselves() -> (
    None
):
    key = HeldReason(check="consistency", field="key", message="was already there")
    assert still_red([READ], [red(1, key, BATCH)]) == [READ]
    other = key.model_copy(update={"field": "title"})
    assert still_red([READ], [red(1, other, BATCH)]) != [READ]


def test_what_pages_showed_together_is_counted_anew_where_all_are_read() -> None:
    """A text that all pages had, as an API answered each address with its first page."""
    shared = HeldReason(check="consistency", field="ref", message="the same for all")
    together = shared.model_copy(update={"of_batch": True})
    readings = [READ, reading_of(visit_of(2))]
    batch = [red(1, together, BATCH), red(2, together)]
    assert still_red(readings, batch) == readings
    kept = still_red([READ], batch)
    assert [reading.good for reading in kept] == [False], "the other page may be wrong"
    assert kept[0].findings[0].of_batch, "as it is next time"
    assert still_red(readings, [red(1, shared), red(2, together)]) != readings


def test_what_was_held_with_its_batch_stays_as_long_as_a_culprit_does() -> None:
    readings = [READ, reading_of(visit_of(2)), reading_of(visit_of(3))]
    kept = still_red(readings, [red(1, HISTORY), red(2, BATCH)])
    assert [reading.good for reading in kept] == [False, False, True]
    gone = [replace(READ, version=4), *readings[1:]]
    assert still_red(gone, [red(1, HISTORY), red(2, BATCH)]) == gone


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(made)
    healthy = [page(number) for number in range(PAGES)]
    serve(made, healthy, "run-1", refresh="run-1")
    assert refresh(made, "run-2", wrong()).judgement.drifted
    # As if it had become usual: by these norms nothing would be found.
    usual = {
        f"{sign}:{name}": (90.0, 100.0)
        for sign in ("factor", "jump", "stray", "ungrounded")
        for name in ("price",)
    }
    for number in range(5):
        made.commit_batch(
            BatchCommit(
                family=FAMILY,
                batch=f"{number:06}",
                run_id="usual",
                stats={"rates": usual, "refresh": "usual"},
            )
        )
    return made


def wrong() -> list[Page]:
    return [page(number, price=f"{number + 1}00.50") for number in range(PAGES)]


def refresh(store: Store, run_id: str, pages: list[Page]) -> ServedBatch:
    made = server(store, run_id, refresh=run_id)
    return asyncio.run(made.serve("000001", visits(store, pages)))


def test_a_red_batch_does_not_turn_green_by_itself(store: Store) -> None:
    for run_id in ("run-3", "run-4"):
        served = refresh(store, run_id, wrong())
        assert served.judgement.drifted and served.counts.served == 0
        failed = [check for check in served.judgement.checks if not check.passed]
        assert any("held before" in check.sentence for check in failed)
    assert len(titles(store)) == PAGES


def test_a_replay_of_the_red_refresh_keeps_its_verdict(store: Store) -> None:
    for run_id in ("replay-1", "replay-2"):
        made = server(store, run_id, refresh="run-2")
        served = asyncio.run(made.serve("000001", visits(store, wrong())))
        assert served.judgement.drifted and served.counts.served == 0
    assert len(titles(store)) == PAGES


def test_what_a_person_released_says_only_what_it_was_held_for(store: Store) -> None:
    """It is a word about the values of those pages, and no healthy batch."""
    before = store.past.norms(FAMILY, "later", 50)
    ids = [entry.id for entry in store.quarantine(FAMILY.family)]
    assert ids
    store.release(FAMILY, ids, who="Ada")
    norms = store.past.norms(FAMILY, "later", 50)
    (released,) = (stats for stats in norms if stats.get("released"))
    assert "price" in released["released"] and released["drifted"]
    norms.remove(released)
    assert norms == before


def test_other_bytes_are_judged_anew(store: Store) -> None:
    others = [page(number, price=f"{number + 1}00.60") for number in range(PAGES)]
    assert not refresh(store, "run-3", others).judgement.drifted


def test_a_persons_word_ends_a_red_verdict(store: Store) -> None:
    ids = [entry.id for entry in store.quarantine(FAMILY.family)]
    store.release(FAMILY, ids, who="Ada")
    served = refresh(store, "run-3", wrong())
    assert not served.judgement.drifted and served.counts.held == 0


def test_another_version_may_read_what_was_red(store: Store) -> None:
    add_version(store, title="h1", price="b:first-of-type")
    assert not refresh(store, "run-3", wrong()).judgement.drifted


def test_what_a_person_said_of_the_evidence_is_counted_anew() -> None:
    excused = Excused(answered={"price"})
    assert still_red([READ], [red(1, HISTORY)], excused) == [READ]
    (kept,) = still_red([READ], [red(1, HISTORY)], Excused(answered={"stock"}))
    assert not kept.good
