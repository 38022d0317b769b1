"""What the doctor says of Dagster's files, daemons, the browser and what people wrote."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.doctor.surroundings import (
    about_browser,
    about_dagster,
    about_declared,
    about_processes,
)
from crawloop_assets.project import Project
from tests.doctor.test_files import wrong
from tests.world import lay_out


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return lay_out(tmp_path / "project")


@pytest.fixture
def daemons(project: Project) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two processes that look as a daemon of the project does."""
    code = "print(1, flush=True); input()"
    command = [sys.executable, "-c", code, "crawloop_assets.pipeline.daemon"]
    settings = os.environ | {"DAGSTER_HOME": str(project.root)}
    started = [
        subprocess.Popen(command, env=settings, stdin=-1, stdout=-1) for _ in "12"
    ]
    for one in started:
        assert one.stdout and one.stdout.readline()
    yield started
    for one in started:
        one.kill()
        one.communicate()


def test_a_new_project_is_fine(project: Project) -> None:
    for about in (about_dagster, about_processes, about_browser, about_declared):
        assert wrong(list(about(project))) == []


def test_a_damaged_file_of_dagster_is_told(project: Project) -> None:
    file = project.var / "dagster" / "schedules" / "schedules.db"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * 5000)
    (one,) = wrong(list(about_dagster(project)))
    assert str(file) in one.says and "the store is not" in one.says


def test_two_daemons_are_told(
    project: Project, daemons: list[subprocess.Popen[bytes]]
) -> None:
    (one,) = wrong(list(about_processes(project)))
    assert all(str(daemon.pid) in one.says for daemon in daemons)
    assert wrong(list(about_processes(Project.at(project.root / "other")))) == []


def test_a_browser_that_is_needed_and_missing_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", "/none")
    (file,) = project.families.glob("*.yaml")
    assert wrong(list(about_browser(project))) == []
    file.write_text(file.read_text().replace("access:", "access_:"))
    with file.open("a") as more:
        more.write("\naccess: {render: true}\n")
    text = file.read_text()
    start = text.find("access_:")
    if start >= 0:
        lines = text[start:].splitlines()
        kept = [line for line in lines[1:] if not line.startswith(" ")]
        file.write_text(text[:start] + "\n".join(kept) + "\n")
    (one,) = wrong(list(about_browser(project)))
    assert "CRAWLOOP_CHROMIUM" in one.says


def test_a_wrong_file_is_told(project: Project) -> None:
    (project.families / "bad.yaml").write_text("family: shop/bad\nx: 1\n")
    project.domains.write_text("domains: 3\n")
    found = wrong(list(about_declared(project)))
    assert [one.about for one in found] == ["family files", "domains.yaml"]
    assert "shop/bad" in found[0].says
