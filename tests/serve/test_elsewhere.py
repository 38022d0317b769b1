"""The row of a list and the page it leads to speak of each other: with a real store and real workers."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.family import Family
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import (
    BatchCommit,
    FoundUrl,
    NewCrawler,
    ServedBy,
    ServedPage,
    Store,
)
from tests.kept_stores import KeptStores
from tests.models import Item
from tests.serve.readings import FAMILY, SITE, program
from tests.serve.refreshes import html_page, refreshed

LIST = Family.model_validate(
    {
        "family": "shop/list",
        "schema": "tests.models:Item",
        "kind": "listing",
        "key": ["url"],
        "discover": {},
    }
)
PAGES = 50
NEW = "Smoked black tea"


def three_days(folder: Path) -> None:
    """Three refreshes in which no title changed, of a list and of its pages."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    body = program().to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    made.add_urls(LIST, [FoundUrl(f"{SITE}/all")])
    for day in range(3):
        list_says(made, f"list-{day}", "Tea no. 0")
        refresh(made, f"run-{day}", "Tea no. 0")


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(three_days, tmp_path)


def list_says(store: Store, run_id: str, title: str) -> None:
    """Publish a list whose first row has this title."""
    items = [
        Item(
            url=f"{SITE}/{number}",
            title=f"Tea no. {number}" if number else title,
            price=Decimal("1.50"),
        )
        for number in range(PAGES)
    ]
    page = ServedPage(
        url=f"{SITE}/all",
        page_sha256="a" * 64,
        fetched_at=datetime.now(UTC),
        version=1,
        served_by=ServedBy.CRAWLER,
        records=items,
    )
    store.commit_batch(
        BatchCommit(family=LIST, batch="000001", run_id=run_id, served=[page])
    )


def refresh(store: Store, run_id: str, title: str) -> ServedBatch:
    """One refresh of the pages; the first one shows this title."""
    titles = [title, *(f"Tea no. {number}" for number in range(1, PAGES))]
    pages = [
        html_page(f"{SITE}/{number}", f"<h1>{shown}</h1><b>1.50</b>")
        for number, shown in enumerate(titles)
    ]
    return refreshed(store, FAMILY, pages, run_id)


def title_of_page_0(store: Store) -> object:
    return store.known(FAMILY)[f"{SITE}/0"][0]["title"]


def test_a_changed_title_that_the_list_says_too_is_published_at_once(
    store: Store,
) -> None:
    list_says(store, "list-3", NEW)
    assert refresh(store, "run-3", NEW).judgement.unconfirmed == 0
    assert title_of_page_0(store) == NEW


def test_one_that_the_list_does_not_say_is_held_until_it_is_said_again(
    store: Store,
) -> None:
    judgement = refresh(store, "run-3", NEW).judgement
    ((finding,),) = judgement.held.values()
    assert "another page of the site says another title" in finding.message
    assert title_of_page_0(store) == "Tea no. 0"
    assert refresh(store, "run-4", NEW).judgement.held == {}
    assert title_of_page_0(store) == NEW
