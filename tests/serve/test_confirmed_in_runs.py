"""A steady value that is another one: it waits until the site says so again; with a real store and real workers."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import Store
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import DATED, html_page, refreshed, store_of_titles

PAGES = 50
NEW = "Smoked black tea"


def three_days(folder: Path) -> None:
    """Three refreshes in which no title changed."""
    made = store_of_titles(folder)
    for day in range(3):
        refresh(made, f"run-{day}")


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(three_days, tmp_path)


def refresh(
    store: Store, run_id: str, title: str = "", is_304: bool = False, **headers: str
) -> ServedBatch:
    """One refresh; page 0 shows its own title, or this one, or is said to be as it was."""
    own = title or "Tea no. 0"
    pages = [html_page(f"{SITE}/0", f"<h1>{own}</h1>", headers)]
    for number in range(1, PAGES):
        pages.append(html_page(f"{SITE}/{number}", f"<h1>Tea no. {number}</h1>"))
    unchanged = {f"{SITE}/0"} if is_304 else set()
    return refreshed(store, DATED, pages, run_id, unchanged=unchanged)


def title_of_page_0(store: Store) -> str:
    return str(store.known(DATED)[f"{SITE}/0"][0]["title"])


def test_a_changed_title_waits_for_one_refresh(store: Store) -> None:
    first = refresh(store, "run-3", NEW)
    assert set(first.judgement.waiting) == {f"{SITE}/0"}
    assert first.judgement.unconfirmed == 1
    assert first.counts.held == 1 and not first.judgement.drifted
    assert title_of_page_0(store) == "Tea no. 0"
    second = refresh(store, "run-4", NEW)
    assert second.counts.held == 0 and title_of_page_0(store) == NEW


def test_another_title_every_day_is_never_confirmed(store: Store) -> None:
    for day, title in enumerate(("Green tea leaves", "White tea leaves"), 3):
        assert refresh(store, f"run-{day}", title).judgement.unconfirmed
    assert title_of_page_0(store) == "Tea no. 0"


@pytest.mark.parametrize(
    "answer",
    [
        {"is_304": True},
        {"age": "864000"},
        {"x-cache": "HIT from the edge"},
        {"cf-cache-status": "HIT"},
    ],
)
def test_a_304_or_a_cache_hit_confirms_nothing(
    store: Store, answer: dict[str, Any]
) -> None:
    """However often; the page itself, given once more by the site, does."""
    refresh(store, "run-3", NEW)
    for run in ("run-4", "run-5"):
        again = refresh(store, run, NEW, **answer)
        assert again.counts.held == 1 and title_of_page_0(store) == "Tea no. 0"
    assert refresh(store, "run-6", NEW).counts.held == 0
    assert title_of_page_0(store) == NEW


def test_a_value_that_a_person_rejected_is_not_confirmed(store: Store) -> None:
    refresh(store, "run-3", NEW)
    (held,) = store.quarantine(DATED.family)
    store.discard(DATED.family, [held.id], "an operator")
    assert refresh(store, "run-4", NEW).counts.held == 1
