"""A family file is written whole, and renamed in one place only."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.starter import NewFamily, rename_in_file, write_family


@pytest.fixture
def empty(tmp_path: Path) -> Project:
    (tmp_path / "families").mkdir()
    return Project.at(tmp_path)


@pytest.mark.parametrize("kind", FamilyKind)
def test_a_new_file_is_right_as_it_is_and_with_its_example(
    empty: Project, kind: FamilyKind
) -> None:
    new = NewFamily("a/b", "tests.models:Item", ["https://a.test/"], ["^/x/"], kind)
    file, family = write_family(empty, new)
    assert (family.kind, family.discover.include) == (kind, ("^/x/",))
    text = file.read_text()
    filled = text.replace("# examples:", "examples:").replace("#   - ", "  - ")
    filled = filled.replace("#     ", "    ").replace("…", "1")
    file.write_text(filled)
    (example,) = empty.family("a/b").examples
    assert example.url == "https://a.test/"
    assert set(example.all[0]) == {"url", "title", "price"}


def test_only_the_name_changes(empty: Project) -> None:
    file = empty.families / "deep" / "a.yaml"
    file.parent.mkdir()
    text = "# a/b\nfamily: 'a/b'  # a/b\nschema: tests.models:Item\ndiscover: {seeds: [a/b]}\n"
    file.write_text(text)
    assert rename_in_file(empty, "a/b", "c") == file
    assert file.read_text() == text.replace("family: 'a/b'", "family: 'c'")
    assert rename_in_file(empty, "a/b", "c") is None


def test_a_file_that_is_there_is_not_written_over(empty: Project) -> None:
    file = empty.families / "a_b.yaml"
    file.write_text("family: c\nschema: tests.models:Item\ndiscover: {}\n")
    with pytest.raises(ConfigError, match="is there already"):
        write_family(empty, NewFamily("a/b", "tests.models:Item"))
    assert file.read_text().startswith("family: c")
