"""A known layout is back: an older version, or a person, is asked."""

from pathlib import Path

import pytest

from crawloop_assets.family import HealPolicy, Promotion
from crawloop_assets.serve.comeback import bring_back
from crawloop_assets.store import AuditKind, Store
from tests.serve.test_batch import FAMILY, add_version

REVIEWED = FAMILY.model_copy(update={"heal": HealPolicy(promotion=Promotion.REVIEW)})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(made)
    add_version(made, title="h2", price="i")
    return made


def active(store: Store) -> int:
    version = store.active(FAMILY.family)
    assert version is not None
    return version.version


def test_the_older_version_is_active_again(store: Store) -> None:
    said = bring_back(FAMILY, store, "run-1", 2, {1: 3})
    assert "served 3 pages, v2 none" in said and "v1 is active" in said
    assert active(store) == 1


def test_a_person_is_asked_who_wants_to_be(store: Store) -> None:
    said = bring_back(REVIEWED, store, "run-1", 2, {1: 3})
    assert "waits for a person" in said
    assert active(store) == 2
    (event,) = store.audits(FAMILY.family, AuditKind.REVIEW_ASKED)
    assert (event.run_id, event.detail["version"]) == ("run-1", 1)


@pytest.mark.parametrize("wins", [{}, {1: 2}, {1: 9, 2: 1}])
def test_few_pages_change_nothing(store: Store, wins: dict[int, int]) -> None:
    assert bring_back(FAMILY, store, "run-1", 2, wins) == ""
    assert active(store) == 2
