"""Where a project's files are, and their strict loading: every error names file, line
and field."""

import os
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains, Family

_Model = TypeVar("_Model", bound=BaseModel)
_Key = tuple[str | int, ...]  # where a value is in a YAML file: keys and indexes
PACKAGE = Path(__file__).parent


@dataclass(frozen=True)
class Project:
    """The folders of one project.

    In a checkout nothing has to be set: families and domains.yaml are the package's
    own, `var/` and `crawloop.duckdb` lie in the checkout. `CRAWLOOP_HOME` names another
    folder that holds all of them.
    """

    families: Path
    domains: Path
    var: Path
    published: Path

    @classmethod
    def at(cls, home: Path) -> "Project":
        """A project that lives in one folder."""
        return cls(
            home / "families",
            home / "domains.yaml",
            home / "var",
            home / "crawloop.duckdb",
        )

    @classmethod
    def find(cls) -> "Project":
        """`CRAWLOOP_HOME` if set, else the checkout (the package's parent if it is one,
        else the current folder)."""
        if home := os.environ.get("CRAWLOOP_HOME"):
            return cls.at(Path(home).resolve())
        root = PACKAGE.parent
        if not (root / "pyproject.toml").exists():
            root = Path.cwd()
        return cls(
            PACKAGE / "families",
            PACKAGE / "domains.yaml",
            root / "var",
            root / "crawloop.duckdb",
        )

    @property
    def root(self) -> Path:
        """The folder of dagster.yaml and workspace.yaml, and the working folder of
        every process."""
        return self.published.parent

    def load_domains(self) -> Domains:
        """domains.yaml; no file means nothing may be fetched."""
        if not self.domains.exists():
            return Domains()
        return load_yaml(self.domains, Domains)

    def load_families(self) -> tuple[Family, ...]:
        """All family files, by name.

        ConfigError on the first wrong one, and on a name declared twice.
        """
        file_of: dict[str, Path] = {}
        families: dict[str, Family] = {}
        for file in sorted(self.families.rglob("*.yaml")):
            family = load_family(file)
            name = family.family
            if name in file_of:
                raise ConfigError(
                    f"family {name!r} is also declared in {file_of[name]}", file=file
                )
            file_of[name] = file
            families[name] = family
        return tuple(families[name] for name in sorted(families))

    def family(self, name: str) -> Family:
        """One family by name; ConfigError lists the known ones."""
        families = self.load_families()
        for family in families:
            if family.family == name:
                return family
        known = ", ".join(family.family for family in families) or "none"
        raise ConfigError(f"no family {name!r}", hint=f"known: {known}")


def load_family(file: Path) -> Family:
    """One family file, its schema imported and its examples' and policies' field names
    checked against it.

    Raises ConfigError with file, line and field of the first thing that is wrong.
    """
    family = load_yaml(file, Family)
    try:
        fields = set(family.model().model_fields)
    except ConfigError as error:
        raise _at(file, (error.field,), error.problem) from error
    _check_paging(family, file)
    _check_field_names(family, file, fields)
    return family


def _check_field_names(family: Family, file: Path, fields: Set[str]) -> None:
    """A misspelt name would switch a policy off without a word."""
    for key, names in _field_names(family).items():
        for name in names:
            if name in fields:
                continue
            problem = f"{family.record_schema} has no field {name!r}"
            known = f"fields: {', '.join(sorted(fields))}"
            raise _at(file, key, problem, hint=known)


def _field_names(family: Family) -> dict[_Key, list[str]]:
    """The names of fields in a family file, by where they are."""
    in_examples: list[str] = []
    for example in family.examples:
        for record in example.all:
            in_examples.extend(record)
    return {
        ("drift", "coverage"): list(family.drift.coverage),
        ("drift", "stable"): list(family.drift.stable),
        ("drift", "gone"): list(family.drift.gone),
        # The page's address may be a key without being a field.
        ("key",): [name for name in family.key if name != "url"],
        ("examples",): in_examples,
    }


def _check_paging(family: Family, file: Path) -> None:
    """What is declared in two places has to fit: the way of asking and of paging."""
    paging = family.discover.paging
    if paging is None or paging.into != "body" or family.request.method == "POST":
        return
    raise _at(
        file,
        ("discover", "paging", "in"),
        "only a POST has a body",
        hint="request: {method: POST, json: {…}}",
    )


def _at(file: Path, key: _Key, problem: str, hint: str = "") -> ConfigError:
    """An error that names file, line and field."""
    field = ".".join(map(str, key))
    return ConfigError(
        problem, file=file, line=_line(file, key), field=field, hint=hint
    )


def load_yaml(file: Path, model: type[_Model]) -> _Model:
    """A YAML file as a model.

    Raises ConfigError, with the line and the field of the first thing that is wrong.
    """
    data = _read_yaml(file)
    try:
        return model.model_validate({} if data is None else data)
    except ValidationError as error:
        first = error.errors()[0]
        problem = _plain(first["type"], first["msg"])
        raise _at(file, tuple(first["loc"]), problem) from error


def _read_yaml(file: Path) -> Any:
    """What the file says; None if it is empty.

    Raises ConfigError where it is no text or no YAML, with the line if that is known.
    """
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file) from error
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8", file=file) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is not YAML"
        line = None if mark is None else mark.line + 1
        raise ConfigError(f"not YAML: {problem}", file=file, line=line) from error


def _plain(kind: str, message: str) -> str:
    """A problem that pydantic found, in the words of a configuration file."""
    if kind == "extra_forbidden":
        return "unknown key"
    if kind == "missing":
        return "is required"
    return message.removeprefix("Value error, ")


def _line(file: Path, key: _Key) -> int | None:
    """The line of the deepest part of `key` that is in the file, from 1."""
    node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    if node is None:
        return None
    line: int = node.start_mark.line + 1
    for part in key:
        inner = _inner_node(node, part)
        if inner is None:
            return line
        line, node = inner
    return line


def _inner_node(node: yaml.Node, part: str | int) -> tuple[int, yaml.Node] | None:
    """The line (from 1) and the value of a key or an index; None if there is none."""
    if isinstance(node, yaml.MappingNode):
        return _entry(node, str(part))
    if not isinstance(node, yaml.SequenceNode) or not isinstance(part, int):
        return None
    if part >= len(node.value):
        return None
    item = node.value[part]
    return item.start_mark.line + 1, item


def _entry(node: yaml.MappingNode, name: str) -> tuple[int, yaml.Node] | None:
    """The line of a key and its value."""
    for key, value in node.value:
        if key.value == name:
            return key.start_mark.line + 1, value
    return None
