"""Rows of a list that leave in one night: held once, then news, though the list says the same bytes again."""

from pathlib import Path

import pytest

from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import Store
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed
from tests.serve.test_rows_that_wait import FAMILY, PAGES, ROWS, refresh, row
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


def without(store: Store, run_id: str, sold: frozenset[int] = SOLD) -> ServedBatch:
    """A refresh of a list without the rows that are sold."""
    left = [number for number in range(PAGES * ROWS) if number not in sold]
    pages = [
        html_page(
            f"{SITE}/list/{page}",
            f"<ul>{''.join(row(n, f'Tea no. {n}') for n in left[page * ROWS :][:ROWS])}</ul>",
        )
        for page in range(PAGES)
    ]
    return refreshed(store, FAMILY, pages, run_id)


def test_rows_that_leave_after_quiet_days_are_held_once_then_gone(store: Store) -> None:
    first = without(store, "run-10")
    assert first.judgement.drifted
    second = without(store, "run-11")
    assert not second.judgement.drifted and not second.judgement.held
    assert second.counts.records == PAGES * ROWS - len(SOLD)
