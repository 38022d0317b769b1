"""Writes the files of a new project; what is there already is left as it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import PACKAGE, Project, create_whole
from crawloop_assets.starter.completion import EDITED, SCHEMA_FOLDER, editor_schema

_FILES = Path(__file__).parent / "files"
_WRITTEN = {
    "README.md": "README.md",
    "pyproject.toml": "pyproject.toml",
    "gitignore": ".gitignore",
    "workspace.yaml": "workspace.yaml",
    "definitions.txt": "definitions.py",
    "domains.yaml": "domains.yaml",
    "families.md": "families/README.md",
    "schemas.txt": "schemas/__init__.py",
    "resources.txt": "resources/__init__.py",
    "own.txt": "own/__init__.py",
    "own_defs.txt": "own/defs/__init__.py",
    "check.yml": ".github/workflows/check.yml",
}
"""Each file of `files/`, and where it lies in a project. Code is kept as text here: it
is the user's, and nothing of this package."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class NewProject:
    """Which files were written and which were there before, as paths inside the
    folder."""

    folder: Path
    written: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def project(self) -> Project:
        """The project that lies there now."""
        return Project.at(self.folder)


def init_project(folder: Path) -> NewProject:
    """Make a folder a project, or complete it.

    ConfigError if it lies in the package itself or cannot be written.
    """
    folder = folder.resolve()
    if folder.is_relative_to(PACKAGE):
        raise ConfigError(
            "a project does not lie inside the package", file=folder, hint="elsewhere"
        )
    return _completed(folder, _project_files(folder))


def beside_dagster(folder: Path) -> NewProject:
    """What a Dagster project lacks to have families: what may be fetched, a model, and
    the folder that makes it a project."""
    wanted = ("domains.yaml", "families/README.md", "schemas/__init__.py")
    files = (one for one in _project_files(folder) if one[0] in wanted)
    return _completed(folder.resolve(), files)


def lay_out_shop(folder: Path) -> NewProject:
    """A project with the demo shop: its families, its models and leave to fetch it."""
    folder = folder.resolve()
    shop = [(PACKAGE / "domains.yaml", "domains.yaml"), *_shop_files()]
    made = _completed(folder, ((name, _bytes(source)) for source, name in shop))
    rest = init_project(folder)
    kept = [name for name in rest.kept if name not in made.written]
    return NewProject(folder, made.written + rest.written, made.kept + kept)


def _project_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What every project has, by its path."""
    words = {"name": _name_of(folder)}
    for source, name in _WRITTEN.items():
        text = (_FILES / source).read_text(encoding="utf-8")
        yield name, Template(text).substitute(words).encode()
    yield "dagster.yaml", _bytes(shipped("dagster.yaml"))
    for schema in EDITED:
        yield f"{SCHEMA_FOLDER}/{schema}.json", editor_schema(schema).encode()


def _shop_files() -> Iterator[tuple[Path, str]]:
    """The files of the demo shop, and where they lie in a project."""
    for source in sorted((PACKAGE / "families").glob("*.yaml")):
        yield source, f"families/{source.name}"
    for source in sorted(shop_models().glob("*.py")):
        yield source, f"schemas/{source.name}"


def shop_models() -> Path:
    """The folder `schemas` of the demo shop: in a checkout the project's own, in a
    wheel inside the package."""
    beside = PACKAGE.parent / "schemas"
    return beside if beside.is_dir() else _FILES.parent / "shop" / "schemas"


def shipped(name: str) -> Path:
    """A file of the checkout's own project: there beside the package, in a wheel inside
    it."""
    beside = PACKAGE.parent / name
    return beside if beside.exists() else PACKAGE / name


def _completed(folder: Path, files: Iterator[tuple[str, bytes]]) -> NewProject:
    """Writes what is not there yet."""
    made = NewProject(folder)
    for name, content in files:
        target = folder / name
        if target.exists():
            made.kept.append(name)
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            create_whole(target, content)
        except OSError as error:
            raise ConfigError(
                f"cannot be written ({error.strerror})",
                file=target,
                hint="free some space, or choose a folder that is yours",
            ) from error
        made.written.append(name)
    return made


def _bytes(source: Path) -> bytes:
    """What is in a file."""
    return source.read_bytes()


def _name_of(folder: Path) -> str:
    """A name for a distribution, after the folder."""
    return _NOT_IN_NAMES.sub("-", folder.name.lower()).strip("-") or "crawl"
