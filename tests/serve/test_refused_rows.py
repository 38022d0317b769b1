"""A row of a list of which a field is refused keeps the known value: with a real store and real workers."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.family import Family
from crawloop_assets.schema import schema_of
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.kept import with_valid_parts
from crawloop_assets.store import NewCrawler, Store
from crawloop_assets.store.published import published_rows
from tests.kept_stores import KeptStores
from tests.models import Ware
from tests.serve.readings import SITE, judgement_of, reading_of, visit_of
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {
        "family": "shop/ware",
        "schema": "tests.models:Ware",
        "kind": "listing",
        "key": ["title"],
        "discover": {},
    }
)
PAGES, ROWS = 3, 20
PLACES = {
    "title": ("b",),
    "brand": ("i",),
    "price": ("span",),
    "list_price": ("s",),
    "stock": ("em", "u"),
}
REFUSED, WAITS = "Tea no. 3", "Tea no. 0"


def three_days(folder: Path) -> None:
    """Three refreshes in which two places say one number in stock."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    fields = tuple(
        FieldProgram(
            spec=spec,
            readers=tuple(Reader(src=Source.CSS, at=at) for at in PLACES[spec.name]),
        )
        for spec in schema_of(Ware).fields
        if spec.name in PLACES
    )
    rows = Boundary(mode=BoundaryMode.NODES, at="li")
    body = Program(kind=FamilyKind.LISTING, record=rows, fields=fields).to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    for day in range(3):
        refresh(made, day)


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(three_days, tmp_path)


def row(number: int, day: int, other: int | None, brand: str | None) -> str:
    """A third of the goods is sold and gets dearer."""
    moved = day if number % 3 == 0 else 0
    stock = 500 + 7 * number - moved
    price = 20 + number * 0.7 + moved / 10
    beside = other if other is not None and number == 3 else stock
    made = "" if brand is None else f"<i>{'Ada' if number else brand}</i>"
    return (
        f"<li><b>Tea no. {number}</b> {made} "
        f"<span>{price:.2f}</span> <em>{stock}</em> <u>{beside}</u></li>"
    )


def refresh(
    store: Store,
    day: int,
    other: int | None = None,
    brand: str | None = "Ada",
    newest: int = 0,
) -> ServedBatch:
    """One refresh; beside the fourth row stands another number, and the first is of another brand (None: no row says
    any); the first row of the list is the `newest`."""
    pages = []
    for page in range(PAGES):
        numbers = range(newest + page * ROWS, newest + (page + 1) * ROWS)
        rows = "".join(row(number, day, other, brand) for number in numbers)
        pages.append(html_page(f"{SITE}/list/{page}", f"<ul>{rows}</ul>"))
    return refreshed(store, FAMILY, pages, f"run-{day}")


def rows_of(store: Store) -> dict[str, dict[str, Any]]:
    rows = published_rows(store.publish(), "ware")
    return {found["title"]: found for found in rows}


def test_the_known_value_stands_marked_for_as_long_as_it_is_refused(
    store: Store,
) -> None:
    before = rows_of(store)[REFUSED]
    for day in (3, 4):
        served = refresh(store, day, other=12)
        assert served.kept == {"stock": 1} and served.judgement.held == {}
        found = rows_of(store)
        kept, beside = found[REFUSED], found["Tea no. 4"]
        assert kept["stock"] == before["stock"] == 519
        assert kept["_kept"] == {"stock": before["_verified_at"]}
        assert f"{kept['price']:.2f}" == f"{22.1 + day / 10:.2f}"
        assert kept["_stale_since"] is None
        assert beside["stock"] == 528 and beside["_kept"] is None
    assert refresh(store, 5).kept == {}
    again = rows_of(store)[REFUSED]
    assert again["stock"] == 516 and again["_kept"] is None


def test_a_page_with_such_a_row_is_asked_for_in_full(store: Store) -> None:
    refresh(store, 3, other=12)
    verdicts = [url.verdict for url in store.frontier(FAMILY.family)]
    assert sorted(map(str, verdicts)) == ["drift", "ok", "ok"]


def test_another_row_of_the_page_may_wait(store: Store) -> None:
    """What is kept is that of its own row."""
    served = refresh(store, 3, other=12, brand="Bertha & Sons")
    assert served.judgement.unconfirmed == 1
    found = rows_of(store)
    assert found[WAITS]["_stale_since"] is not None and found[WAITS]["brand"] == "Ada"
    marked = [title for title, one in found.items() if one["_kept"]]
    assert marked == [REFUSED] and found[REFUSED]["stock"] == 519
    assert len(found) == PAGES * ROWS


def test_a_row_that_would_not_be_valid_beside_its_known_value_waits() -> None:
    values = {"title": "Tea", "price": "1.50", "stock": 20_000}
    read = Extraction(records=(ExtractedRecord(values={"title": "Tea"}),))
    reading = reading_of(visit_of(1), extraction=read)
    kept = KeptRecord(values=values, kept=frozenset({"stock"}))
    judgement = judgement_of().model_copy(update={"beside": {reading.url: {0: kept}}})
    found = with_valid_parts(FAMILY, [reading], judgement)
    assert found.beside == {} and found.waiting[reading.url].rows == {0}
    (finding,) = found.waiting[reading.url].findings
    assert finding.field == "stock" and "does not fit" in finding.message


def test_while_a_field_is_gone_the_known_rows_that_prove_themselves_are_served(
    store: Store,
) -> None:
    """A list has new rows every day, and others that get dearer where one reader says so: they wait."""
    served = refresh(store, 3, brand=None, newest=2)
    assert served.judgement.drifted and len(served.judgement.held) == PAGES
    found = rows_of(store)
    fresh = {title for title, one in found.items() if one["_kept"]}
    assert all(found[title]["brand"] == "Ada" for title in fresh)
    assert all(found[title]["_stale_since"] is None for title in fresh)
    dearer = {f"Tea no. {n}" for n in range(0, PAGES * ROWS, 3)}
    gone = {"Tea no. 0", "Tea no. 1"}
    assert fresh == found.keys() - dearer - gone
    assert len(found) == PAGES * ROWS, "none is gone, none is new"
    assert all("held: " in str(found[title]["_stale_why"]) for title in dearer)
