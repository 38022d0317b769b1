"""A project on a site of its own, for real runs, and a shop's shelf that was refreshed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml

from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.access.serving import running
from tests.access.site import Site
from tests.serve.shelf import DAYS, PAGES, Shelf, stocked
from tests.world import instance_of


@pytest.fixture
def shelf() -> Shelf:
    """A shelf whose prices move."""
    return Shelf()


@pytest.fixture(scope="module")
def served_site() -> Iterator[Site]:
    """A site that listens as long as a module of tests, so that a store of its pages can be copied."""
    with running(Site()) as site:
        yield site


@pytest.fixture
def site(served_site: Site, shelf: Shelf) -> Site:
    """A site that shows the shelf and remembers nothing; most test modules have one of their own."""
    vars(served_site).update(vars(Site()), port=served_site.port)
    served_site.routes["item"] = shelf
    return served_site


@pytest.fixture(scope="module")
def stocked_folder(served_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a family that was refreshed on four days. Copy it, do not use it."""
    folder, shelf = tmp_path_factory.mktemp("stocked"), Shelf()
    served_site.routes["item"] = shelf
    stocked(served_site, shelf, folder, PAGES)
    return folder


@pytest.fixture
def store(stocked_folder: Path, site: Site, shelf: Shelf, tmp_path: Path) -> Store:
    """Of a family that was refreshed on four days."""
    shutil.copytree(stocked_folder, tmp_path, dirs_exist_ok=True)
    shelf.day = DAYS
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


@pytest.fixture
def project_instance(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dg.DagsterInstance]:
    """The instance of a project that may fetch from the test module's `site` and has no family yet."""
    project = Project.at(tmp_path)
    project.families.mkdir(parents=True)
    domain = {
        "host": "127.0.0.1",
        "scheme": "http",
        "port": site.port,
        "private": True,
        "max_rps": 1_000,
    }
    project.domains.write_text(yaml.safe_dump({"domains": [domain]}))
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with instance_of(project) as instance:
        yield instance
