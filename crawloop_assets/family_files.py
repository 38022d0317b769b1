"""The two ways to declare a family: a file of its own, and a Dagster component.

A component's `defs.yaml` has the same keys, under `attributes`.
"""

import os
import re
from collections.abc import Iterator
from itertools import filterfalse
from pathlib import Path

from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.yaml_file import Key, load_yaml

COMPONENT = "crawloop_assets.FamilyComponent"
DECLARED = re.compile(
    r"^(?:attributes:[ \t]*\n(?:[ \t].*\n)*?[ \t]+)?"
    r"family:[ \t]*['\"]?([a-z0-9_]+(?:/[a-z0-9_]+)*)['\"]?[ \t]*(?:#.*)?$",
    re.M,
)
"""The line of a family file that says its name, also where the file is wrong otherwise."""
_FILE = "defs.yaml"
_SETTINGS = ("pyproject.toml", "dg.toml")
_DAGSTERS = re.compile(r"^\[tool\.dg|^directory_type", re.M)
_ELSEWHERE = re.compile(r"\..*|var|venv|node_modules|site-packages|__pycache__")
"""Folders in which nobody writes anything of a project."""


class _Component(BaseModel):
    """What of a `defs.yaml` is ours."""

    type: str
    attributes: Family


def read_family(file: Path) -> tuple[Family, Key]:
    """What a file declares, and under which keys of it that stands.

    ConfigError with file, line and field of the first thing that is wrong.
    """
    if file.name == _FILE:
        return load_yaml(file, _Component).attributes, ("attributes",)
    return load_yaml(file, Family), ()


def component_files(root: Path) -> list[Path]:
    """The families that a Dagster project declares as components, each in its file;
    none in a folder that is no Dagster project."""
    if not any(map(_DAGSTERS.search, _texts(root))):
        return []
    return sorted(filter(_is_family, _definitions(root)))


def _texts(root: Path) -> Iterator[str]:
    """The settings of a folder."""
    for name in _SETTINGS:
        if (root / name).is_file():
            yield (root / name).read_text(encoding="utf-8", errors="replace")


def own_files(root: Path) -> Iterator[Path]:
    """All files below a folder, but for those in folders in which nobody writes."""
    for folder, inner, files in os.walk(root):
        inner[:] = filterfalse(_ELSEWHERE.fullmatch, inner)
        yield from map(Path(folder).joinpath, files)


def _definitions(root: Path) -> Iterator[Path]:
    """Every `defs.yaml` below a folder."""
    return (file for file in own_files(root) if file.name == _FILE)


def _is_family(file: Path) -> bool:
    """Whether it says that it declares one of our families."""
    return COMPONENT in file.read_text(encoding="utf-8", errors="replace")
