"""The store as a resource: the project's own, or where it is told to be."""

from pathlib import Path

import pytest

from crawloop_assets.resources import StoreResource


def test_it_is_the_projects_own_unless_it_is_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    monkeypatch.setenv("CRAWLOOP_HOME", str(home))
    assert StoreResource().open().publish() == home / "crawloop.duckdb"
    told = StoreResource(var=str(other), published=str(other / "tables.duckdb"))
    assert told.open().publish() == other / "tables.duckdb"
