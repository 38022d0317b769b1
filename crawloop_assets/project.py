"""Where a project's files are, and what they declare.

A family whose file is wrong is broken by itself: all others go on.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from crawloop_assets.closest import meant
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domain, Domains, Family, FamilyExample
from crawloop_assets.family_files import (
    DECLARED,
    component_files,
    read_family,
)
from crawloop_assets.record import objection_to, to_values, wrong_parts
from crawloop_assets.written import name_within
from crawloop_assets.yaml_file import Key, load_yaml, wrong_at

PACKAGE = Path(__file__).parent
_OWNER_ONLY = 0o700
_NO_PROJECT = "there is no project in {}, nor in a folder above it"
_MAKE_ONE = (
    "`crawloop init DIR` makes one; go to its folder, or set CRAWLOOP_HOME to it"
)
_NO_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class BrokenFamily:
    """A family that cannot run because its file is wrong: its name, as far as that can
    be told, and the error with file, line and field."""

    name: str
    error: ConfigError


class DeclaredFamilies(NamedTuple):
    """What the family files of a project declare, by name: those that can run, and
    those that cannot."""

    families: tuple[Family, ...]
    broken: tuple[BrokenFamily, ...]


@dataclass(frozen=True)
class Project:
    """The folders of one project, as `crawloop init` makes one.

    In a checkout nothing has to be made: families and domains.yaml are the package's
    own, everything else lies in the checkout.
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
        """The project that `CRAWLOOP_HOME` names, else the one that the current folder
        lies in, else the checkout. What it holds can be imported from then on.

        ConfigError if there is none.
        """
        found = cls._found()
        found.make_importable()
        return found

    @classmethod
    def _found(cls) -> "Project":
        """The same."""
        if home := os.environ.get("CRAWLOOP_HOME"):
            return cls.at(Path(home).resolve())
        here = Path.cwd()
        for folder in (here, *here.parents):
            if folder != PACKAGE and _is_project(folder):
                return cls.at(folder)
        root = PACKAGE.parent
        if not (root / "pyproject.toml").exists():
            raise ConfigError(_NO_PROJECT.format(here), hint=_MAKE_ONE)
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

    def make_importable(self) -> None:
        """Put the project's folder before all others that Python imports from: its
        `schemas` and `resources` are the user's, whatever else is installed."""
        if str(self.root) not in sys.path[:1]:
            sys.path.insert(0, str(self.root))

    def load_domains(self) -> Domains:
        """domains.yaml; no file means nothing may be fetched."""
        self.make_importable()
        if not self.domains.exists():
            return Domains()
        domains = load_yaml(self.domains, Domains)
        for place, domain in enumerate(domains.domains):
            _check_hook(domain, self.domains, place)
        return domains

    def read_families(self) -> DeclaredFamilies:
        """All family files; a wrong one, and a name declared twice, costs that family
        alone."""
        self.make_importable()
        families: dict[str, Family] = {}
        broken: dict[str, BrokenFamily] = {}
        file_of: dict[str, Path] = {}
        for file in self.family_files():
            try:
                family = load_family(file)
                name = family.family
                _check_single(name, file, file_of)
                _check_slug(family, file, families)
                families[name] = family
            except ConfigError as error:
                name = _name_in(file)
                broken[name] = BrokenFamily(name, error)
            file_of[name] = file
        good = [families[name] for name in sorted(families) if name not in broken]
        return DeclaredFamilies(
            tuple(good), tuple(broken[name] for name in sorted(broken))
        )

    def family_files(self) -> list[Path]:
        """Every file that declares a family: those of `families/`, and components."""
        return [*sorted(self.families.rglob("*.yaml")), *component_files(self.root)]

    def components(self) -> frozenset[str]:
        """The names of the families that are declared as Dagster components."""
        return frozenset(map(_name_in, component_files(self.root)))

    def load_families(self) -> tuple[Family, ...]:
        """All families, by name; ConfigError on the first that is broken."""
        families, broken = self.read_families()
        for one in broken:
            raise one.error
        return families

    def family(self, name: str) -> Family:
        """One family by name; ConfigError lists the known ones, and says of a broken
        one what is wrong with it."""
        families, broken = self.read_families()
        for family in families:
            if family.family == name:
                return family
        for one in broken:
            if one.name == name:
                raise one.error
        names = [*map(attrgetter("family"), families), *map(attrgetter("name"), broken)]
        raise ConfigError(f"no family {name!r}", hint=meant(name, names))


def _is_project(folder: Path) -> bool:
    """Whether a folder holds what makes a project: families, and what may be asked."""
    return (folder / "families").is_dir() and (folder / "domains.yaml").is_file()


def private_folder(folder: Path) -> Path:
    """A folder that is this user's alone, made if it is not there: sessions, pages and
    locks in it are nobody else's."""
    folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        folder.chmod(_OWNER_ONLY)
    return folder


@contextmanager
def part_of(file: Path) -> Iterator[Path]:
    """A name beside a file for what is to take its place in one step. No other process
    writes under it, on no machine that shares the folder; what did not take the place is
    gone after the block."""
    part = file.with_name(f".{file.name}.{uuid4().hex}.part")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def replace_whole(file: Path, text: str) -> None:
    """Write a file in one step, in the place of one that is there: nobody reads half of
    it."""
    with part_of(file) as part:
        part.write_text(text, encoding="utf-8")
        part.replace(file)


def create_whole(file: Path, content: bytes) -> None:
    """Write a new file in one step; FileExistsError if one has appeared meanwhile."""
    with part_of(file) as part:
        part.write_bytes(content)
        os.link(part, file)


def _check_hook(domain: Domain, file: Path, place: int) -> None:
    """ConfigError, with the line, for a captcha hook that is not there."""
    try:
        domain.captcha_hook()
    except ConfigError as error:
        key = ("domains", place, error.field)
        raise wrong_at(file, key, error.problem) from error


def _check_single(name: str, file: Path, file_of: dict[str, Path]) -> None:
    """ConfigError if another file declares the same name: nobody can tell which of the
    two is meant."""
    if name in file_of:
        raise ConfigError(
            f"family {name!r} is also declared in {file_of[name]}", file=file
        )


def _check_slug(family: Family, file: Path, families: Mapping[str, Family]) -> None:
    """ConfigError if jobs, ops and partitions of another family have the same names."""
    for other in families.values():
        if other.slug == family.slug and other.family != family.family:
            raise wrong_at(
                file,
                ("family",),
                f"{family.family} and {other.family} are one name to Dagster",
                "write `/` between the words, or take another name",
            )


def _name_in(file: Path) -> str:
    """What a file that is wrong calls its family, as far as that can be read; else the
    name of the file."""
    text = ""
    with suppress(OSError):
        text = file.read_text(encoding="utf-8", errors="replace")
    declared = DECLARED.search(text)
    if declared:
        return name_within(declared[1])
    name = _NO_NAME.sub("_", file.stem.lower()).strip("_")
    return name_within(name) or "unnamed"


def load_family(file: Path) -> Family:
    """One family file, its schema imported and its examples' and policies' field names
    checked against it.

    Raises ConfigError with file, line and field of the first thing that is wrong.
    """
    family, top = read_family(file)
    try:
        fields = set(family.model().model_fields)
    except ConfigError as error:
        raise wrong_at(file, (*top, error.field), error.problem) from error
    for wrong in (*_wrong_paging(family), *_wrong_names(family, fields)):
        raise wrong_at(file, (*top, *wrong.key), wrong.problem, wrong.hint)
    return family


class _Wrong(NamedTuple):
    """What does not fit, and where it stands in a family."""

    key: Key
    problem: str
    hint: str


def examples_lacking(file: Path) -> Iterator[ConfigError]:
    """What of a family file that is right may be a slip: examples without a field that
    every record has, or with a value that none may have."""
    family, top = read_family(file)
    required = {spec.name for spec in family.schema_spec().fields if spec.required}
    for at, example in enumerate(family.examples):
        for name, value, objection in _refused_values(family, example):
            yield wrong_at(
                file,
                (*top, "examples", at),
                f"{value!r} is no {name} of {family.record_schema}: {objection}",
                hint="write what the page shows",
            )
        for record in example.all:
            # A page's address fills the field `url`.
            lacking = ", ".join(sorted(required - record.keys() - {"url"}))
            if lacking:
                yield wrong_at(
                    file,
                    (*top, "examples", at),
                    f"the example lacks {lacking}, which every record of {family.record_schema} has",
                    hint="write what the page shows, or make the field optional",
                )


def _refused_values(
    family: Family, example: FamilyExample
) -> Iterator[tuple[str, object, str]]:
    """The field, the value and what the model says against it, of an example."""
    model, schema = family.model(), family.schema_spec()
    for record in example.all:
        for name, value in to_values(record, schema).items():
            parts = wrong_parts(schema.field(name), record[name])
            if objection := parts or objection_to(model, name, value):
                yield name, record[name], objection


def _wrong_names(family: Family, fields: Set[str]) -> Iterator[_Wrong]:
    """A misspelt name would switch a policy off without a word."""
    for key, names in _field_names(family).items():
        for name in names:
            if name not in fields:
                problem = f"{family.record_schema} has no field {name!r}"
                yield _Wrong(key, problem, meant(name, fields, "fields"))


def _field_names(family: Family) -> dict[Key, list[str]]:
    """The names of fields in a family file, by where they are."""
    in_examples: list[str] = []
    for example in family.examples:
        for record in example.all:
            in_examples.extend(record)
    return {
        ("drift", "coverage"): list(family.drift.coverage),
        ("drift", "stable"): list(family.drift.stable),
        ("drift", "gone"): list(family.drift.gone),
        ("heal", "model_fields"): list(family.heal.fields_by_model),
        # The page's address may be a key without being a field.
        ("key",): [name for name in family.key if name != "url"],
        ("examples",): in_examples,
    }


def _wrong_paging(family: Family) -> Iterator[_Wrong]:
    """What is declared in two places has to fit: the way of asking and of paging."""
    paging = family.discover.paging
    if paging is None or paging.into != "body" or family.request.method == "POST":
        return
    yield _Wrong(
        ("discover", "paging", "in"),
        "only a POST has a body",
        "request: {method: POST, json: {…}}",
    )
