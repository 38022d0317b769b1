"""The demo tells its story once per project."""

from pathlib import Path

import pytest

from crawloop_assets.demo.story import run_demo
from crawloop_assets.errors import ConfigError
from tests.world import World


def test_a_project_that_was_crawled_before_is_not_crawled_over(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(healthy.project.root))
    before = healthy.store.frontier(healthy.family.family)
    with pytest.raises(ConfigError, match="first crawl") as caught:
        run_demo()
    assert Path(healthy.project.var).name in str(caught.value)
    assert healthy.store.frontier(healthy.family.family) == before
