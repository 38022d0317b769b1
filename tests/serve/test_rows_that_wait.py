"""A row of a list with an improbable value waits alone: with a real store and real workers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.family import Family
from crawloop_assets.schema import schema_of
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import HeldState, NewCrawler, Store
from crawloop_assets.store.published import published_rows
from tests.kept_stores import KeptStores
from tests.models import Numbered
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {
        "family": "shop/row",
        "schema": "tests.models:Numbered",
        "kind": "listing",
        "key": ["sku"],
        "discover": {},
    }
)
PAGES = 5
ROWS = 20
PLACES = {"sku": "i", "title": "b", "price": "span"}
NEW = "Smoked black tea"


def three_days(folder: Path) -> None:
    """Three refreshes in which no title changed."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    fields = tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=PLACES[spec.name]),))
        for spec in schema_of(Numbered).fields
    )
    rows = Boundary(mode=BoundaryMode.NODES, at="li")
    body = Program(kind=FamilyKind.LISTING, record=rows, fields=fields).to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    for day in range(3):
        refresh(made, f"run-{day}")


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(three_days, tmp_path)


def row(number: int, title: str) -> str:
    price = 10 + number * 0.5
    return f"<li><i>{number}</i> <b>{title}</b> <span>{price:.2f}</span></li>"


def refresh(store: Store, run_id: str, title: str = "Tea no. 0") -> ServedBatch:
    """One refresh; the first row of the first page shows this title."""
    titles = {0: title}
    rows = [row(n, titles.get(n, f"Tea no. {n}")) for n in range(PAGES * ROWS)]
    return refresh_of(store, run_id, rows)


def refresh_of(store: Store, run_id: str, rows: Sequence[str]) -> ServedBatch:
    """One refresh in which the pages list these rows."""
    listed = (rows[page * ROWS :][:ROWS] for page in range(PAGES))
    pages = [
        html_page(f"{SITE}/list/{page}", f"<ul>{''.join(some)}</ul>")
        for page, some in enumerate(listed)
    ]
    return refreshed(store, FAMILY, pages, run_id)


def rows_of(store: Store) -> dict[str, dict[str, Any]]:
    rows = published_rows(store.publish(), "numbered")
    return {row["sku"]: row for row in rows}


def test_a_changed_row_waits_and_its_neighbours_are_published(store: Store) -> None:
    first = refresh(store, "run-3", NEW)
    assert first.judgement.unconfirmed == 1 and first.judgement.held == {}
    assert (first.counts.records, first.counts.stale) == (PAGES * ROWS - 1, 1)
    kept, beside = rows_of(store)["0"], rows_of(store)["1"]
    assert kept["title"] == "Tea no. 0" and kept["_stale_since"] is not None
    assert beside["_run_id"] == "run-3" and beside["_stale_since"] is None
    second = refresh(store, "run-4", NEW)
    assert second.judgement.unconfirmed == 0
    said = rows_of(store)["0"]
    assert said["title"] == NEW and said["_stale_since"] is None


def test_a_row_that_waits_never_leaves_its_page(store: Store) -> None:
    """Another title on every day is never confirmed, and is no row that is gone."""
    for day in range(3, 8):
        last = refresh(store, f"run-{day}", f"{NEW} of day {day}")
        assert last.judgement.unconfirmed == 1
    assert rows_of(store)["0"]["title"] == "Tea no. 0"
    (stale,) = [one for one in last.judgement.checks if one.name == "stale"]
    assert not stale.passed
    assert stale.sentence == (
        "1 row is older than the last refresh: 1 waits until the site says so again"
    )


def test_a_person_releases_the_row_and_nothing_else(store: Store) -> None:
    refresh(store, "run-3", NEW)
    (entry,) = store.quarantine(FAMILY.family, HeldState.HELD)
    assert [values["title"] for values in entry.values] == [NEW]
    store.release(FAMILY, [entry.id], who="Ada", why="it is new")
    rows = rows_of(store)
    assert rows["0"]["title"] == NEW and len(rows) == PAGES * ROWS
