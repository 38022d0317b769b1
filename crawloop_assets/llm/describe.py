"""The fields of a record, from a wish in prose: a model names them, code decides what may
be a name."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from crawloop_assets.errors import NoModelAnswer
from crawloop_assets.llm.ask import ask
from crawloop_assets.llm.evidence import fenced
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.question import Ledger, ModelRequest, Purpose
from crawloop_assets.llm.serve import PageEvidence
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.scout.naming import plain_name, safe_name

_MOST_FIELDS = 30
_MOST_WORDS = 5
_LONGEST = 2_000
_Word = Annotated[str, Field(max_length=60)]


_KINDS = {
    "str": "text",
    "string": "text",
    "float": "number",
    "decimal": "number",
    "price": "number",
    "int": "integer",
    "bool": "boolean",
    "duration": "minutes",
    "timestamp": "datetime",
    "link": "url",
    "uri": "url",
    "image": "url",
}
"""What models call a kind that has another name."""


def _as_kind(kind: Any) -> Any:
    """A kind by its name here."""
    name = str(kind).strip().lower()
    return _KINDS.get(name, name)


class _Wished(BaseModel):
    """One field that is wished for."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(max_length=60)
    kind: Annotated[
        Literal[
            "text", "number", "integer", "boolean", "minutes", "date", "datetime", "url"
        ],
        BeforeValidator(_as_kind),
    ] = "text"
    several: bool = False
    words: list[_Word] = []
    about: str = Field("", max_length=300)


class _Wish(BaseModel):
    """All of them."""

    fields: list[_Wished] = Field(min_length=1, max_length=_MOST_FIELDS)
    page_lists_several: bool = False


class Described(NamedTuple):
    """The fields that are wished for, and whether a page lists several such records."""

    schema: RecordSchema
    lists_several: bool


def described(
    wish: str, page: PageEvidence, family: str, ledger: Ledger, settings: ModelSettings
) -> Described:
    """What prose asks for on a page, of which the first field names a record and is
    required; raises what `ask` raises."""
    user = f"The wish: {wish[:_LONGEST]}\n\n{fenced(page.url, page.parts)}"
    request = ModelRequest(family, Purpose.SCHEMA, prompt("schema"), user, _Wish)
    answer = ask(request, ledger, settings).value
    fields = _fields(answer.fields)
    if not fields:
        raise NoModelAnswer(f"The model named no field for {wish[:80]!r}")
    first, *others = fields
    named = first.model_copy(update={"required": first.shape is Shape.ONE})
    schema = RecordSchema(name="Described", fields=(named, *others))
    return Described(schema, answer.page_lists_several)


def _fields(wished: Sequence[_Wished]) -> list[FieldSpec]:
    """The fields that have a name, each once."""
    found: dict[str, FieldSpec] = {}
    for one in wished:
        plain = plain_name(one.name)
        if not plain or plain in found:
            continue
        taken = list(map(attrgetter("name"), found.values()))
        found[plain] = FieldSpec(
            name=safe_name(plain, taken),
            kind=FieldKind(one.kind),
            shape=Shape.LIST if one.several else Shape.ONE,
            aliases=tuple(filter(None, map(str.strip, one.words[:_MOST_WORDS]))),
            description=" ".join(one.about.split()),
        )
    return list(found.values())
