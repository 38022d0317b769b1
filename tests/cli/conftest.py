"""The commands are tried on what the rooms behind them are tried on."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import NewCrawler, Store
from tests.access.conftest import site
from tests.eval.conftest import pack
from tests.store.losses import put

__all__ = ["pack", "site"]

Say = Callable[..., str]
PRODUCT = "shop/product"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose product family had two crawler versions; the second is active."""
    from tests.world import lay_out

    made = lay_out(tmp_path / "project")
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    monkeypatch.setenv("COLUMNS", "200")
    store = Store(made.var, made.published)
    for number, reason in enumerate(("first version", "healed after v1"), 1):
        crawler = NewCrawler(
            family=PRODUCT, body=f'{{"made": {number}}}', reason=reason
        )
        store.promote(PRODUCT, store.add_crawler(crawler), why=reason)
    return made


@pytest.fixture
def home(project: Project) -> Path:
    """The folder of that project, after a commit that was published."""
    store = Store(project.var, project.published)
    put(store, 1)
    store.publish()
    return project.root


@pytest.fixture
def say() -> Say:
    """Run a command that has to succeed; what it printed."""

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    return run
