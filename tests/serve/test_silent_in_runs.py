"""What a site states stays as it was when the site states it no more, whatever the model has
for that; with a real store and real workers."""

import json
from pathlib import Path

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import NewCrawler, Store
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {
        "family": "shop/sold",
        "schema": "tests.models:Sold",
        "key": ["url"],
        "discover": {},
    }
)
TITLE, *STATED = FAMILY.schema_spec().fields
PAGES = 30


def is_sold(number: int) -> bool:
    return number % 3 != 0


def said(number: int) -> dict[str, object]:
    return {"sold": is_sold(number), "reviews": number % 5}


def item(number: int, stated: bool) -> Page:
    """A page that shows whether its product is sold, and may state it, too; and its reviews,
    if it has some."""
    data = {"@type": "Product"} | said(number)
    data = {name: value for name, value in data.items() if value != 0 or name == "sold"}
    island = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    shown = "Sold" if is_sold(number) else "To be had"
    body = f"<h1>Lamp no. {number}</h1><p>{shown}</p>{island if stated else ''}"
    return html_page(f"{SITE}/{number}", f"<html><body>{body}</body></html>")


def stated_field(spec: FieldSpec) -> FieldProgram:
    reader = Reader(src=Source.JSON, at=f"ld:Product.{spec.name}", get="value")
    return FieldProgram(spec=spec, readers=(reader,))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    title = FieldProgram(spec=TITLE, readers=(Reader(src=Source.CSS, at="h1"),))
    fields = [title, *map(stated_field, STATED)]
    body = Program(fields=tuple(fields)).to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    return made


def refresh(store: Store, day: int, stating: range) -> ServedBatch:
    pages = [item(number, number in stating) for number in range(PAGES)]
    return refreshed(store, FAMILY, pages, f"run-{day}")


def wrong(store: Store) -> list[str]:
    """The rows that are not as their pages are."""
    urls = [f"{SITE}/{number}" for number in range(PAGES)]
    rows = store.known(FAMILY, urls)
    return [
        url
        for number, url in enumerate(urls)
        for row in rows.get(url, ())
        if {name: row[name] for name in said(number)} != said(number)
    ]


def test_what_a_site_states_no_more_is_noticed_and_nothing_else_published(
    store: Store,
) -> None:
    for day in range(3):
        served = refresh(store, day, range(PAGES))
        assert served.counts.held == 0
    assert not wrong(store)
    served = refresh(store, 3, range(0))
    assert not wrong(store)
    assert set(served.judgement.held) == {f"{SITE}/{at}" for at in range(PAGES)}
    failed = {one.name for one in served.judgement.checks if not one.passed}
    assert CheckName.COVERAGE in failed


def test_on_the_first_day_pages_wait_on_which_it_is_not_stated(store: Store) -> None:
    served = refresh(store, 0, range(12))
    assert served.counts.served == 12 and served.counts.held == PAGES - 12
    assert not wrong(store)


def without_reviews(store: Store, numbers: range) -> ServedBatch:
    """A third refresh, in which some pages call their reviews otherwise."""
    for day in range(2):
        refresh(store, day, range(PAGES))
    pages = [item(number, stated=True) for number in range(PAGES)]
    for at in numbers:
        body = pages[at].body.decode().replace("reviews", "opinions")
        pages[at] = html_page(pages[at].url, body)
    return refreshed(store, FAMILY, pages, "run-2")


def test_a_record_that_lost_its_reviews_beside_others_has_none(store: Store) -> None:
    served = without_reviews(store, range(4, 5))
    assert served.counts.changed == 1 and not served.counts.held
    assert wrong(store) == [f"{SITE}/4"]


def test_where_all_lost_them_at_once_none_has_lost_any(store: Store) -> None:
    served = without_reviews(store, range(PAGES))
    assert not wrong(store)
    failed = {one.name for one in served.judgement.checks if not one.passed}
    assert failed == {CheckName.COVERAGE}
