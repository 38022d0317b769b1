"""The demo shop under the checks: its real pages, a program compiled from them, day after day, without sockets."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.document.document import Document
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import Invalid
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.resemblance import resemblance_of
from crawloop_assets.drift.value_lookup import known_forms
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate
from crawloop_assets.schema import RecordSchema, schema_of
from crawloop_assets.values.equality import canonical
from schemas.product import Product

FAMILY = Family.model_validate(
    {
        "family": "shop/product",
        "schema": "schemas.product:Product",
        "key": ["sku"],
        "discover": {"include": ["/product/"]},
    }
)
SCHEMA: RecordSchema = schema_of(Product)
BASE = "https://shop.example"


@dataclass
class Demo:
    """`size` product pages, `step` products apart so that all categories are there, read by one program."""

    size: int = 24
    step: int = 7
    shop: Shop = field(default_factory=lambda: Shop(seed=7, base_url=BASE))
    history: list[BatchStats] = field(default_factory=list)
    known: dict[str, PageOutcome] = field(default_factory=dict)

    @cached_property
    def urls(self) -> list[str]:
        """The pages of the batch."""
        return [BASE + item.path for item in self.shop.items[:: self.step]][: self.size]

    @cached_property
    def program(self) -> Program:
        """Compiled from the first four pages and their true records."""
        pages = [self._page(url) for url in self.urls[:4]]
        truth = self.truth()
        examples = [
            Example(page=at, records=(truth[url],))
            for at, url in enumerate(self.urls[:4])
        ]
        program = compile_program(SCHEMA, pages, examples).program
        assert program is not None
        return program

    def truth(self) -> dict[str, dict[str, Any]]:
        """The true values of every page."""
        return {
            url: to_values(records[0], SCHEMA)
            for url, records in self.shop.truth(Product).items()
        }

    def refresh(self) -> tuple[list[PageOutcome], BatchJudgement]:
        """Read and judge all pages."""
        outcomes = [self.read(url) for url in self.urls]
        return outcomes, judge_batch(
            SCHEMA, FAMILY, outcomes, self.history, batch="000001"
        )

    def keep(self, outcomes: list[PageOutcome], judgement: BatchJudgement) -> None:
        """Publish: what was read becomes what is known."""
        self.history.append(judgement.stats)
        for outcome in outcomes:
            if (
                outcome.values
                and outcome.url not in judgement.held
                and judgement.hold_all is None
            ):
                self.known[outcome.url] = outcome

    def wrong_rows(
        self, outcomes: list[PageOutcome], judgement: BatchJudgement
    ) -> list[str]:
        """What would be published although it is not true: "field: value"."""
        truth = self.truth()
        return [
            f"{spec.name}: {outcome.values[0].get(spec.name)}, true is {truth[outcome.url].get(spec.name)}"
            for outcome in outcomes
            if outcome.values and outcome.verdict is Verdict.OK
            if outcome.url not in judgement.held and judgement.hold_all is None
            for spec in SCHEMA.fields
            if spec.name != "url"
            and _differs(
                outcome.values[0].get(spec.name),
                truth[outcome.url].get(spec.name),
                spec,
            )
        ]

    def _page(self, url: str) -> Page:
        answer = self.shop.respond("GET", url.removeprefix(BASE), {})
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Page(url=url, body=answer.body, status=answer.status, headers=headers)

    def read(self, url: str) -> PageOutcome:
        page = self._page(url)
        document = Document(page)
        extraction = run(self.program, document)
        before = self.known.get(url)
        previous = before.values if before else ()
        facts = page_facts(
            document,
            page,
            known_forms(
                (*(one.values for one in extraction.records), *previous), SCHEMA.fields
            ),
        )
        valid, invalid = _validated(extraction)
        resemblance = resemblance_of(previous, valid, facts, SCHEMA)
        verdict, _ = page_verdict(page, facts, FAMILY, len(valid), resemblance)
        findings = (
            judge_page(SCHEMA, FAMILY, extraction, invalid, previous)
            if verdict is Verdict.OK
            else []
        )
        return PageOutcome(
            url=url,
            verdict=verdict,
            version=1,
            page_sha256=page.sha256,
            extraction=extraction,
            values=tuple(valid) if verdict is Verdict.OK else (),
            findings=tuple(findings),
            facts=facts,
            previous=tuple(previous),
        )


def _validated(extraction: Extraction) -> tuple[list[dict[str, Any]], list[Invalid]]:
    valid, invalid = [], []
    for record in extraction.records:
        try:
            validate(Product, record.values)
        except ValidationError as error:
            invalid += [
                Invalid(
                    row=record.row,
                    field=".".join(map(str, one["loc"])),
                    message=one["msg"],
                )
                for one in error.errors()
            ]
        else:
            valid.append(dict(record.values))
    return valid, invalid


def _differs(read: Any, true: Any, spec: Any) -> bool:
    """A field the program does not read is not wrong."""
    return read is not None and canonical(read, spec) != canonical(true, spec)
