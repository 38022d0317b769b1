"""What lasts is not searched for garbage, and everything after it is."""

import gc
from collections.abc import Iterator

import pytest

import crawloop_assets
from crawloop_assets.pipeline.lasting import made_to_last


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_is_made_to_last_is_not_searched_and_what_comes_later_is() -> None:
    with made_to_last():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_definitions_are_made_to_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("project")
    (home / "families").mkdir()
    (home / "domains.yaml").write_text("domains: []\n")
    monkeypatch.setenv("CRAWLOOP_HOME", str(home))
    assert crawloop_assets.defs is not None
    assert gc.get_freeze_count() > 0
