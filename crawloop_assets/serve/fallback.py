"""The fallback that asks a model: only for pages that no version reads, only within the
family's budget."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.check import Invalid
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.page import judge_page
from crawloop_assets.errors import (
    CrawlerFault,
    PageTooLarge,
)
from crawloop_assets.family import Family
from crawloop_assets.llm.cache import forget_answer
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate
from crawloop_assets.sandbox import Evidence, WorkerPool
from crawloop_assets.serve.by_parts import WholeRead
from crawloop_assets.serve.findings import has_error, invalid_fields
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.model_turns import ModelTurns
from crawloop_assets.serve.places import (
    NO_PLACES,
    KnownPlaces,
    ShownTexts,
    known_places,
)
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.witnessed import Judged, ModelJudge
from crawloop_assets.store import ServedBy, Store, unstorable
from crawloop_assets.values.value import Value

_MOST_BESIDE = 4


_NOT_FIT = "what the model read makes no valid record"
_TEACHERS = 8
"""Pages with history that are looked at to learn where fields stand."""


class _Answered(NamedTuple):
    """A page, what a model was shown of it, and what it read there."""

    page: Page
    evidence: Evidence
    found: WholeRead


@dataclass
class ModelServing:
    """Serves with a model what no version can."""

    family: Family
    store: Store
    pool: WorkerPool
    settings: ModelSettings
    run_id: str
    turns: ModelTurns = field(default_factory=ModelTurns)
    beside: tuple[Page, ...] = ()
    """Some pages of the run, so that what all of them have can be told."""
    _asked: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def _reader(self) -> ModelReader:
        return ModelReader(
            self.family,
            self.family.schema_spec(),
            self.store.calls,
            self.pool,
            self.settings,
            self.run_id,
            Purpose.SERVE,
        )

    async def rescue(self, readings: Sequence[Reading]) -> list[Reading]:
        """The readings; one that no version could make is served by the model if its
        values stand on the page, something else bears them out, and no page check is
        against them."""
        answers = await asyncio.gather(*map(self._answered, readings))
        places = await self._places(readings, answers)
        pairs = zip(readings, answers, strict=True)
        return [self._served(one, answer, places) for one, answer in pairs]

    async def _answered(self, reading: Reading) -> "_Answered | None":
        """What the model says of a page that no version reads, None if it is not asked
        or does not answer."""
        page = reading.visit.page
        if page is None or reading.good or reading.verdict is not Verdict.DRIFT:
            return None
        answer = await self.turns.ask(
            reading.url, lambda: self._read(page, reading.previous)
        )
        if answer:
            self._asked[reading.url] = answer.found.digests
        return answer

    async def _read(self, page: Page, known: Sequence[Record]) -> "_Answered":
        """One page, read by the model."""
        evidence = await self._reader.shown(page, known, self.beside)
        return _Answered(page, evidence, await self._reader.ask(page, evidence))

    async def _places(
        self, readings: Sequence[Reading], answers: Sequence["_Answered | None"]
    ) -> KnownPlaces:
        """Where the fields stand on the pages whose values are known: those that the
        model is asked about, and some of which its rows stand."""
        if self.family.kind is not FamilyKind.DETAIL or not any(answers):
            return NO_PLACES
        taught = [
            (ShownTexts(answer.evidence.html), one.previous)
            for one, answer in zip(readings, answers, strict=True)
            if answer and one.previous
        ]
        kept = filter(_stands_by_model, readings)
        for one in islice(kept, max(0, _TEACHERS - len(taught))):
            with suppress(CrawlerFault, PageTooLarge):
                page = one.visit.opened().page
                if page is not None:
                    evidence = await self._reader.shown(page, one.previous, self.beside)
                    taught.append((ShownTexts(evidence.html), one.previous))
        return known_places(self.family.schema_spec(), taught)

    def _served(
        self, reading: Reading, answer: "_Answered | None", places: KnownPlaces
    ) -> Reading:
        """A reading with what the model said, if that is believed."""
        if answer is None:
            return reading
        page, evidence, found = answer
        judge = ModelJudge(
            self.family,
            page.url,
            evidence.html,
            evidence.islands,
            reading.facts,
            places,
        )
        values = judge.judge(found.records, reading.previous)
        judged = self._judged(reading, page, values, is_whole=found.is_whole)
        if judged is None:
            self.disbelieve([reading.url])
            against = map(attrgetter("message"), values.findings)
            self.turns.missed[reading.url] = next(against, _NOT_FIT)
        return judged or reading

    def disbelieve(self, urls: Iterable[str]) -> None:
        """The answers about these pages are not taken from the cache again."""
        for url in urls:
            for digest in self._asked.pop(url, ()):
                forget_answer(self.settings.cache, digest)

    @property
    def note(self) -> str:
        """Why pages were not served, in a sentence; "" if all were."""
        stopped, missed = self.turns.stopped, self.turns.missed
        said = [stopped] if stopped else []
        if missed:
            url, why = next(iter(missed.items()))
            said.append(f"{len(missed)} page(s) are not served by it: {url}: {why}")
        return " ".join(said)

    def _judged(
        self, reading: Reading, page: Page, found: Judged, *, is_whole: bool = True
    ) -> Reading | None:
        """The reading of what the model gave, None if a page check is against it."""
        schema, model = self.family.schema_spec(), self.family.model()
        records: list[BaseModel] = []
        invalid: list[Invalid] = []
        extraction = _extraction_of(found.values)
        for read in extraction.records:
            try:
                valid = validate(model, read.values)
            except ValidationError as error:
                invalid += invalid_fields(error, read)
                continue
            reason = unstorable(valid)
            if reason:
                invalid.append(Invalid(row=read.row, field="", message=reason))
            else:
                records.append(valid)
        checked = judge_page(schema, self.family, extraction, invalid, reading.previous)
        findings = (*found.findings, *checked)
        if not records or has_error(findings):
            return None
        return Reading(
            reading.visit,
            Verdict.OK,
            "served by the model",
            None,
            ServedBy.MODEL,
            tuple(records),
            tuple(to_values(record, schema) for record in records),
            extraction,
            reading.facts,
            findings,
            reading.previous,
            is_whole=is_whole,
        )


async def rescued(model: ModelServing | None, readings: list[Reading]) -> list[Reading]:
    """The readings, with what a model, if there is one, makes of pages that no version
    reads."""
    if model is None:
        return readings
    pages = filter(None, (reading.visit.opened().page for reading in readings))
    model.beside = tuple(islice(pages, _MOST_BESIDE))
    return await model.rescue(readings)


def _stands_by_model(reading: Reading) -> bool:
    """Whether the rows of a page stand as a model read them."""
    return reading.skipped and reading.served_by is ServedBy.MODEL


def _extraction_of(values: Sequence[dict[str, Value]]) -> Extraction:
    """What the model gave, as if a crawler had read it."""
    records = []
    for row, record in enumerate(values):
        records.append(ExtractedRecord(values=record, row=row))
    return Extraction(records=tuple(records))
