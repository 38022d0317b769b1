"""The fallback that asks a model: only for pages that no version reads, only within the
family's budget."""

import asyncio
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.check import Invalid
from crawloop_assets.drift.page import judge_page
from crawloop_assets.errors import (
    CrawlerFault,
    ModelUnavailable,
    OverBudget,
    PageTooLarge,
)
from crawloop_assets.family import Family
from crawloop_assets.llm.serve import PageEvidence, extract_with_model
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate, with_url
from crawloop_assets.sandbox import TrimJob, WorkerPool
from crawloop_assets.serve.findings import has_error, invalid_fields
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import ServedBy, Store, unstorable
from crawloop_assets.values.value import Value

_AT_ONCE = 4  # questions to the model


@dataclass
class ModelServing:
    """Serves with a model what no version can.

    `stopped` says why it asks no more: no budget, no answer.
    """

    family: Family
    store: Store
    pool: WorkerPool
    settings: ModelSettings
    run_id: str
    stopped: str = ""
    _turns: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(_AT_ONCE)
    )

    async def rescue(self, reading: Reading) -> Reading:
        """A reading served by the model if its values stand on the page and no page
        check is against them, else the one given."""
        page = reading.visit.page
        if page is None or reading.good or reading.verdict is not Verdict.DRIFT:
            return reading
        async with self._turns:
            if self.stopped:
                return reading
            try:
                values = await self._ask(page)
            except (OverBudget, ModelUnavailable) as error:
                self.stopped = str(error)
                return reading
            except (CrawlerFault, PageTooLarge):
                return reading
        return self._judged(reading, page, values) or reading

    async def _ask(self, page: Page) -> list[dict[str, Value]]:
        """What the model reads on a page."""
        evidence = await self.pool.arun(TrimJob(page=page))
        shown = PageEvidence(page.base_url, evidence.html, evidence.islands)
        schema = self.family.schema_spec()
        answer = await asyncio.to_thread(
            extract_with_model,
            schema,
            shown,
            self.family,
            self.store,
            self.settings,
            self.run_id,
        )
        return [with_url(record, schema, page.url) for record in answer.records]

    def _judged(
        self, reading: Reading, page: Page, values: list[dict[str, Value]]
    ) -> Reading | None:
        """The reading of what the model gave, None if a page check is against it."""
        schema, model = self.family.schema_spec(), self.family.model()
        records: list[BaseModel] = []
        invalid: list[Invalid] = []
        for row, record in enumerate(values):
            try:
                valid = validate(model, record)
            except ValidationError as error:
                invalid += invalid_fields(error, row)
                continue
            reason = unstorable(valid)
            if reason:
                invalid.append(Invalid(row=row, field="", message=reason))
            else:
                records.append(valid)
        extraction = _extraction_of(values)
        findings = tuple(
            judge_page(schema, self.family, extraction, invalid, reading.previous)
        )
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
        )


def _extraction_of(values: list[dict[str, Value]]) -> Extraction:
    """What the model gave, as if a crawler had read it."""
    records = []
    for row, record in enumerate(values):
        records.append(ExtractedRecord(values=record, row=row))
    return Extraction(records=tuple(records))
