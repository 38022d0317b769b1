"""A family is declared in a file of its own, or as a Dagster component."""

from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.family_files import DECLARED, component_files
from crawloop_assets.project import Project, load_family

DEFS = """\
type: crawloop_assets.FamilyComponent

attributes:
  schema: tests.models:Item
  family: books/book   # its name
  discover: {seeds: [], include: ["^/book/"]}
"""


@pytest.fixture
def dagsters(tmp_path: Path) -> Project:
    """A Dagster project with a family as a component, and one in `families/`."""
    files = {
        "pyproject.toml": '[tool.dg]\ndirectory_type = "project"\n',
        "src/own/defs/book/defs.yaml": DEFS,
        "src/own/defs/other/defs.yaml": "type: own.Other\nattributes: {x: 1}\n",
        ".venv/lib/defs.yaml": DEFS,
        "families/item.yaml": "family: shop/item\nschema: tests.models:Item\ndiscover: {}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Project.at(tmp_path)


def test_both_are_families_of_the_project(dagsters: Project) -> None:
    assert [one.family for one in dagsters.load_families()] == [
        "books/book",
        "shop/item",
    ]
    assert dagsters.components() == {"books/book"}
    assert dagsters.family("books/book").discover.include == ("^/book/",)


def test_a_folder_that_is_no_dagster_project_is_not_searched(dagsters: Project) -> None:
    (dagsters.root / "pyproject.toml").write_text("[project]\n")
    assert component_files(dagsters.root) == []
    (dagsters.root / "dg.toml").write_text('directory_type = "project"\n')
    assert [file.parent.name for file in component_files(dagsters.root)] == ["book"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("discover: {", "discover: {sitemap: true, "),
            "6 [attributes.discover.sitemap]: unknown key. did you mean 'sitemaps'?",
        ),
        (
            ("models:Item", "models:Itm"),
            "4 [attributes.schema]: 'tests.models' has no class 'Itm'",
        ),
        (
            ("discover", "key: [sku]\n  discover"),
            "6 [attributes.key]: tests.models:Item has no field 'sku'",
        ),
    ],
)
def test_a_wrong_component_names_line_and_field_and_its_family(
    dagsters: Project, change: tuple[str, str], says: str
) -> None:
    (file,) = component_files(dagsters.root)
    file.write_text(DEFS.replace(*change))
    with pytest.raises(ConfigError) as caught:
        load_family(file)
    assert f"{file}:{says}" in str(caught.value)
    assert [one.name for one in dagsters.read_families().broken] == ["books/book"]


@pytest.mark.parametrize(
    "text", [DEFS, "family: 'books/book' # x\n", "schema: a:B\nfamily: books/book\n"]
)
def test_the_name_is_found_wherever_it_stands(text: str) -> None:
    found = DECLARED.search(text)
    assert found and found[1] == "books/book"


def test_a_name_deeper_down_is_another_things(dagsters: Project) -> None:
    assert DECLARED.search("request:\n  json:\n    family: fonts\n") is None
