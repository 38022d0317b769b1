"""What a project puts in place of the pipeline's own resources."""

import sys
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline.own_resources import resources_of
from crawloop_assets.project import Project
from crawloop_assets.resources import WorkersResource

IMPORTS = "from crawloop_assets.resources import StoreResource, WorkersResource\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of its own; what it has imported is forgotten afterwards."""
    monkeypatch.delitem(sys.modules, "resources", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return Project.at(tmp_path)


def put(project: Project, text: str) -> None:
    """Its package `resources`."""
    (project.root / "resources").mkdir()
    (project.root / "resources" / "__init__.py").write_text(IMPORTS + text)


def test_a_project_without_any_has_the_pipelines_own(project: Project) -> None:
    found = resources_of(project)
    assert set(found) == {"store", "web", "workers", "model"}
    assert found["workers"] == WorkersResource()


def test_one_takes_the_place_of_the_pipelines_own(project: Project) -> None:
    put(project, "RESOURCES = {'workers': WorkersResource(size=3)}")
    found = resources_of(project)
    assert found["workers"].size == 3
    assert set(found) == {"store", "web", "workers", "model"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("RESOURCES = {'worker': WorkersResource()}", "'worker'.*known: store"),
        ("RESOURCES = {'workers': StoreResource()}", "is no WorkersResource"),
        ("RESOURCES = [StoreResource()]", "no dictionary"),
        ("import nowhere", "cannot be imported.*nowhere"),
    ],
)
def test_what_is_wrong_is_said(project: Project, text: str, says: str) -> None:
    put(project, text)
    with pytest.raises(ConfigError, match=says) as caught:
        resources_of(project)
    assert "resources" in str(caught.value)
    sys.modules.pop("resources", None)
