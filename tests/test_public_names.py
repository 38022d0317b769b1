"""Everything public can be imported and is documented; no module outgrows a reader."""

import ast
from pathlib import Path

import pytest

import crawloop_assets

ROOT = Path(__file__).parent.parent
PACKAGES = ("crawloop_assets", "resources", "schemas")
MODULES = sorted(
    file for package in PACKAGES for file in (ROOT / package).rglob("*.py")
)
INSPECTED = sorted(
    file
    for folder in ("crawloop_assets/pipeline", "resources", "schemas")
    for file in (ROOT / folder).rglob("*.py")
) + [
    ROOT / "crawloop_assets" / name
    for name in ("definitions.py", "family.py", "page.py", "schema.py")
]
MOST_LINES = 400


def documentation() -> str:
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize("name", crawloop_assets.__all__)
def test_a_public_name_can_be_imported_and_is_documented(name: str) -> None:
    assert getattr(crawloop_assets, name).__doc__
    assert f"`{name}`" in documentation(), (
        f"{name} is public, but no page of docs/ names it"
    )


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lines = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in MODULES
    }
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


@pytest.mark.parametrize(
    "file", INSPECTED, ids=lambda file: str(file.relative_to(ROOT))
)
def test_modules_that_dagster_or_pydantic_inspect_have_real_annotations(
    file: Path,
) -> None:
    # With `from __future__ import annotations` Dagster cannot resolve the types of config and resources.
    imports = [
        node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    ]
    assert not [node for node in imports if node.module == "__future__"]
