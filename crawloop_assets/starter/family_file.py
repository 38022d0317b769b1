"""A new family file, and a family file that gets another name."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.family_files import DECLARED
from crawloop_assets.project import Project, load_family, part_of, replace_whole
from crawloop_assets.starter.completion import schema_line

_TEXT = """\
{line}family: {name}
schema: {schema}
key: [url]                       # {key}
kind: {kind}
discover:
  seeds: {seeds}
  include: {include}             # patterns, one of which is in the path of a page of this family
# Two or three pages you read yourself; where linked data is on the pages, none.
# examples:
#   - url: {url}
#     {example}
"""
_KEY = "what makes a record the same record"
_KEY_OF_ROWS = f"{_KEY}; where rows have no url, the fields that tell them apart"
_KEYS = {
    FamilyKind.DETAIL: _KEY,
    FamilyKind.LISTING: _KEY_OF_ROWS,
    FamilyKind.JSON: _KEY_OF_ROWS,
}
_EXAMPLES = {
    FamilyKind.DETAIL: "record: {{{values}}}",
    FamilyKind.LISTING: "records: [{{{values}}}, {{{values}}}]   # the first rows, in their order",
    FamilyKind.JSON: "records: [{{{values}}}]   # one row as the answer has it",
}


@dataclass(frozen=True)
class NewFamily:
    """What a person says of a family that is to be declared."""

    name: str
    schema: str
    seeds: Sequence[str] = ()
    include: Sequence[str] = ()
    kind: FamilyKind = FamilyKind.DETAIL


def write_family(project: Project, new: NewFamily) -> tuple[Path, Family]:
    """A file for a new family, read again as every file is.

    ConfigError, and no file, if the name is taken or anything is wrong.
    """
    check_new_name(project, new.name)
    file = project.families / f"{new.name.replace('/', '_')}.yaml"
    if file.exists():
        raise ConfigError("is there already", file=file, hint="choose another name")
    try:
        with part_of(file) as part:
            part.write_text(_text(project, new, file, ()), encoding="utf-8")
            family = load_family(part)
            fields = list(family.model().model_fields)
            part.write_text(_text(project, new, file, fields), encoding="utf-8")
            part.replace(file)
    except ConfigError as error:
        # The line is one of a file that nobody has.
        raise ConfigError(error.problem, field=error.field, hint=error.hint) from error
    return file, family


def check_new_name(project: Project, name: str) -> None:
    """ConfigError if that is no name of a family, or is taken."""
    if not DECLARED.fullmatch(f"family: {name}"):
        raise ConfigError(
            f"{name!r} is no name", hint="small letters, digits, _ and /: shop/product"
        )
    families, broken = project.read_families()
    if name in {*map(attrgetter("family"), families), *map(attrgetter("name"), broken)}:
        raise ConfigError(f"family {name!r} is declared already")


def rename_in_file(project: Project, old: str, new: str) -> Path | None:
    """Write another name into the file that declares a family, and nothing else; None if
    no file declares it."""
    for file in project.family_files():
        text = file.read_text(encoding="utf-8")
        said = DECLARED.search(text)
        if said and said[1] == old:
            changed = text[: said.start(1)] + new + text[said.end(1) :]
            replace_whole(file, changed)
            return file
    return None


def _text(project: Project, new: NewFamily, file: Path, fields: Iterable[str]) -> str:
    """The file, with an example of so many fields to be filled in."""
    values = ", ".join(f"{name}: …" for name in fields)
    return _TEXT.format(
        line=schema_line("family", file, project),
        name=new.name,
        schema=new.schema,
        key=_KEYS[new.kind],
        kind=new.kind.value,
        seeds=json.dumps(list(new.seeds), ensure_ascii=False),
        include=json.dumps(list(new.include), ensure_ascii=False),
        url=next(iter(new.seeds), "https://…"),
        example=_EXAMPLES[new.kind].format(values=values),
    )
