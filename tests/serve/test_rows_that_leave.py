"""Rows of a list that leave in one night: held once, then news, though the list says the same bytes again."""

from itertools import filterfalse
from pathlib import Path

import pytest

from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import Store
from tests.kept_stores import KeptStores
from tests.serve.test_rows_that_wait import PAGES, ROWS, refresh, refresh_of, row
from tests.serve.test_rows_that_wait import three_days as first_days

SOLD = frozenset((3, 21, 22, 47, 61, 62, 80, 98))


def quiet_days(folder: Path) -> None:
    """Ten refreshes in which no row left."""
    first_days(folder)
    made = Store(folder / "var", folder / "crawloop.duckdb")
    for day in range(3, 10):
        refresh(made, f"run-{day}")


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(quiet_days, tmp_path)


def without_sold(store: Store, run_id: str) -> ServedBatch:
    """A refresh of a list without the rows that are sold."""
    left = filterfalse(SOLD.__contains__, range(PAGES * ROWS))
    return refresh_of(store, run_id, [row(n, f"Tea no. {n}") for n in left])


def test_rows_that_leave_after_quiet_days_are_held_once_then_gone(store: Store) -> None:
    first = without_sold(store, "run-10")
    assert first.judgement.drifted
    second = without_sold(store, "run-11")
    assert not second.judgement.drifted and not second.judgement.held
    assert second.counts.records == PAGES * ROWS - len(SOLD)
