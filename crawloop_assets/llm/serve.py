"""Serve one page with a model: it quotes, code reads the quotes as values and keeps
what the page proves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.llm.ask import ask
from crawloop_assets.llm.evidence import PageText, fenced
from crawloop_assets.llm.meaning import how_to_quote, meant_value, quoted_parts
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.question import Ledger, ModelRequest, Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value, as_list

MAX_RECORDS = 200
_WRITTEN_DOWN = "written down"
"""What the part is called that shows an example."""
_MOST_EXAMPLE = 200
"""Characters of a value of an example."""
_NO_EXAMPLE: Mapping[str, Value] = {}
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
    digest: str = ""


@dataclass(frozen=True)
class PageEvidence:
    """What a model is shown of a page: url, html without noise, named JSON islands;
    `is_part` if other questions show the rest of its html."""

    url: str
    html: str
    islands: Sequence[tuple[str, str]] = ()
    is_part: bool = False

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Named texts, as they are shown."""
        return [
            ("html", self.html),
            *((f"json {name}", text) for name, text in self.islands),
        ]


class _Quotes(BaseModel):
    """Base of the answers: what is not asked for is not looked at, and a bare number is
    the quote of one."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


def _as_quotes(value: Any) -> Any:
    """A single quote where a list of them is asked for."""
    return [value] if isinstance(value, str | int | Mapping) else value


def extract_with_model(  # noqa: PLR0913 - all that a call is about
    schema: RecordSchema,
    page: PageEvidence,
    family: Family,
    ledger: Ledger,
    settings: ModelSettings,
    run_id: str | None = None,
    purpose: Purpose = Purpose.SERVE,
    example: Mapping[str, Value] | None = None,
) -> ModelRead:
    """Read a page with a model; `example` is a record of another page, as it is written
    down.

    Raises what `ask` raises. The values are grounded, not proved
    right: the caller validates them and publishes them as served by the model, if the
    family allows it.
    """
    is_detail = family.kind is FamilyKind.DETAIL
    request = page_question(schema, page, family, run_id, purpose, example or {})
    answer = ask(request, ledger, settings)
    rows: list[Mapping[str, Any]] = [
        record.model_dump()
        for record in answer.value.records  # type: ignore[attr-defined]
    ]
    most = 1 if is_detail else MAX_RECORDS
    evidence = PageText(page.parts)
    records, dropped = grounded_values(schema, rows[:most], evidence, page.url)
    return ModelRead(
        records=records,
        dropped=dropped,
        model=answer.model,
        usd=answer.usd,
        cached=answer.cached,
        digest=answer.digest,
    )


def page_question(
    schema: RecordSchema,
    page: PageEvidence,
    family: Family,
    run_id: str | None = None,
    purpose: Purpose = Purpose.SERVE,
    example: Mapping[str, Value] = _NO_EXAMPLE,
) -> ModelRequest[BaseModel]:
    """What a model is asked about a page."""
    is_detail = family.kind is FamilyKind.DETAIL
    # It is of a page, too, and stands where pages stand: among what gives no orders.
    other = [(_WRITTEN_DOWN, text) for text in _written_down(schema, example)]
    described = "\n".join(_described(schema, page, is_detail, bool(other)))
    return ModelRequest(
        family=family.family,
        purpose=purpose,
        system=prompt("serve"),
        user=f"{described}\n\n{fenced(page.url, [*page.parts, *other])}",
        answer=_answer_model(schema),
        run_id=run_id,
    )


def grounded_values(
    schema: RecordSchema,
    rows: Sequence[Mapping[str, Any]],
    evidence: PageText,
    url: str,
) -> tuple[tuple[dict[str, Value], ...], tuple[Dropped, ...]]:
    """Quotes -> typed values.

    A quote that is not in the evidence is dropped, for a list field the whole list is.
    """
    records: list[dict[str, Value]] = []
    dropped: list[Dropped] = []
    for row, quotes in enumerate(rows):
        values: dict[str, Value] = {}
        for spec, quote in _quoted(schema, quotes):
            value, reason = _value(spec, quote, evidence, url)
            if reason:
                dropped.append(Dropped(row, spec.name, str(quote)[:200], reason))
            else:
                values[spec.name] = value
        records.append(values)
    return tuple(filter(None, records)), tuple(dropped)


def _quoted(
    schema: RecordSchema, quotes: Mapping[str, Any]
) -> Iterator[tuple[FieldSpec, Any]]:
    """The fields that a model has quoted something for; an empty quote is how it says
    that the page shows nothing, and what is no field of the schema is not looked at."""
    for spec in schema.fields:
        quote = quotes.get(spec.name)
        if quote not in (None, "", []):
            yield spec, quote


def _value(
    spec: FieldSpec, quote: Any, evidence: PageText, url: str
) -> tuple[Value, str]:
    """The value of a quote and "", or None and why it has none."""
    quotes = as_list(quote)
    if spec.kind is FieldKind.OBJECT:
        return _object(spec, quotes, evidence, url)
    values = []
    for text in map(str, quotes):
        value = meant_value(text, spec, url)
        if value is None:
            return None, f"not a {spec.kind.value}"
        if not _is_shown(text, value, spec, evidence, url):
            return None, "does not stand on the page"
        values.append(value)
    return (values[0] if spec.shape is Shape.ONE else values), ""


def _is_shown(
    text: str, value: Value, spec: FieldSpec, evidence: PageText, url: str
) -> bool:
    """True if the page holds all parts of a quote, or its number written in another
    way; of an address the whole of it."""
    if spec.kind is FieldKind.URL:
        return value in evidence.leads_to(url)
    if all(map(evidence.holds, quoted_parts(text, spec))):
        return True
    return spec.kind in _NUMERIC and evidence.holds_number(Decimal(str(value)))


def _object(
    spec: FieldSpec, quotes: Sequence[Any], evidence: PageText, url: str
) -> tuple[Value, str]:
    """The objects of quotes and "", or None and why there are none."""
    inner = RecordSchema(name=spec.name, fields=spec.fields)
    rows = [quote for quote in quotes if isinstance(quote, Mapping)]
    records, dropped = grounded_values(inner, rows, evidence, url)
    if dropped:
        return None, dropped[0].reason
    if not records:
        return None, "nothing of it stands on the page"
    return (records[0] if spec.shape is Shape.ONE else list(records)), ""


def _answer_model(schema: RecordSchema) -> type[BaseModel]:
    """Every field a quote: a text, a list of texts, or null."""
    record = _quotes_model(schema.name, schema.fields)
    return create_model(
        "Records",
        __base__=_Quotes,
        records=(list[record], Field(max_length=MAX_RECORDS)),  # type: ignore[valid-type]
    )


def _quotes_model(name: str, fields: Sequence[FieldSpec]) -> type[BaseModel]:
    """The quotes of one record, each field as its shape asks for, or null."""
    quotes: dict[str, Any] = {}
    for spec in fields:
        quote: Any = str
        if spec.kind is FieldKind.OBJECT:
            quote = _quotes_model(f"{name}_{spec.name}", spec.fields)
        if spec.shape is not Shape.ONE:
            quote = Annotated[list[quote], BeforeValidator(_as_quotes)]
        quotes[spec.name] = (quote | None, None)
    return create_model(name, __base__=_Quotes, **quotes)


def _described(
    schema: RecordSchema, page: PageEvidence, is_detail: bool, has_example: bool
) -> Iterator[str]:
    """The fields of a record, as a model is told of them, and what else it has to know
    of the question."""
    about = "The page is about one." if is_detail else "The page lists several."
    yield f"Kind of record: {schema.name}. {about}"
    yield "Fields:"
    for spec in schema.fields:
        yield f"- {spec.name}: {'; '.join(_words(spec))}"
    if page.is_part:
        yield (
            "This is a part of the page. A record that is not whole in it is whole in another part: leave it out."
        )
    if has_example:
        yield (
            f"[{_WRITTEN_DOWN}] is a record of another page. Copy as much of this page for each field as was "
            "copied there, in the same form, but nothing of that record."
        )


def _written_down(schema: RecordSchema, example: Mapping[str, Value]) -> Iterator[str]:
    """The short texts of an example, if it has any."""
    texts = [one.name for one in schema.fields if one.kind is FieldKind.TEXT]
    lengths = range(1, _MOST_EXAMPLE)
    written = {
        name: example[name]
        for name in texts
        if len(str(example.get(name, ""))) in lengths
    }
    if written:
        yield json.dumps(written, ensure_ascii=False)


def _words(spec: FieldSpec) -> list[str]:
    """What is known of a field: its kind, then whatever its schema says."""
    kind = spec.kind.value
    known = (
        (True, kind if spec.shape is Shape.ONE else f"list of {kind}"),
        (spec.required, "required"),
        (spec.choices, f"one of {', '.join(spec.choices)}"),
        (how_to_quote(spec), how_to_quote(spec)),
        (spec.aliases, f"also called {', '.join(spec.aliases)}"),
        (spec.description, spec.description),
    )
    return [words for is_known, words in known if is_known]
