"""Where a project's files are, and their strict loading: every error names file, line
and field."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains, Family

Model = TypeVar("Model", bound=BaseModel)
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
        root = (
            PACKAGE.parent
            if (PACKAGE.parent / "pyproject.toml").exists()
            else Path.cwd()
        )
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
        return load_yaml(self.domains, Domains) if self.domains.exists() else Domains()

    def load_families(self) -> tuple[Family, ...]:
        """All family files, by name.

        ConfigError on the first wrong one, and on a name declared twice.
        """
        seen: dict[str, Path] = {}
        families = []
        for file in sorted(self.families.rglob("*.yaml")):
            family = load_family(file)
            if family.family in seen:
                raise ConfigError(
                    f"family {family.family!r} is also declared in {seen[family.family]}",
                    file=file,
                )
            seen[family.family] = file
            families.append(family)
        return tuple(sorted(families, key=lambda family: family.family))

    def family(self, name: str) -> Family:
        """One family by name; ConfigError lists the known ones."""
        families = {family.family: family for family in self.load_families()}
        if name not in families:
            raise ConfigError(
                f"no family {name!r}", hint=f"known: {', '.join(families) or 'none'}"
            )
        return families[name]


def load_family(file: Path) -> Family:
    """One family file, its schema imported and its examples' and policies' field names
    checked against it."""
    family = load_yaml(file, Family)
    try:
        fields = set(family.model().model_fields)
    except ConfigError as error:
        raise ConfigError(
            error.problem,
            file=file,
            line=_line(file, (error.field,)),
            field=error.field,
        ) from error
    _check_paging(family, file)
    named: list[tuple[tuple[str, ...], str]] = [
        (("drift", "coverage"), name) for name in family.drift.coverage
    ]
    named += [(("drift", "stable"), name) for name in family.drift.stable]
    named += [(("key",), name) for name in family.key if name != "url"]
    named += [
        (("examples",), name)
        for example in family.examples
        for record in example.all
        for name in record
    ]
    for where, name in named:
        if name not in fields:
            raise ConfigError(
                f"{family.record_schema} has no field {name!r}",
                file=file,
                line=_line(file, where),
                field=".".join(where),
                hint=f"fields: {', '.join(sorted(fields))}",
            )
    return family


def _check_paging(family: Family, file: Path) -> None:
    paging, where = family.discover.paging, ("discover", "paging", "in")
    if paging and paging.into == "body" and family.request.method != "POST":
        raise ConfigError(
            "only a POST has a body",
            file=file,
            line=_line(file, where),
            field=".".join(where),
            hint="request: {method: POST, json: {…}}",
        )


def load_yaml(file: Path, model: type[Model]) -> Model:
    """A YAML file as a model."""
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file) from error
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8", file=file) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is not YAML"
        raise ConfigError(
            f"not YAML: {problem}", file=file, line=mark.line + 1 if mark else None
        ) from error
    try:
        return model.model_validate(data if data is not None else {})
    except ValidationError as error:
        first = error.errors()[0]
        loc = tuple(first["loc"])
        raise ConfigError(
            _plain(first["type"], first["msg"]),
            file=file,
            line=_line(file, loc),
            field=".".join(map(str, loc)),
        ) from error


def _plain(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "unknown key"
    if kind == "missing":
        return "is required"
    return message.removeprefix("Value error, ")


def _line(file: Path, loc: tuple[Any, ...]) -> int | None:
    """The line of the deepest part of `loc` that is in the file, from 1."""
    node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    line = node.start_mark.line + 1 if node else None
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            found = next(
                ((key, value) for key, value in node.value if key.value == str(part)),
                None,
            )
            if found is None:
                return line
            line, node = found[0].start_mark.line + 1, found[1]
        elif (
            isinstance(node, yaml.SequenceNode)
            and isinstance(part, int)
            and part < len(node.value)
        ):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            return line
    return line
