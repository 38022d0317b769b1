"""A new project: complete, importable, its own; what is there is left as it is."""

import os
import sys
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import PACKAGE, Project
from crawloop_assets.starter import init_project, lay_out_shop


def test_a_new_project_has_everything_and_is_found_from_anywhere_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CRAWLOOP_HOME", raising=False)
    made = init_project(tmp_path / "My Books")
    names = {"README.md", "pyproject.toml", ".gitignore", "definitions.py"}
    assert names < set(made.written) and made.kept == []
    assert 'name = "my-books"' in (made.folder / "pyproject.toml").read_text()
    inside = made.folder / "schemas"
    monkeypatch.chdir(inside)
    assert Project.find() == made.project
    assert made.project.load_families() == ()
    assert made.project.load_domains().domains == ()
    assert sys.path[0] == str(made.folder), "its models come before all others"


def test_what_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "definitions.py").write_text("mine = 1\n")
    made = init_project(tmp_path)
    assert made.kept == ["definitions.py"]
    assert (tmp_path / "definitions.py").read_text() == "mine = 1\n"
    again = init_project(tmp_path)
    assert again.written == []
    assert set(again.kept) == {*made.written, "definitions.py"}


def test_a_file_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", full)
        with pytest.raises(ConfigError, match=r"README\.md.*No space left"):
            init_project(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_it_says_where_it_may_not_write(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="inside the package"):
        init_project(PACKAGE / "families")


def test_the_shop_comes_with_its_families_and_models(tmp_path: Path) -> None:
    made = lay_out_shop(tmp_path / "shop")
    names = {family.family for family in made.project.load_families()}
    assert names == {"shop/product", "shop/offer", "shop/api"}
    assert [one.host for one in made.project.load_domains().domains] == ["shop.test"]
    assert (made.folder / "schemas" / "product.py").exists()
    assert "domains.yaml" not in made.kept
