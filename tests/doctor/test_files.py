"""What the doctor says of the store, the published file, the disk and rights."""

from pathlib import Path

import pytest

from crawloop_assets.doctor import files
from crawloop_assets.doctor.files import (
    Diagnosis,
    about_disk,
    about_published,
    about_rights,
    about_store,
)
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.store.losses import COMMITS, CUT, DAMAGED, LOST, Harm, cut, filled

HARMED = {"log gone", "yesterday's store", "log cut at 5 tenths"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    filled(tmp_path)
    return Project.at(tmp_path)


def wrong(found: list[Diagnosis]) -> list[Diagnosis]:
    return [finding for finding in found if finding.is_wrong]


def test_a_store_that_is_whole_is_fine(project: Project) -> None:
    found = list(about_store(project))
    assert wrong(found) == []
    assert [finding.about for finding in found] == ["store", "commits"]
    assert found[1].says == f"all {COMMITS} are there"


def test_an_empty_store_has_no_rows_to_speak_of(tmp_path: Path) -> None:
    project = Project.at(tmp_path)
    Store(project.var, project.published).publish()
    first, _ = about_store(project)
    assert "rows" not in first.says and "tables can be read" in first.says


def test_a_project_without_a_store_is_fine(tmp_path: Path) -> None:
    new = Project.at(tmp_path / "new")
    for about in (about_store, about_published, about_disk, about_rights):
        assert wrong(list(about(new))) == []


@pytest.mark.parametrize("harm", [(LOST | CUT)[name] for name in sorted(HARMED)])
def test_lost_commits_are_told(project: Project, harm: Harm) -> None:
    harm(project.root)
    (one,) = wrong(list(about_store(project)))
    assert one.about == "commits" and "`crawloop restore`" in one.says


@pytest.mark.parametrize("harm", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_store_is_told(project: Project, harm: Harm) -> None:
    harm(project.root)
    (one,) = wrong(list(about_store(project)))
    assert one.about == "store" and "`crawloop restore`" in one.says


@pytest.mark.parametrize("tenths", [0, 5, 9])
def test_a_damaged_published_file_is_told(project: Project, tenths: int) -> None:
    assert wrong(list(about_published(project))) == []
    project.published.chmod(0o644)
    cut(project.published, tenths)
    (one,) = wrong(list(about_published(project)))
    assert "delete it" in one.says


def test_somebody_who_writes_to_the_published_file_is_told(project: Project) -> None:
    project.published.with_name("crawloop.duckdb.wal").write_bytes(b"")
    (one,) = wrong(list(about_published(project)))
    assert "-readonly" in one.says


def test_a_disk_without_room_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong(list(about_disk(project))) == []
    monkeypatch.setattr(files, "_LEAST_FREE", 10**18)
    (one,) = wrong(list(about_disk(project)))
    assert "free some space" in one.says


def test_a_folder_that_others_may_read_is_told(project: Project) -> None:
    assert wrong(list(about_rights(project))) == []
    project.var.chmod(0o755)
    (one,) = wrong(list(about_rights(project)))
    assert "chmod -R go-rwx" in one.says
