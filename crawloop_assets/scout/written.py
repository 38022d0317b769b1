"""A proposal as the files of a project: the model of its records, and the family."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress, islice
from operator import attrgetter
from typing import Any

import yaml

from crawloop_assets.schema import FieldKind, Shape
from crawloop_assets.scout.naming import plain_name
from crawloop_assets.scout.proposal import Proposal, ProposedField
from crawloop_assets.values.text import sound, sound_data

_TYPES = {
    FieldKind.TEXT: "str",
    FieldKind.NUMBER: "Decimal",
    FieldKind.INTEGER: "int",
    FieldKind.BOOLEAN: "bool",
    FieldKind.MINUTES: "int",
    FieldKind.DATE: "dt.date",
    FieldKind.DATETIME: "dt.datetime",
    FieldKind.URL: "HttpUrl",
}
_SHAPES = {Shape.ONE: "{}", Shape.LIST: "list[{}]", Shape.SET: "set[{}]"}
_LONGEST_LINE = 100
_MODEL = '''"""What `crawloop scout` found on {site}: change names, types and bounds as you like."""

{imports}


class {name}(BaseModel):
    """One record of {family}."""

{body}
'''
_HEAD = (
    "# Proposed by `crawloop scout {url}`; every key is explained in docs/family.md.\n"
)
_PRINTABLE = re.compile(r"[^!-~]+")
_UNQUOTED = re.compile(r"[^!-~]+|[\"\\]")
_WIDE = 10_000
_WITHOUT_OPTIONS = (" = None", "")


Spoken = tuple[int, str, str]
"""A page by its position, a field, and what a person says it holds there."""


@dataclass(frozen=True)
class FamilyFiles:
    """The files of one proposal: names of family and model, what is discovered, and
    where it was found.

    `discover` and `extra` are keys of the family file; `schema` names a model that is
    there already; `said` is what a person said of single cells.
    """

    family: str
    url: str
    proposal: Proposal
    discover: Mapping[str, Any]
    examples: tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    schema: str = ""
    said: frozenset[Spoken] = frozenset()

    @property
    def module(self) -> str:
        """The module of the model, inside `schemas`."""
        return self.family.replace("/", "_")

    @property
    def model(self) -> str:
        """The class of the model: shop/item -> ShopItem."""
        return "".join(map(str.capitalize, re.split("[/_]", self.family)))

    @property
    def schema_path(self) -> str:
        """Where the model's file lies in a project."""
        return f"schemas/{self.module}.py"

    @property
    def family_path(self) -> str:
        """Where the family's file lies in a project."""
        return f"families/{self.module}.yaml"

    def schema_text(self) -> str:
        """The model as Python. What a page says stands in it as quoted text only."""
        fields = self.proposal.fields
        lines = list(_model_lines(fields))
        return _MODEL.format(
            site=_UNQUOTED.sub("", self.url)[:200],
            imports="\n".join(_imports("\n".join(lines))),
            name=self.model,
            family=self.family,
            body="\n".join(lines),
        )

    def family_text(self) -> str:
        """The family as YAML."""
        data: dict[str, Any] = {
            "family": self.family,
            "schema": self.schema or f"schemas.{self.module}:{self.model}",
            "key": list(self.proposal.key),
            "kind": self.proposal.kind.value,
        }
        notation = self.proposal.notation.model_dump(exclude_defaults=True)
        if notation:
            data["notation"] = notation
        data |= {"discover": dict(self.discover), **self.extra}
        if self.examples:
            data["examples"] = [
                _example(url, rows, self.proposal) for url, rows in self.examples
            ]
        text = yaml.safe_dump(
            sound_data(data), sort_keys=False, allow_unicode=True, width=_WIDE
        )
        return _HEAD.format(url=_PRINTABLE.sub("", self.url)[:300]) + text


def _example(
    url: str, rows: Iterable[Mapping[str, Any]], proposal: Proposal
) -> dict[str, Any]:
    """An example as a family file has it."""
    records = list(map(dict, rows))
    if proposal.kind.value == "detail":
        return {"url": url, "record": records[0]}
    return {"url": url, "records": records}


def _imports(body: str) -> Iterator[str]:
    """The import lines that the lines of a model need, standard library first."""
    used = partial(_is_used, body)
    typing = ", ".join(filter(used, ("ClassVar", "Literal")))
    lines = {
        "dt.": "import datetime as dt",
        "Decimal": "from decimal import Decimal",
        "ClassVar": f"from typing import {typing}",
        "Literal": f"from typing import {typing}",
    }
    standard = dict.fromkeys(map(lines.__getitem__, filter(used, lines)))
    yield from standard
    yield from islice(("",), len(standard))
    names = ", ".join(filter(used, ("BaseModel", "Field", "HttpUrl")))
    yield f"from pydantic import {names}"


def _is_used(body: str, name: str) -> bool:
    """Whether a model uses a name; it always uses its base."""
    return name == "BaseModel" or name in body


def _model_lines(fields: Sequence[ProposedField]) -> Iterator[str]:
    """The lines of a model's body."""
    volatile = filter(attrgetter("spec.volatile"), fields)
    names = ", ".join(sorted(map(_quoted, map(attrgetter("spec.name"), volatile))))
    if names:
        yield f"    VOLATILE: ClassVar = {{{names}}}  # changes from day to day: news, not drift"
        yield ""
    yield from map(_field_line, fields)


def _field_line(one: ProposedField) -> str:
    """One field: `price: Decimal | None = Field(default=None, ge=0)`."""
    spec = one.spec
    options = list(_options(one))
    typed = _SHAPES[spec.shape].format(_type_of(one))
    value = f" = Field({', '.join(options)})"
    if not spec.required:
        typed = f"{typed} | None"
        value = f" = Field({', '.join(['default=None', *options])})"
    if not options:
        value = _WITHOUT_OPTIONS[spec.required]
    line = f"    {spec.name}: {typed}{value}"
    note = f"  # {', '.join(one.sources)}"
    return line + note[: _LONGEST_LINE * (len(line) < _LONGEST_LINE)]


def _type_of(one: ProposedField) -> str:
    """The type of one value."""
    if one.spec.kind is FieldKind.CHOICE:
        return f"Literal[{', '.join(map(_quoted, one.spec.choices))}]"
    return _TYPES[one.spec.kind]


def _options(one: ProposedField) -> Iterator[str]:
    """What a field says beyond its type."""
    spec = one.spec
    is_single = spec.required and spec.shape is Shape.ONE
    aliases = ", ".join(map(_quoted, spec.aliases))
    extra = {
        f'"aliases": [{aliases}]': bool(aliases),
        '"unit": "minutes"': spec.kind is FieldKind.MINUTES,
    }
    extras = ", ".join(compress(extra, extra.values()))
    options = {
        "min_length=1": is_single and spec.kind is FieldKind.TEXT,
        f"ge={one.least}": one.least is not None,
        f"le={one.most}": one.most is not None,
        f"json_schema_extra={{{extras}}}": bool(extras),
    }
    yield from compress(options, options.values())


def _quoted(text: str) -> str:
    """A text as Python writes it, in double quotes: nothing in it ends the quotes or the
    line, or turns the direction of writing."""
    return json.dumps(sound(text), ensure_ascii=False)


def base_name(host: str) -> str:
    """A name for the families of a site, after its host: books.toscrape.com ->
    books_toscrape."""
    labels = host.casefold().removeprefix("www.").rpartition(".")
    name = plain_name((labels[0] or labels[2]).replace(".", " "))
    return name or "site"
