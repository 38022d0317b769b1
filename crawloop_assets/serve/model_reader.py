"""A page read by a model for a purpose of its own: shown by a worker, quoted by the
model, typed by code."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.matching import Record
from crawloop_assets.family import Family
from crawloop_assets.llm.evidence import PageText
from crawloop_assets.llm.question import Ledger, Purpose
from crawloop_assets.llm.serve import ModelRead, PageEvidence, extract_with_model
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.record import with_url
from crawloop_assets.sandbox import Evidence, WorkerPool
from crawloop_assets.schema import FieldKind, RecordSchema
from crawloop_assets.serve.by_parts import WholeRead, read_parts, shown_parts
from crawloop_assets.serve.showing import Showing
from crawloop_assets.values.value import as_list


@dataclass(frozen=True)
class ModelReader:
    """Reads pages of a family, in the fields of a schema, with a model; calls are
    written down in the ledger as made for the purpose. Of a long list no more than
    `most_parts` are read, None for all."""

    family: Family
    schema: RecordSchema
    ledger: Ledger
    pool: WorkerPool
    settings: ModelSettings
    run_id: str
    purpose: Purpose
    most_parts: int | None = None

    async def read(
        self,
        page: Page,
        known: Sequence[Record] = (),
        others: Sequence[Page] = (),
        example: Record | None = None,
    ) -> WholeRead:
        """The records that a model finds on a page, of which some may be known; raises
        what `ask` raises, and CrawlerFault or PageTooLarge for a page that no worker can
        show. What `others`, pages of the family, say too is shown last; `example` is a
        record of another page, as it is written down."""
        return await self.ask(page, await self.shown(page, known, others), example)

    async def shown(
        self, page: Page, known: Sequence[Record] = (), others: Sequence[Page] = ()
    ) -> Evidence:
        """What the model is shown of a page."""
        showing = Showing(self.schema, self.family.kind)
        return await showing.evidence(self.pool, page, known, others)

    async def ask(
        self, page: Page, evidence: Evidence, example: Record | None = None
    ) -> WholeRead:
        """The records that a model finds in what it is shown of a page."""
        every = shown_parts(self.family, page.base_url, evidence)
        parts = every[: self.most_parts]
        is_list = self.family.kind is not FamilyKind.DETAIL
        is_cut = (is_list and evidence.cut) or len(parts) < len(every)
        ask = partial(self._ask, example=example)
        found = await asyncio.to_thread(read_parts, parts, ask, is_cut, is_list=is_list)
        if is_list and evidence.islands_cut and not self._in_html(evidence, found):
            found = replace(found, is_whole=False)
        named = (with_url(record, self.schema, page.url) for record in found.records)
        return replace(found, records=tuple(named))

    def _in_html(self, evidence: Evidence, found: WholeRead) -> bool:
        """Whether something was read, and all texts of it stand in the html: where rows
        stand in JSON alone, others may stand in what was not shown of it."""
        html = PageText([("html", evidence.html)])
        names = [one.name for one in self.schema.fields if one.kind is FieldKind.TEXT]
        said = (record.get(name) for record in found.records for name in names)
        texts = chain.from_iterable(map(as_list, said))
        held = map(html.holds, map(str, filter(None, texts)))
        return bool(found.records) and all(held)

    def _ask(self, part: PageEvidence, example: Record | None = None) -> ModelRead:
        """One question about a part of a page."""
        return extract_with_model(
            self.schema,
            part,
            self.family,
            self.ledger,
            self.settings,
            self.run_id,
            self.purpose,
            example,
        )
