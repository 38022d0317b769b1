"""The pages of the small shop under the checks: written, read by a compiled program as a worker reads them, judged.

No sockets, no store, no other process.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from crawloop_assets.access.fetched import Fetched
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.run import judge_run
from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.page import Verdict
from crawloop_assets.record import to_values
from crawloop_assets.schema import RecordSchema, schema_of
from crawloop_assets.serve.reading import PageReader
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerStatus, CrawlerVersion, FrontierUrl
from crawloop_assets.values.equality import canonical
from tests.drift.judged import Judged
from tests.drift.market import BASE, Goods, Market, Offer, Product, Values
from tests.drift.market_pages import Look, Sheet, detail_sheet, listing_sheets
from tests.here import Here

BATCH = 50
"""Pages of a batch."""
_EXAMPLES = 4
_OLD = 60
"""So many products are there from the first day."""
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Rows:
    """What became of the rows of some pages: how many are on them, were read wrongly, and were published wrongly."""

    touched: int = 0
    wrong: int = 0
    published: int = 0


@dataclass
class RenderedSite:
    """One family of the shop's pages, and what the crawler knows of it."""

    look: Look
    market: Market = field(default_factory=Market)
    pages: int = 100
    known: dict[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    history: list[BatchStats] = field(default_factory=list)
    said: dict[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    fetched: dict[str, FrontierUrl] = field(default_factory=dict)

    @cached_property
    def model(self) -> type[BaseModel]:
        """The user's record."""
        return Offer if self.look is Look.LISTING else Goods

    @cached_property
    def schema(self) -> RecordSchema:
        """The user's record as data."""
        return schema_of(self.model)

    @cached_property
    def kind(self) -> FamilyKind:
        """What the family file says."""
        kinds = {Look.LISTING: FamilyKind.LISTING, Look.JSON: FamilyKind.JSON}
        return kinds.get(self.look, FamilyKind.DETAIL)

    @cached_property
    def family(self) -> Family:
        """The family as an operator would declare it."""
        return Family.model_validate(
            {
                "family": f"market/{self.look}",
                "schema": f"tests.drift.market:{self.model.__name__}",
                "key": ["url" if self.look is Look.LISTING else "sku"],
                "kind": self.kind,
                "discover": {"seeds": [f"{BASE}/"]},
            }
        )

    @cached_property
    def version(self) -> CrawlerVersion:
        """The crawler, compiled from a few true pages and their records."""
        sheets = self._example_sheets()
        examples = [
            Example(page=at, records=self.truth(sheet))
            for at, sheet in enumerate(sheets)
        ]
        pages = [sheet.page() for sheet in sheets]
        compiled = compile_program(self.schema, pages, examples, self.kind)
        assert compiled.program is not None, compiled
        return _version(self.family, compiled.program)

    def heal(self, sheets: Sequence[Sheet]) -> None:
        """Another version, from what is known of these pages, whatever it proves (a whole wave is in waves.py)."""
        program = Program.from_json(self.version.body)
        known = [
            Example(page=at, records=tuple(map(dict, self.known[sheet.url])))
            for at, sheet in enumerate(sheets)
        ]
        pages = [sheet.page() for sheet in sheets]
        healed = heal_program(self.schema, program, pages, known)
        assert healed.program is not None, healed.scores
        self.adopt(healed.program)

    def adopt(self, program: Program) -> None:
        """Another version serves from now on."""
        number = self.version.version + 1
        self.version = replace(_version(self.family, program), version=number)

    def _example_sheets(self) -> list[Sheet]:
        """Two products that are on sale and two that are not; or pages of the listing."""
        sheets = self.sheets()
        if self.look is Look.LISTING:
            return sheets[: _EXAMPLES - 1]
        half = _EXAMPLES // 2
        reduced = [sheet for sheet in sheets if "list_price" in sheet.card.shown]
        usual = [sheet for sheet in sheets if "list_price" not in sheet.card.shown]
        return reduced[:half] + usual[:half]

    def sheets(self) -> list[Sheet]:
        """The true pages of today."""
        products = self.market.products
        if self.look is Look.LISTING:
            return listing_sheets(self.market.listed())
        own = products[: self.pages]
        return [
            detail_sheet(product, self.look, _related(products, product))
            for product in own
        ]

    def truth(self, sheet: Sheet) -> tuple[Values, ...]:
        """The true records of a page, as typed JSON values, whatever it says."""
        return tuple(self._true_record(card.product) for card in sheet.cards)

    def read(self, sheets: Sequence[Sheet]) -> list[PageOutcome]:
        """What the crawler makes of pages, after the page checks."""
        visits = [self._visit(sheet) for sheet in sheets]
        reader = PageReader(self.family, Here(), [self.version], 1, self.known)  # type: ignore[arg-type]
        readings = asyncio.run(reader.read(visits))
        return [
            PageOutcome(
                url=reading.url,
                verdict=reading.verdict,
                version=reading.version,
                extraction=reading.extraction,
                values=reading.values,
                findings=reading.findings,
                facts=reading.facts,
                previous=reading.previous,
                page_sha256=visit.page.sha256 if visit.page else "",
                said_before=self.said.get(reading.url, ())
                if visit.is_new_answer
                else (),
                old_copy=visit.old_copy,
                was_held=visit.url.verdict is Verdict.DRIFT,
            )
            for reading, visit in zip(readings, visits, strict=True)
        ]

    def _visit(self, sheet: Sheet) -> Visit:
        """The answer of today, a day after the last one."""
        page = sheet.page()
        new = FrontierUrl(sheet.url, "000001")
        last = self.fetched.get(sheet.url, new)
        if last.fetched_at is not None:
            day = timedelta(days=1)
            page = page.model_copy(update={"fetched_at": last.fetched_at + day})
        fetched = Fetched(sheet.url, Verdict.OK, "", page)
        return Visit(last, page, Verdict.OK, fetched=fetched)

    def judge(self, outcomes: Sequence[PageOutcome]) -> Judged:
        """All batches of the refresh, then what they say together."""
        judgements, batch_of = {}, {}
        for start in range(0, len(outcomes), BATCH):
            key = f"{1 + start // BATCH:06}"
            part = outcomes[start : start + BATCH]
            judgements[key] = judge_batch(
                self.schema, self.family, part, self.history, batch=key
            )
            batch_of.update((outcome.url, key) for outcome in part)
        evidence = [each.evidence for each in judgements.values()]
        together = judge_run(lambda: evidence, self.history)
        of_run = {verdict.batch: verdict for verdict in together}
        return Judged(list(outcomes), judgements, batch_of, of_run)

    def keep(self, judged: Judged) -> None:
        """Publish: what was read becomes what is known."""
        for batch, each in judged.judgements.items():
            of_run = judged.of_run.get(batch)
            drifted = each.drifted or (of_run is not None and of_run.drifted)
            self.history.append(each.stats.model_copy(update={"drifted": drifted}))
        for outcome in judged.outcomes:
            self._note(outcome, judged)
            if records := judged.kept(outcome):
                self.known[outcome.url] = tuple(record.values for record in records)
            if outcome.values and judged.is_published(outcome):
                self._publish(judged.served(outcome), judged.waiting(outcome))
            elif outcome.values:
                self.said[outcome.url] = outcome.values

    def _note(self, outcome: PageOutcome, judged: Judged) -> None:
        """Keep what was fetched, and whether it is held."""
        last = self.fetched.get(outcome.url)
        then = last and last.fetched_at
        is_good = judged.is_published(outcome) and not judged.waiting(outcome)
        self.fetched[outcome.url] = FrontierUrl(
            outcome.url,
            "000001",
            verdict=Verdict.OK if is_good else Verdict.DRIFT,
            page_sha256=outcome.page_sha256,
            fetched_at=then + timedelta(days=1) if then else _NOW,
        )

    def _publish(self, outcome: PageOutcome, waiting: frozenset[int]) -> None:
        """Keep the rows of a page; of those that wait what was known of them."""
        key = self.family.key[0]
        known = {row.get(key): row for row in self.known.get(outcome.url, ())}
        rows = [
            known.get(row.get(key)) if position in waiting else row
            for position, row in enumerate(outcome.values)
        ]
        self.known[outcome.url] = tuple(row for row in rows if row)
        self.said[outcome.url] = outcome.values if waiting else ()

    def healthy_day(self) -> Judged:
        """Read, judge and publish the true pages."""
        judged = self.judge(self.read(self.sheets()))
        self.keep(judged)
        return judged

    def wrong_rows(
        self,
        sheet: Sheet,
        outcome: PageOutcome,
        waiting: frozenset[int] = frozenset(),
    ) -> int:
        """Rows that would be published untrue, or taken away though they are on the page, if the page is published
        without those that wait; `sheet` is the true one."""
        key = self.family.key[0]
        true = {row[key]: row for row in self.truth(sheet)}
        wrong, unseen = 0, 0
        for position, row in enumerate(outcome.values):
            if position not in waiting:
                expected = true.pop(row.get(key), None) or self._elsewhere(row)
                wrong += expected is None or self.differs(row, expected)
        for position in waiting:
            row = outcome.values[position]
            # Under the key of another one it is one of those that are missing.
            is_missing = true.pop(row.get(key), None) is None
            unseen += is_missing and self._elsewhere(row) is not None
        if self.look is Look.LISTING and outcome.values:
            new = true.keys() - {row.get(key) for row in outcome.previous}
            wrong += len(true) - min(unseen, len(new))
        return wrong

    def emptied_rows(
        self,
        sheet: Sheet,
        outcome: PageOutcome,
        waiting: frozenset[int] = frozenset(),
    ) -> int:
        """Rows in which a value that was known, and is still true, would be published as none."""
        key = self.family.key[0]
        true = {row[key]: row for row in self.truth(sheet)}
        known = {row.get(key): row for row in outcome.previous}
        emptied = 0
        for position, row in enumerate(outcome.values):
            if position in waiting:
                continue
            both = true.get(row.get(key), {}).keys() & known.get(row.get(key), {})
            emptied += any(row.get(name) in (None, []) for name in both)
        return emptied

    def _elsewhere(self, row: Mapping[str, Any]) -> Values | None:
        """The true record of a row that stands on a page of another's, where that is no harm: in a listing."""
        for product in self.market.products:
            if self.look is Look.LISTING and product.url == row.get("url"):
                return self._true_record(product)
        return None

    def _true_record(self, product: Product) -> Values:
        return to_values(product.values | {"url": product.url}, self.schema)

    def differs(self, row: Mapping[str, Any], true: Values) -> bool:
        """Whether a value is not true; one that is not read is not wrong."""
        for spec in self.schema.fields:
            value = row.get(spec.name)
            if value in (None, []) or spec.name == "url":
                continue
            if canonical(value, spec) != canonical(true.get(spec.name), spec):
                return True
        return False


def _related(products: Sequence[Product], product: Product) -> list[Product]:
    """Three others, always the same."""
    places = (product.number + step for step in (7, 11, 13))
    return [products[place % _OLD] for place in places]


def _version(family: Family, program: Program) -> CrawlerVersion:
    return CrawlerVersion(
        family=family.family,
        body=program.to_json(),
        version=1,
        sha256=program.sha256,
        status=CrawlerStatus.ACTIVE,
        created_at=_NOW,
        promoted_at=_NOW,
    )


def site_after(
    look: Look, days: int, seed: int = 1, pages: int = 100, size: int = 200
) -> RenderedSite:
    """A family with so many healthy days behind it, and another night; the listing has `size` rows."""
    site = RenderedSite(look, Market(seed=seed, size=size), pages)
    for _ in range(days):
        site.healthy_day()
        site.market.night()
    return site
