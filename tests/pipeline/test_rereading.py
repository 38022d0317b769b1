"""What definitions are made of is watched, and nothing else."""

from pathlib import Path

import pytest

from crawloop_assets.pipeline import rereading
from crawloop_assets.pipeline.rereading import ProjectFiles
from crawloop_assets.project import Project


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectFiles:
    monkeypatch.setattr(rereading, "_EVERY_S", 0.0)
    monkeypatch.setattr(rereading, "_SHARE", float("inf"))
    for folder in ("families", "schemas", "var", ".venv"):
        (tmp_path / folder).mkdir()
    (tmp_path / "families" / "book.yaml").write_text("family: books/book\n")
    (tmp_path / "domains.yaml").write_text("domains: []\n")
    watched = ProjectFiles(Project.at(tmp_path))
    assert not watched.have_changed(), "the first look"
    assert not watched.have_changed(), "nothing happened"
    return watched


@pytest.mark.parametrize(
    "name", ["families/other.yaml", "schemas/book.py", "domains.yaml", "dg.toml"]
)
def test_a_file_that_is_written_is_seen_once(files: ProjectFiles, name: str) -> None:
    (files.project.root / name).write_text("domains: [] # written\n")
    assert files.have_changed()
    assert not files.have_changed()


def test_a_file_that_is_gone_is_seen(files: ProjectFiles) -> None:
    (files.project.families / "book.yaml").unlink()
    assert files.have_changed()


def test_a_link_to_nowhere_is_no_file(files: ProjectFiles) -> None:
    (files.project.families / "link.yaml").symlink_to("nowhere")
    assert not files.have_changed()


@pytest.mark.parametrize("name", ["var/own.yaml", ".venv/own.py", "rows.csv"])
def test_what_is_no_definition_is_not_looked_at(files: ProjectFiles, name: str) -> None:
    (files.project.root / name).write_text("something\n")
    assert not files.have_changed()


def test_looking_takes_a_small_share_of_the_time(
    files: ProjectFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "_EVERY_S", 1e9)
    files.have_changed()
    (files.project.families / "book.yaml").unlink()
    assert not files.have_changed(), "it is not its turn"
