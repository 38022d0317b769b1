"""What a model adds to scout: the fields of a wish in prose, and values of a few pages
where their structure alone leaves doubt. A crawler is compiled from them and proved on
the other pages, and what a page contradicts is left out."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.oracle import MOST_CALLS, ModelOracle, OracleSaid
from crawloop_assets.heal.vouched import fields_with_values
from crawloop_assets.llm.describe import Described, described
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.serve import PageEvidence
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ShowJob, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.scout.proposal import Proposal, ProposedField
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from crawloop_assets.values.value import Value

SCOUT_BUDGET_USD = 0.25
"""Of a day, for all of scout's questions about a family that there is not yet."""
_MOST_READ = 3
_RUN = "scout"
_SAID = "a model"
_NOTHING = "a model found nothing of that on {}: {}"


@dataclass(frozen=True)
class ScoutModel:
    """Reads pages for scout; `wish` is prose that says what is wanted, "" for none."""

    store: Store
    pool: WorkerPool
    settings: ModelSettings
    wish: str = ""

    async def wished(self, name: str, page: Page) -> Described:
        """The fields of the wish, and whether a page lists several such records; one
        call."""
        shown = await self.pool.arun(ShowJob(page=page))
        evidence = PageEvidence(page.url, shown.html, shown.islands)
        return await asyncio.to_thread(
            described, self.wish, evidence, name, self.store.calls, self.settings
        )

    async def answered(
        self,
        name: str,
        schema: RecordSchema,
        kind: FamilyKind,
        pages: Sequence[Page],
    ) -> OracleSaid:
        """What the model says of the first pages, in the fields of a schema; ConfigError
        where that is nothing."""
        calls = MOST_CALLS - bool(self.wish)
        oracle = ModelOracle(self._reader(name, schema, kind), self.store)
        limited = replace(oracle, most_read=_MOST_READ, most_calls=calls)
        said = await limited.read_pages(pages)
        if not any(record for one in said.known for record in one.records):
            why = said.stopped or "; ".join(said.poisoned.values()) or "it says nothing"
            raise ConfigError(_NOTHING.format(pages[0].url, why))
        return said

    def _reader(self, name: str, schema: RecordSchema, kind: FamilyKind) -> ModelReader:
        """What reads pages of a family that there is not yet."""
        # The model of its records has no file yet.
        said = {"family": name, "schema": "pydantic:BaseModel", "discover": {}}
        family = Family.model_validate({**said, "kind": kind.value})
        return ModelReader(
            family,
            schema,
            self.store.calls,
            self.pool,
            self.settings,
            _RUN,
            Purpose.ORACLE,
        )


def proposal_of(
    schema: RecordSchema, kind: FamilyKind, said: OracleSaid, key: Sequence[str] = ()
) -> Proposal:
    """What a model said as a proposal: the fields of which there is a value, with a
    key if they have it."""
    records = chain.from_iterable(map(attrgetter("records"), said.known))
    found = fields_with_values(records)
    filled = [spec for spec in schema.fields if spec.name in found]
    names = list(map(attrgetter("name"), filled))
    known = tuple(filter(names.__contains__, key))
    own = known or (("url",) if kind is FamilyKind.DETAIL else tuple(names[:1]))
    fields = tuple(ProposedField(spec=spec, sources=(_SAID,)) for spec in filled)
    return Proposal(kind=kind, fields=fields, examples=said.known, key=own)


def overlaid(
    proposal: Proposal, said: OracleSaid, pages: Sequence[Page], unsure: frozenset[str]
) -> Proposal:
    """A proposal for pages of one record each, with what a model says of the fields that
    are not sure."""
    by_url = {
        said.pages[one.page].url: next(iter(one.records), {}) for one in said.known
    }
    examples = [
        _overlaid(one, by_url.get(pages[one.page].url, {}), unsure)
        for one in proposal.examples
    ]
    return proposal.model_copy(update={"examples": tuple(examples)})


def _overlaid(
    example: Example, answered: Mapping[str, Value], unsure: frozenset[str]
) -> Example:
    """An example in which unsure values are those that a model read."""
    news = {
        name: one for name, one in answered.items() if name in unsure and is_filled(one)
    }
    records = tuple(dict(record) | news for record in example.records)
    return example.model_copy(update={"records": records})
