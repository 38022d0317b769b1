"""Dagster's own SQLite files are told when they are damaged."""

from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.dagster_files import broken_databases
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.project import Project
from tests.world import lay_out


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = lay_out(tmp_path / "project")
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.chdir(tmp_path)
    prepare(made)
    with dg.DagsterInstance.get() as instance:
        instance.get_runs()
        instance.add_dynamic_partitions("x", ["1"])
    return made


def test_files_of_dagster_are_whole(project: Project) -> None:
    assert list((project.var / "dagster").rglob("*.db"))
    assert list(broken_databases(project.var)) == []


def test_a_damaged_file_is_named(project: Project) -> None:
    files = sorted((project.var / "dagster").rglob("*.db"))
    content = files[0].read_bytes()
    files[0].write_bytes(content[: len(content) // 2])
    files[1].write_bytes(b"x" * 5000)
    found = dict(broken_databases(project.var))
    assert list(found) == files[:2]
    assert "malformed" in found[files[0]] and "not a database" in found[files[1]]
