"""The library: compile, extract and heal without Dagster.

Pages are parsed in sandbox workers here, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import (
    GATE_AGREEMENT,
    GATE_READERS,
    Example,
    Extraction,
    FieldVote,
)
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.errors import CompileFailed, CrawlerFault
from crawloop_assets.induce.healing.heal import FieldDecision
from crawloop_assets.induce.made import Compiled
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate, with_url
from crawloop_assets.sandbox import CompileJob, ExtractJob, HealJob, default_pool
from crawloop_assets.schema import RecordSchema, schema_of

_Model = TypeVar("_Model", bound=BaseModel)
_UserRecord = BaseModel | Mapping[str, Any]
_DateOrder = Literal["DMY", "MDY", "YMD"]

_HOW_TO_READ = (
    "name what the page says of these fields in its example, or make them optional"
)
_HOW_TO_LEARN = (
    "is read on none of the pages of its examples: give examples that differ in it, or "
    "add its label on the page to the field's aliases"
)


@dataclass(frozen=True)
class Crawler(Generic[_Model]):
    """A program and the record model it serves.

    `program.to_json()` is what to store. `unread` says of each field that the examples
    it was compiled from have, and that it reads on none of their pages, what to do.
    """

    model: type[_Model]
    schema: RecordSchema
    program: Program
    unread: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FieldResult:
    """The weakest vote for a field over the records of a page that have it; `in_doubt`
    if in one of them readers or kinds of evidence contradict each other too much."""

    agreement: float
    live_readers: int
    readers: int
    in_doubt: bool = False

    @property
    def sure(self) -> bool:
        """Whether the value passes the publish gate by votes alone."""
        enough_readers = self.live_readers >= GATE_READERS and not self.in_doubt
        return enough_readers and self.agreement >= GATE_AGREEMENT

    @property
    def doubt(self) -> str:
        """Why it does not pass, in words."""
        share = f"{self.agreement:.0%} of the readers' weight agrees"
        if self.agreement < GATE_AGREEMENT:
            return f"only {share}"
        if self.in_doubt:
            return f"contradicted, {share}"
        return f"only {self.live_readers} of {self.readers} readers finds anything"


@dataclass(frozen=True)
class Result(Generic[_Model]):
    """What a crawler read on one page.

    `held` says in plain words what would keep it from being published.
    """

    records: tuple[_Model, ...]
    fields: Mapping[str, FieldResult]
    verdict: Verdict
    held: tuple[str, ...] = ()


@dataclass(frozen=True)
class Healed(Generic[_Model]):
    """`crawler` is None when the fields that broke could not be recovered; `fields`
    says why, one by one."""

    crawler: Crawler[_Model] | None
    fields: Mapping[str, FieldDecision]
    reason: str


def compile_crawler(
    model: type[_Model],
    examples: Sequence[tuple[Page, Sequence[_UserRecord]]] = (),
    *,
    pages: Sequence[Page] = (),
    kind: FamilyKind | str = FamilyKind.DETAIL,
    date_order: _DateOrder | None = None,
) -> Crawler[_Model]:
    """Compile a crawler from pages with known records, with no model and no network.

    Without examples the structured data on `pages` (JSON-LD, microdata, JSON islands)
    is the teacher. CompileFailed carries the reason per field; a crawler that reads no
    record of the model on a page it was made for is none: on each page of an example,
    without examples on one page at least.
    """
    schema = schema_of(model, date_order)
    if kind == FamilyKind.DETAIL:
        schema = schema.with_address()
    all_pages, known = _teach(examples, pages, schema)
    compiled = default_pool().run(
        CompileJob(
            schema=schema, pages=all_pages, examples=known, kind=FamilyKind(kind)
        )
    )
    if compiled.program is None:
        raise CompileFailed(f"no crawler for {model.__name__}", _reasons(compiled))
    crawler = Crawler(model, schema, compiled.program)
    results = _check_made(crawler, all_pages, known)
    wanted = {
        name for example in known for record in example.records for name in record
    }
    read = {name for result in results for name in _read(result)}
    unread = dict.fromkeys(sorted(wanted - read), _HOW_TO_LEARN)
    return replace(crawler, unread=unread)


def _read(result: Result[_Model]) -> set[str]:
    """The fields that have a value in a record of a page."""
    values = chain.from_iterable(
        record.model_dump().items() for record in result.records
    )
    return {name for name, value in values if value not in (None, [], ())}


def _check_made(
    crawler: Crawler[_Model], pages: Sequence[Page], known: Sequence[Example]
) -> list[Result[_Model]]:
    """What a crawler reads on the pages it was made for; CompileFailed if it does not
    read them."""
    made_for = [pages[example.page] for example in known] or pages
    results = {page.url: extract(crawler, page) for page in made_for}
    unread = {url: result for url, result in results.items() if not result.records}
    least = len(results) if known else 1
    if len(results) - len(unread) >= least:
        return list(results.values())
    url, result = next(iter(unread.items()))
    problem = f"the crawler for {crawler.model.__name__} reads no record on {url}"
    raise CompileFailed(f"{problem}: {_HOW_TO_READ}", _why_unread(result))


def _why_unread(result: Result[_Model]) -> dict[str, str]:
    """What is wrong with the records of a page, by field where one is named."""
    reasons: dict[str, str] = {}
    for problem in result.held:
        name, _, why = problem.rpartition(": ")
        reasons.setdefault(name or "record", why)
    return reasons


def _reasons(compiled: Compiled) -> dict[str, str]:
    """Why fields could not be learned."""
    scores = compiled.scores.fields
    return {score.field: score.reason for score in scores if score.reason}


def extract(crawler: Crawler[_Model], page: Page) -> Result[_Model]:
    """Read one page.

    Never raises for what is on the page: a fault of the crawler is the verdict `drift`.
    """
    job = ExtractJob(program=crawler.program.to_json(), page=page)
    try:
        extraction = default_pool().run(job).extraction
    except CrawlerFault as fault:
        return Result((), {}, Verdict.DRIFT, (f"{type(fault).__name__}: {fault}",))
    fields = _weakest(extraction)
    records, problems = _validated(crawler, page, extraction)
    held = (*problems, *_doubts(extraction, fields))
    if not records:
        return Result((), fields, Verdict.DRIFT, held)
    return Result(tuple(records), fields, Verdict.OK, held)


def _validated(
    crawler: Crawler[_Model], page: Page, extraction: Extraction
) -> tuple[list[_Model], list[str]]:
    """The records as the user's model, and what is wrong with those that are none."""
    records: list[_Model] = []
    problems: list[str] = []
    for extracted in extraction.records:
        values = with_url(extracted.values, crawler.schema, page.url)
        try:
            record = validate(crawler.model, values, extracted.empty)
            records.append(cast(_Model, record))
        except ValidationError as error:
            for problem in error.errors():
                field = ".".join(map(str, problem["loc"]))
                problems.append(f"{field}: {problem['msg']}")
    return records, problems


def _doubts(extraction: Extraction, fields: Mapping[str, FieldResult]) -> list[str]:
    """Why valid records would be held: there are none, or a vote was too close."""
    doubts: list[str] = []
    if not extraction.records:
        doubts.append("no record was found")
    for name, result in fields.items():
        if not result.live_readers or result.readers < GATE_READERS:
            continue  # where nobody speaks the value is absent, or missed as required
        if not result.sure:
            doubts.append(f"{name}: {result.doubt}")
    return doubts


def heal_crawler(
    crawler: Crawler[_Model],
    known: Sequence[tuple[Page, Sequence[_UserRecord]]] = (),
    pages: Sequence[Page] = (),
    *,
    older: Sequence[Crawler[_Model]] = (),
) -> Healed[_Model]:
    """Heal a crawler for pages it no longer reads, from last known good records (which
    may have changed since).

    Where `pages` has a known url again, that is what the url shows now.
    """
    now = {page.url: page for page in pages}
    known = [(now.get(page.url, page), records) for page, records in known]
    all_pages, examples = _teach(known, pages, crawler.schema)
    healed = default_pool().run(
        HealJob(
            schema=crawler.schema,
            program=crawler.program,
            pages=all_pages,
            known=examples,
            older=list(map(attrgetter("program"), older)),
        )
    )
    if healed.program is None:
        return Healed(None, healed.fields, healed.scores.reason)
    new = Crawler(crawler.model, crawler.schema, healed.program)
    return Healed(new, healed.fields, healed.scores.reason)


def _teach(
    known: Sequence[tuple[Page, Sequence[_UserRecord]]],
    pages: Sequence[Page],
    schema: RecordSchema,
) -> tuple[tuple[Page, ...], tuple[Example, ...]]:
    """All pages once, those with known records first, and the records tied to their
    position."""
    all_pages: list[Page] = []
    examples: list[Example] = []
    for index, (page, records) in enumerate(known):
        all_pages.append(page)
        values = tuple(to_values(record, schema) for record in records)
        examples.append(Example(page=index, records=values))
    known_urls = set(map(attrgetter("url"), all_pages))
    all_pages.extend(page for page in pages if page.url not in known_urls)
    return tuple(all_pages), tuple(examples)


def _weakest(extraction: Extraction) -> dict[str, FieldResult]:
    """Of each field the least agreement and the fewest live readers in any record in
    which a reader speaks."""
    votes_of: dict[str, list[FieldVote]] = {}
    for record in extraction.records:
        for name, vote in record.votes.items():
            votes_of.setdefault(name, []).append(vote)
    results: dict[str, FieldResult] = {}
    for name, all_votes in votes_of.items():
        votes = list(filter(attrgetter("live_readers"), all_votes)) or all_votes
        results[name] = FieldResult(
            min(map(attrgetter("agreement"), votes)),
            min(map(attrgetter("live_readers"), votes)),
            max(map(attrgetter("readers"), votes)),
            any(vote.rivals and not vote.is_certain for vote in votes),
        )
    return results
