"""Fixtures that several folders share.

A crawled project is made once and copied for every test. Dagster is imported when one
is asked for: a test of numbers does not pay for it.
"""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.kept_engines import keep_engines

# Laws are about values: how long a busy machine takes is none of them. Who wants the long
# tests has each law tried on twice as many.
settings.register_profile("crawloop", deadline=None, max_examples=50)
settings.register_profile("long", deadline=None, max_examples=100)
settings.load_profile("long" if os.environ.get("CRAWLOOP_LONG") else "crawloop")

if TYPE_CHECKING:
    from tests.kept_stores import KeptStores
    from tests.world import World


_WANTED = {
    "live": ("tests of live sites", "CRAWLOOP_LIVE"),
    "long": ("tests of several minutes", "CRAWLOOP_LONG"),
}
"""Marks of tests that are for who wants them: what those are, and what asks for them."""
_HERE = Path(__file__).parent
_KEPT_ENGINES = pytest.MonkeyPatch()
_WAITS = {"e2e", "pipeline"}
"""Rooms whose tests start processes."""


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leaves out what nobody wants. Tests that start processes come first: they wait
    more than they work, and others fill the time."""
    items.sort(key=_is_short)
    left_out = [
        item for item in items if any(map(item.get_closest_marker, _unwanted()))
    ]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """What is imported and collected by now stays: to look through all of it for garbage
    again and again is a twentieth of what the tests cost."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Stores of some rooms are copies of one that is empty."""
    keep_engines(item, _KEPT_ENGINES)


def pytest_sessionfinish() -> None:
    """What ends is looked through: some libraries tell of what is left at the end."""
    gc.unfreeze()


def _unwanted() -> list[str]:
    """The marks of tests that are left out."""
    return [mark for mark, (_, asks) in _WANTED.items() if not os.environ.get(asks)]


def _is_short(item: pytest.Item) -> bool:
    """Whether a test starts no processes of Dagster; sorts those that do before."""
    return not _WAITS.intersection(item.path.relative_to(_HERE).parts)


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Says so at the end, whichever process has collected them."""
    for mark in _unwanted():
        what, asks = _WANTED[mark]
        terminalreporter.write_line(f"{what} are left out: {asks}=1 runs them")


@pytest.fixture(scope="session", autouse=True)
def _no_pictures() -> Iterator[None]:
    """A browser costs more than most tests: the reports of waves have no pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRAWLOOP_PICTURES", "no")
        yield


@pytest.fixture(autouse=True)
def _unknown_endpoints() -> None:
    """What a process remembers of the servers of models is no matter of the next test."""
    from crawloop_assets.llm.breaker import breaker
    from crawloop_assets.llm.structures import forget_structures

    breaker.failures.clear()
    breaker.until.clear()
    forget_structures()


@pytest.fixture(scope="session", autouse=True)
def _kept_workers() -> Iterator[None]:
    """Pools of one test process share their workers."""
    from tests.kept_workers import kept_workers

    with kept_workers():
        yield


@pytest.fixture(scope="session")
def kept_stores(tmp_path_factory: pytest.TempPathFactory) -> "KeptStores":
    """Stores that tests begin with, each made once."""
    from tests.kept_stores import KeptStores

    return KeptStores(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def _held_against_their_schemas() -> Iterator[None]:
    """Whatever a command prints with `--json` in a test is what its schema says."""
    from typer.testing import CliRunner

    invoke = CliRunner.invoke

    def checked(self: CliRunner, app: Any, args: Any = None, **given: Any) -> Any:
        result = invoke(self, app, args, **given)
        if "--json" in (args or ()):
            from tests.answers import hold

            hold(args, result)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CliRunner, "invoke", checked)
        yield


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a project whose shop was crawled once, all green. Copy it, do not use it."""
    from crawloop_assets.pipeline.names import RunMode
    from tests.world import lay_out, world

    home = tmp_path_factory.mktemp("crawled") / "project"
    with pytest.MonkeyPatch.context() as patch, world(lay_out(home), patch) as made:
        made.run("discover", made.names.tags(RunMode.REFRESH))
        made.refresh()
    return home


@pytest.fixture(scope="session")
def drifted(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same project after half of the shop was redesigned and crawled. Copy it, do not use it."""
    from crawloop_assets.project import Project
    from tests.world import KITCHEN, world

    home = tmp_path_factory.mktemp("drifted") / "project"
    shutil.copytree(crawled, home)
    with pytest.MonkeyPatch.context() as patch, world(Project.at(home), patch) as made:
        made.shop.redesign("B", KITCHEN)
        assert made.refresh().success, "drift never fails a run"
    return home


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["World"]:
    """A project that has crawled nothing yet."""
    from tests.world import lay_out, world

    with world(lay_out(tmp_path / "project"), monkeypatch) as made:
        yield made


@pytest.fixture
def healthy(
    crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator["World"]:
    """A crawled project of one's own, with a shop that is as it was when it was crawled."""
    from crawloop_assets.project import Project
    from tests.world import world

    home = tmp_path / "project"
    shutil.copytree(crawled, home)
    with world(Project.at(home), monkeypatch) as made:
        yield made


@pytest.fixture
def red(
    drifted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator["World"]:
    """A drifted project of one's own: kitchen was redesigned and crawled."""
    from crawloop_assets.project import Project
    from tests.world import KITCHEN, world

    home = tmp_path / "project"
    shutil.copytree(drifted, home)
    with world(Project.at(home), monkeypatch) as made:
        made.shop.redesign("B", KITCHEN)
        yield made
