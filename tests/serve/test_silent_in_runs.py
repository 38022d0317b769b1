"""A flag that a site states stays as it was when the site states it no more; with a real
store and real workers."""

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
_, SOLD = FAMILY.schema_spec().fields
PAGES = 30


def is_sold(number: int) -> bool:
    return number % 3 != 0


def item(number: int, stated: bool) -> Page:
    """A page that shows whether its product is sold, and may state it, too."""
    data = {"@type": "Product", "sold": is_sold(number)}
    island = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    shown = "Sold" if is_sold(number) else "To be had"
    body = f"<h1>Lamp no. {number}</h1><p>{shown}</p>{island if stated else ''}"
    return html_page(f"{SITE}/{number}", f"<html><body>{body}</body></html>")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    title = FieldProgram(
        spec=FieldSpec(name="title", required=True),
        readers=(Reader(src=Source.CSS, at="h1"),),
    )
    stated = Reader(src=Source.JSON, at="ld:Product.sold", get="value")
    flag = FieldProgram(spec=SOLD, readers=(stated,))
    body = Program(fields=(title, flag)).to_json()
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
        if row["sold"] is not is_sold(number)
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
    failed = {one.name for one in served.judgement.checks if not one.passed}
    assert CheckName.COVERAGE in failed


def test_on_the_first_day_pages_wait_on_which_it_is_not_stated(store: Store) -> None:
    served = refresh(store, 0, range(12))
    assert served.counts.served == 12 and served.counts.held == PAGES - 12
    assert not wrong(store)
