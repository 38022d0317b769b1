"""The product's own drift checks on captured pages: one batch of pages, judged against one earlier batch."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.program import PageKind
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import Severity
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.kind import page_verdict
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.schema import RecordSchema

EXPECTED = 0.9


class Watch:
    """Judges what a program reads from pages of one kind, as a family with default policies would that declares which
    fields it expects on (nearly) every record."""

    def __init__(self, schema: RecordSchema, kind: PageKind, expected: Collection[str] = ()):
        self.schema = schema
        self.family = Family.model_validate(
            {
                "family": "benchmark",
                "schema": f"crawloop_assets.eval.schemas:{schema.name}",
                "kind": kind,
                "discover": {"seeds": ["https://benchmark.example/"]},
                "drift": {"coverage": dict.fromkeys(sorted(expected), EXPECTED)},
            }
        )

    def outcome(self, page: Page, extraction: Extraction, previous: Sequence[Mapping[str, Any]] = ()) -> PageOutcome:
        """One page as the checks see it; `previous` are last known good records of the same page."""
        facts = page_facts(Document(page), page)
        verdict, _ = page_verdict(page, facts, self.family, len(extraction.records))
        findings = judge_page(self.schema, self.family, extraction, (), previous)
        return PageOutcome(
            url=page.url,
            verdict=verdict,
            version=1,
            page_sha256=page.sha256,
            extraction=extraction,
            values=tuple(record.values for record in extraction.records),
            findings=tuple(findings),
            facts=facts,
            previous=tuple(previous),
        )

    def flagged(self, before: Sequence[PageOutcome], now: Sequence[PageOutcome]) -> list[bool]:
        """For each page now whether it would not be published: its batch drifted, it is held, or it is no page."""
        history = judge_batch(self.schema, self.family, before, batch="000001").stats
        judged = judge_batch(self.schema, self.family, now, [history], batch="000002")
        stopped = judged.drifted or judged.hold_all is not None
        return [stopped or one.url in judged.held or one.verdict is not Verdict.OK for one in now]

    def held(self, page: Page, extraction: Extraction) -> bool:
        """Whether the page's own findings hold it back."""
        outcome = self.outcome(page, extraction)
        return outcome.verdict is not Verdict.OK or any(
            finding.severity is Severity.ERROR for finding in outcome.findings
        )
