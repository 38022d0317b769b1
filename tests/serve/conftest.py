"""A project on a site of its own, for real runs, and a shop's shelf that was refreshed."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml

from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.access.serving import running
from tests.access.site import Site
from tests.serve.shelf import PAGES, Shelf, stocked


@pytest.fixture
def shelf() -> Shelf:
    """A shelf whose prices move."""
    return Shelf()


@pytest.fixture
def site(shelf: Shelf) -> Iterator[Site]:
    """A site that shows the shelf; most test modules have one of their own."""
    with running(Site()) as site:
        site.routes["item"] = shelf
        yield site


@pytest.fixture
def store(site: Site, shelf: Shelf, tmp_path: Path) -> Store:
    """Of a family that was refreshed on four days."""
    return stocked(site, shelf, tmp_path, PAGES)


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
    prepare(project)
    with dg.DagsterInstance.get() as instance:
        yield instance
