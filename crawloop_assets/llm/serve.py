"""Serve one page with a model: it quotes, code reads the quotes as values and keeps
what the page proves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.llm.ask import Ledger, ModelRequest, Purpose, ask
from crawloop_assets.llm.evidence import PageText, fenced
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_MOST_RECORDS = 200
_NUMERIC = (FieldKind.NUMBER, FieldKind.INTEGER)


@dataclass(frozen=True)
class Dropped:
    """A quote that was not kept: it does not stand on the page, or is no value of its
    field."""

    row: int
    field: str
    quote: str
    reason: str


@dataclass(frozen=True)
class ModelRead:
    """What a model read on a page: typed JSON values per record, what was dropped, and
    the model."""

    records: tuple[dict[str, Value], ...]
    dropped: tuple[Dropped, ...]
    model: str
    usd: float | None
    cached: bool = False


@dataclass(frozen=True)
class PageEvidence:
    """What a model is shown of a page: url, html without noise, named JSON islands."""

    url: str
    html: str
    islands: Sequence[tuple[str, str]] = ()

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Named texts, as they are shown."""
        return [
            ("html", self.html),
            *((f"json {name}", text) for name, text in self.islands),
        ]


class _Quotes(BaseModel):
    """Base of the answers."""

    model_config = ConfigDict(extra="forbid")


def extract_with_model(
    schema: RecordSchema,
    page: PageEvidence,
    family: Family,
    ledger: Ledger,
    settings: ModelSettings,
    run_id: str | None = None,
) -> ModelRead:
    """Read a page with a model.

    Raises OverBudget or ModelUnavailable (see ask). The values are grounded, not proved
    right: the caller validates them and publishes them as served by the model, if the
    family allows it.
    """
    one = family.kind is FamilyKind.DETAIL
    user = f"{_described(schema, one)}\n\n{fenced(page.url, page.parts)}"
    request = ModelRequest(
        family.family,
        Purpose.SERVE,
        prompt("serve"),
        user,
        _answer_model(schema),
        run_id,
    )
    answer = ask(request, ledger, settings)
    rows: list[Mapping[str, Any]] = [
        record.model_dump()
        for record in answer.value.records  # type: ignore[attr-defined]
    ]
    records, dropped = grounded_values(
        schema, rows[: 1 if one else _MOST_RECORDS], PageText(page.parts), page.url
    )
    return ModelRead(records, dropped, answer.model, answer.usd, answer.cached)


def grounded_values(
    schema: RecordSchema, rows: Sequence[Mapping[str, Any]], ground: PageText, url: str
) -> tuple[tuple[dict[str, Value], ...], tuple[Dropped, ...]]:
    """Quotes -> typed values.

    A quote that is not in the evidence is dropped, for a list field the whole list is.
    """
    records: list[dict[str, Value]] = []
    dropped: list[Dropped] = []
    for row, quotes in enumerate(rows):
        values: dict[str, Value] = {}
        for spec in schema.fields:
            quote = quotes.get(spec.name)
            if quote in (None, "", []):
                continue
            value, reason = _value(spec, quote, ground, url)
            if reason:
                dropped.append(Dropped(row, spec.name, str(quote)[:200], reason))
            else:
                values[spec.name] = value
        if values:
            records.append(values)
    return tuple(records), tuple(dropped)


def _value(
    spec: FieldSpec, quote: Any, ground: PageText, url: str
) -> tuple[Value, str]:
    if spec.kind is FieldKind.OBJECT:
        return _object(spec, quote, ground, url)
    items = quote if isinstance(quote, list) else [quote]
    values = []
    for item in items:
        value = parse_value(str(item), spec, url)
        if value is None:
            return None, f"not a {spec.kind.value}"
        if not ground.holds(str(item)) and not (
            spec.kind in _NUMERIC and ground.holds_number(Decimal(str(value)))
        ):
            return None, "does not stand on the page"
        values.append(value)
    return (values[0] if spec.shape is Shape.ONE else values), ""


def _object(
    spec: FieldSpec, quote: Any, ground: PageText, url: str
) -> tuple[Value, str]:
    inner = RecordSchema(name=spec.name, fields=spec.fields)
    parts = quote if isinstance(quote, list) else [quote]
    found, lost = grounded_values(
        inner, [part for part in parts if isinstance(part, Mapping)], ground, url
    )
    if lost or not found:
        return None, lost[0].reason if lost else "nothing of it stands on the page"
    return (found[0] if spec.shape is Shape.ONE else list(found)), ""


def _answer_model(schema: RecordSchema) -> type[BaseModel]:
    """Every field a quote: a text, a list of texts, or null."""
    record = _quotes_model(schema.name, schema.fields)
    return create_model(
        "Records",
        __base__=_Quotes,
        records=(list[record], Field(max_length=_MOST_RECORDS)),  # type: ignore[valid-type]
    )


def _quotes_model(name: str, fields: Sequence[FieldSpec]) -> type[BaseModel]:
    quotes: dict[str, Any] = {}
    for spec in fields:
        item: Any = (
            _quotes_model(f"{name}_{spec.name}", spec.fields)
            if spec.kind is FieldKind.OBJECT
            else str
        )
        quotes[spec.name] = (
            (item if spec.shape is Shape.ONE else list[item]) | None,
            ...,
        )
    return create_model(name, __base__=_Quotes, **quotes)


def _described(schema: RecordSchema, one: bool) -> str:
    lines = [
        f"Kind of record: {schema.name}. {'The page is about one.' if one else 'The page lists several.'}",
        "Fields:",
    ]
    for spec in schema.fields:
        words = [
            spec.kind.value if spec.shape is Shape.ONE else f"list of {spec.kind.value}"
        ]
        words += ["required"] if spec.required else []
        words += [f"one of {', '.join(spec.choices)}"] if spec.choices else []
        words += [f"also called {', '.join(spec.aliases)}"] if spec.aliases else []
        words += [spec.description] if spec.description else []
        lines.append(f"- {spec.name}: {'; '.join(words)}")
    return "\n".join(lines)
