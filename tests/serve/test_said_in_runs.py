"""A whole family says something else: held once, then news unless something on its pages speaks against it; with a real
store and real workers."""

from pathlib import Path

import pytest

from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import HeldState, Store
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import DATED, html_page, refreshed, store_of_titles

PAGES = 40
OLD, NEW = "Tea no. {}", "Market tea no. {}"


def four_days(folder: Path) -> None:
    """Four refreshes in which no title changed."""
    made = store_of_titles(folder)
    for day in range(4):
        refresh(made, f"run-{day}")


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(four_days, tmp_path)


def refresh(
    store: Store, run_id: str, title: str = OLD, beside: str = "", **headers: str
) -> ServedBatch:
    """One refresh in which every page has this title, and this beside it."""
    pages = []
    for number in range(PAGES):
        shown = f"<h1>{title.format(number)}</h1>{beside.format(number)}"
        pages.append(html_page(f"{SITE}/{number}", shown, headers))
    return refreshed(store, DATED, pages, run_id)


def titles(store: Store) -> set[str]:
    """How the first pages are called in the table."""
    known = store.known(DATED)
    return {str(known[f"{SITE}/{number}"][0]["title"]) for number in range(3)}


def called(title: str) -> set[str]:
    return {title.format(number) for number in range(3)}


def test_a_family_that_is_renamed_is_held_once_then_news_then_quiet(
    store: Store,
) -> None:
    first = refresh(store, "run-4", NEW)
    assert first.judgement.drifted and first.counts.held == PAGES
    assert titles(store) == called(OLD)
    second = refresh(store, "run-5", NEW)
    assert not second.judgement.drifted and second.counts.held == 0
    assert titles(store) == called(NEW)
    third = refresh(store, "run-6", NEW)
    assert all(check.passed for check in third.judgement.checks)
    assert store.quarantine(DATED.family, HeldState.HELD) == []


def test_the_family_is_as_watchful_after_it_as_before(store: Store) -> None:
    """One night in which all are renamed says nothing of how often they are."""
    for run_id in ("run-4", "run-5"):
        refresh(store, run_id, NEW)
    wrong = refresh(store, "run-6", "Shelf no. {}")
    assert wrong.judgement.drifted and wrong.counts.held == PAGES


def test_a_replay_of_the_first_refresh_is_no_second_word(store: Store) -> None:
    refresh(store, "run-4", NEW)
    pages = [
        html_page(f"{SITE}/{number}", f"<h1>{NEW.format(number)}</h1>")
        for number in range(PAGES)
    ]
    again = refreshed(store, DATED, pages, "replay", refresh="run-4")
    assert again.judgement.drifted and titles(store) == called(OLD)


def test_what_a_cache_had_kept_is_no_second_word(store: Store) -> None:
    refresh(store, "run-4", NEW)
    kept = refresh(store, "run-5", NEW, age="864000")
    assert kept.judgement.drifted and titles(store) == called(OLD)


def test_what_was_taken_back_has_to_be_said_twice_from_then_on(store: Store) -> None:
    """Every other answer is another shop's."""
    for day in range(4, 10, 2):
        assert refresh(store, f"run-{day}", NEW).judgement.drifted
        assert not refresh(store, f"run-{day + 1}").judgement.drifted
    assert titles(store) == called(OLD)


def test_while_the_known_title_stands_there_it_is_never_news(store: Store) -> None:
    """The crawler reads another thing, and will read it again."""
    beside = "<p>Tea no. {}</p>"
    for day in range(4, 8):
        served = refresh(store, f"run-{day}", NEW, beside)
        assert served.judgement.drifted and served.counts.served == 0
    assert titles(store) == called(OLD)


def test_a_title_that_is_cut_is_never_news(store: Store) -> None:
    for day in range(4, 7):
        assert refresh(store, f"run-{day}", "Tea").judgement.drifted
    assert titles(store) == called(OLD)
