"""Batches that are red as they were read last, of many families at once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crawloop_assets.drift.check import CheckName, CheckResult, Severity
from crawloop_assets.family import Family
from crawloop_assets.store import BatchReport, Store
from crawloop_assets.store.engine import Connection, Rows
from crawloop_assets.store.red import red_batches
from tests.store.conftest import commit, family

ONE, TWO, THREE = (family(f"shop/{name}") for name in ("one", "two", "three"))


def judged(store: Store, run: str, of: Family, batch: str, said: str = "") -> None:
    """A run makes a batch, which is red if anything is `said` against it."""
    check = CheckResult(
        name=CheckName.HISTORY, passed=not said, sentence=said or "fine"
    )
    made = commit(run, of=of, batch=batch, report=BatchReport(checks=(check,)))
    store.commit_batch(made)


def red(store: Store, *families: Family) -> dict[str, dict[str, tuple[str, ...]]]:
    """Family -> batch -> what is said of it."""
    with store.publisher.database.read() as connection:
        found = red_batches(connection, [of.family for of in families])
    return {
        name: {one.batch: one.sentences for one in batches}
        for name, batches in found.items()
    }


def test_each_family_has_its_own_though_keys_and_runs_are_the_same(
    store: Store,
) -> None:
    judged(store, "r1", ONE, "000001", "other prices")
    judged(store, "r1", TWO, "000001")
    judged(store, "r1", TWO, "000002", "no titles")
    judged(store, "r1", THREE, "000001")
    expected = {
        "shop/one": {"000001": ("history: other prices",)},
        "shop/two": {"000002": ("history: no titles",)},
    }
    assert red(store, ONE, TWO, THREE) == expected
    assert red(store, TWO, THREE) == {"shop/two": expected["shop/two"]}
    assert red(store) == {}


def test_the_last_reading_decides_and_only_it_is_told_of(store: Store) -> None:
    judged(store, "r1", ONE, "000001", "other prices")
    judged(store, "r1", TWO, "000001", "other prices")
    judged(store, "r2", ONE, "000001")
    judged(store, "r2", TWO, "000001", "no titles")
    assert red(store, ONE, TWO) == {"shop/two": {"000001": ("history: no titles",)}}


def test_it_is_red_since_it_was_green_last(store: Store) -> None:
    for run, said in (("r1", "a"), ("r2", ""), ("r3", "b"), ("r4", "c")):
        judged(store, run, ONE, "000001", said)
    with store.publisher.database.read() as connection:
        (found,) = red_batches(connection, [ONE.family])[ONE.family]
        made = connection.execute(
            "select committed_at from materializations where run_id = 'r3'"
        ).fetchall()
    assert [(found.since,)] == made


def test_warnings_make_nothing_red(store: Store) -> None:
    warned = CheckResult(
        name=CheckName.VOTES, passed=False, severity=Severity.WARN, sentence="hm"
    )
    report = BatchReport(checks=(warned,))
    store.commit_batch(replace(commit("r1", of=ONE), report=report))
    assert red(store, ONE) == {}


class Heard:
    """A connection that notes of which families it is asked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.asked: list[list[str]] = []

    def execute(self, query: str, parameters: Sequence[Any] = ()) -> Rows:
        self.asked += parameters
        return self._connection.execute(query, parameters)


def test_of_families_in_which_nothing_is_red_no_more_is_asked(store: Store) -> None:
    judged(store, "r1", ONE, "000001")
    judged(store, "r1", TWO, "000001", "no titles")
    names = [ONE.family, TWO.family]
    with store.publisher.database.read() as connection:
        for families, asked in ((names, [names, names[1:]]), (names[:1], [names[:1]])):
            heard = Heard(connection)
            red_batches(heard, families)  # type: ignore[arg-type]
            assert heard.asked == asked
