"""A known value that is not read: held once, then news; with a real store and real workers."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import NewCrawler, Store
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {"family": "shop/dated", "schema": "tests.models:Dated", "discover": {}}
)
PAGES = 8


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    fields = [
        FieldProgram(
            spec=FieldSpec(name=name, required=name == "title"),
            readers=(Reader(src=Source.CSS, at=at),),
        )
        for name, at in (("title", "h1"), ("released", "i"))
    ]
    body = Program(fields=tuple(fields)).to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    refresh(made, "run-1")
    return made


def refresh(store: Store, run_id: str, **dates: str) -> ServedBatch:
    """One refresh; page 0 shows its date as `dates` says."""
    shown = dates.get("shown", "<i>June 2020</i>")
    pages = [
        html_page(
            f"{SITE}/{number}",
            f"<h1>Tea {number}</h1>{shown if not number else '<i>May 2020</i>'}",
        )
        for number in range(PAGES)
    ]
    return refreshed(store, FAMILY, pages, run_id)


def released(store: Store) -> Any:
    return store.known(FAMILY)[f"{SITE}/0"][0].get("released")


def test_a_value_that_goes_is_held_once_and_then_news(store: Store) -> None:
    assert released(store) == "June 2020"
    first = refresh(store, "run-2", shown="")
    assert first.counts.held == 1 and not first.judgement.drifted
    assert released(store) == "June 2020"
    again = refresh(store, "run-2", shown="")
    assert again.counts.replayed, "the same refresh is no second opinion"
    second = refresh(store, "run-3", shown="")
    assert second.counts.held == 0
    assert released(store) is None


def test_a_value_that_still_stands_there_is_never_given_up(store: Store) -> None:
    for run_id in ("run-2", "run-3", "run-4"):
        served = refresh(store, run_id, shown="<u>June 2020</u>")
        assert served.counts.held == 1
        assert released(store) == "June 2020"
