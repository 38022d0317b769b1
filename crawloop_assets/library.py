"""The library: compile, extract and heal without Dagster.

Pages are parsed in sandbox workers here, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import Example, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.errors import CompileFailed, CrawlerFault
from crawloop_assets.induce.healing.heal import FieldDecision
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate
from crawloop_assets.sandbox import CompileJob, ExtractJob, HealJob, default_pool
from crawloop_assets.schema import RecordSchema, schema_of

Model = TypeVar("Model", bound=BaseModel)
KnownRecord = BaseModel | Mapping[str, Any]
DateOrder = Literal["DMY", "MDY", "YMD"]

GATE_AGREEMENT = 0.8
GATE_READERS = 2


@dataclass(frozen=True)
class Crawler(Generic[Model]):
    """A program and the record model it serves.

    `program.to_json()` is what to store.
    """

    model: type[Model]
    schema: RecordSchema
    program: Program


@dataclass(frozen=True)
class FieldResult:
    """The weakest vote for a field over the records of a page."""

    agreement: float
    live_readers: int
    readers: int

    @property
    def sure(self) -> bool:
        """Whether the value passes the publish gate by votes alone."""
        return self.agreement >= GATE_AGREEMENT and self.live_readers >= GATE_READERS


@dataclass(frozen=True)
class Result(Generic[Model]):
    """What a crawler read on one page.

    `held` says in plain words what would keep it from being published.
    """

    records: tuple[Model, ...]
    fields: Mapping[str, FieldResult]
    verdict: Verdict
    held: tuple[str, ...] = ()


@dataclass(frozen=True)
class Healed(Generic[Model]):
    """`crawler` is None when the fields that broke could not be recovered; `fields`
    says why, one by one."""

    crawler: Crawler[Model] | None
    fields: Mapping[str, FieldDecision]
    reason: str


def compile_crawler(
    model: type[Model],
    examples: Sequence[tuple[Page, Sequence[KnownRecord]]] = (),
    *,
    pages: Sequence[Page] = (),
    kind: FamilyKind | str = FamilyKind.DETAIL,
    date_order: DateOrder | None = None,
) -> Crawler[Model]:
    """Compile a crawler from pages with known records, with no model and no network.

    Without examples the structured data on `pages` (JSON-LD, microdata, JSON islands)
    is the teacher. CompileFailed carries the reason per field.
    """
    schema = schema_of(model, date_order)
    all_pages, known = _teach(examples, pages, schema)
    compiled = default_pool().run(
        CompileJob(
            schema=schema, pages=all_pages, examples=known, kind=FamilyKind(kind)
        )
    )
    if compiled.program is None:
        raise CompileFailed(
            f"no crawler for {model.__name__}",
            {
                score.field: score.reason
                for score in compiled.scores.fields
                if score.reason
            },
        )
    return Crawler(model, schema, compiled.program)


def extract(crawler: Crawler[Model], page: Page) -> Result[Model]:
    """Read one page.

    Never raises for what is on the page: a fault of the crawler is the verdict `drift`.
    """
    try:
        extraction = (
            default_pool()
            .run(ExtractJob(program=crawler.program.to_json(), page=page))
            .extraction
        )
    except CrawlerFault as fault:
        return Result((), {}, Verdict.DRIFT, (f"{type(fault).__name__}: {fault}",))
    records: list[Model] = []
    held: list[str] = []
    for extracted in extraction.records:
        values = dict(extracted.values)
        if any(spec.name == "url" for spec in crawler.schema.fields):
            values.setdefault("url", page.url)
        try:
            records.append(cast(Model, validate(crawler.model, values)))
        except ValidationError as error:
            held.extend(
                f"{'.'.join(map(str, item['loc']))}: {item['msg']}"
                for item in error.errors()
            )
    fields = _weakest(extraction)
    if not extraction.records:
        held.append("no record was found")
    held.extend(
        f"{name}: only {result.agreement:.0%} of the readers' weight agrees"
        for name, result in fields.items()
        if result.readers >= GATE_READERS and not result.sure
    )
    return Result(
        tuple(records), fields, Verdict.OK if records else Verdict.DRIFT, tuple(held)
    )


def heal_crawler(
    crawler: Crawler[Model],
    known: Sequence[tuple[Page, Sequence[KnownRecord]]] = (),
    pages: Sequence[Page] = (),
    *,
    older: Sequence[Crawler[Model]] = (),
) -> Healed[Model]:
    """Heal a crawler for pages it no longer reads, from last known good records (which
    may have changed since)."""
    all_pages, examples = _teach(known, pages, crawler.schema)
    healed = default_pool().run(
        HealJob(
            schema=crawler.schema,
            program=crawler.program,
            pages=all_pages,
            known=examples,
            older=[one.program for one in older],
        )
    )
    made = (
        Crawler(crawler.model, crawler.schema, healed.program)
        if healed.program
        else None
    )
    return Healed(made, healed.fields, healed.scores.reason)


def _teach(
    known: Sequence[tuple[Page, Sequence[KnownRecord]]],
    pages: Sequence[Page],
    schema: RecordSchema,
) -> tuple[tuple[Page, ...], tuple[Example, ...]]:
    """All pages once, those with known records first, and the records tied to their
    position."""
    taught = [page for page, _ in known]
    seen = {page.url for page in taught}
    examples = tuple(
        Example(
            page=index, records=tuple(to_values(record, schema) for record in records)
        )
        for index, (_, records) in enumerate(known)
    )
    return (*taught, *(page for page in pages if page.url not in seen)), examples


def _weakest(extraction: Extraction) -> dict[str, FieldResult]:
    votes: dict[str, list[FieldVote]] = {}
    for record in extraction.records:
        for name, vote in record.votes.items():
            votes.setdefault(name, []).append(vote)
    return {
        name: FieldResult(
            min(vote.agreement for vote in cast),
            min(vote.live_readers for vote in cast),
            max(vote.readers for vote in cast),
        )
        for name, cast in votes.items()
    }
