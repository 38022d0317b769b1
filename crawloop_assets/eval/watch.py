"""The product's own drift checks on captured pages, with the past that a daily refresh
would have given them."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import Severity
from crawloop_assets.drift.facts import PageFacts, answers, page_facts
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Trust
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.presence import Presence
from crawloop_assets.drift.resemblance import proofs, resemblance_of
from crawloop_assets.drift.still_there import still_forms
from crawloop_assets.drift.value_lookup import known_forms
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.schema import RecordSchema

QUIET_DAYS = 10


class Notice(NamedTuple):
    """What the checks make of a page: whether nothing of it would be published, the
    fields that keep what is known of them if it is served in part (else None), and what
    the checks say."""

    held: bool
    kept: frozenset[str] | None
    why: tuple[str, ...]


BATCH = "000001"


class Watch:
    """Judges what a program reads from pages of one kind, as a family with default
    policies would whose schema requires the fields in `required`."""

    def __init__(
        self, schema: RecordSchema, kind: FamilyKind, required: Collection[str] = ()
    ):
        """Makes a family with default policies for the schema; no page of it was seen
        yet."""
        fields = (
            spec.model_copy(update={"required": spec.required or spec.name in required})
            for spec in schema.fields
        )
        self.schema = schema.model_copy(update={"fields": tuple(fields)})
        self._looked: dict[str, tuple[PageFacts, Presence]] = {}
        self.family = Family.model_validate(
            {
                "family": "benchmark",
                "schema": f"crawloop_assets.eval.schemas:{schema.name}",
                "kind": kind,
                "discover": {"seeds": ["https://benchmark.example/"]},
            }
        )

    def outcome(
        self,
        page: Page,
        extraction: Extraction,
        previous: Sequence[Mapping[str, Any]] = (),
    ) -> PageOutcome:
        """One page as the checks see it; `previous` are the last known good records of
        the same page."""
        facts = self._facts(page, extraction, previous)
        values = [one.values for one in extraction.records if self._is_whole(one)]
        resemblance = resemblance_of(previous, values, facts, self.schema)
        found = proofs(values, self.schema)
        verdict, _ = page_verdict(page, facts, self.family, found, resemblance)
        findings = (
            judge_page(self.schema, self.family, extraction, (), previous)
            if verdict is Verdict.OK
            else []
        )
        return PageOutcome(
            url=f"{page.url}#{page.sha256[:12]}",  # captures of one url are pages of their own here
            verdict=verdict,
            version=1,
            page_sha256=page.sha256,
            extraction=extraction,
            values=tuple(values),
            findings=tuple(findings),
            facts=facts,
            previous=tuple(previous),
        )

    def _is_whole(self, record: ExtractedRecord) -> bool:
        """Whether a record has all that its schema requires; one that lacks some of it
        is read, but would not be published."""
        required = filter(attrgetter("required"), self.schema.fields)
        return all(record.values.get(spec.name) not in EMPTY for spec in required)

    def _facts(
        self, page: Page, extraction: Extraction, previous: Sequence[Mapping[str, Any]]
    ) -> PageFacts:
        """What a worker would say of the page.

        It is looked over once, and asked for what is read and was known.
        """
        if page.sha256 not in self._looked:
            document = Document(page)
            self._looked[page.sha256] = page_facts(document, page), Presence(document)
        facts, presence = self._looked[page.sha256]
        fields = self.schema.fields
        read = list(map(attrgetter("values"), extraction.records))
        now = known_forms((*read, *previous), fields)
        if len(previous) == 1:
            now |= still_forms(previous, fields) - still_forms(read, fields)
        return facts.model_copy(update={"stands": answers(presence, now)})

    def again(self, page: Page, extraction: Extraction) -> PageOutcome:
        """A page that was read yesterday just as it is read today."""
        return self.outcome(page, extraction, self.outcome(page, extraction).values)

    def quiet_days(
        self, first: Sequence[PageOutcome], later: Sequence[PageOutcome]
    ) -> list[BatchStats]:
        """The history after a first day and days on which nothing changed."""
        history: list[BatchStats] = []
        for day in range(QUIET_DAYS):
            judged = judge_batch(
                self.schema, self.family, later if day else first, history, batch=BATCH
            )
            quiet = {"drifted": False, "trust": Trust.FULL}
            history.append(judged.stats.model_copy(update=quiet))
        return history

    def noticed(
        self, history: Sequence[BatchStats], now: Sequence[PageOutcome]
    ) -> list[Notice]:
        """For each page now whether it would not be published (it is held, its batch
        is, or it is no page), and what the checks say."""
        judged = judge_batch(self.schema, self.family, now, history, batch=BATCH)
        why = tuple(
            f"{one.name} {one.severity}: {one.sentence}"
            for one in judged.checks
            if not one.passed
        )
        return [_notice(judged, one, why) for one in now]

    def held(self, page: Page, extraction: Extraction) -> bool:
        """Whether the page's own findings hold it back."""
        outcome = self.outcome(page, extraction)
        return outcome.verdict is not Verdict.OK or any(
            finding.severity is Severity.ERROR for finding in outcome.findings
        )


def _notice(judged: BatchJudgement, page: PageOutcome, why: tuple[str, ...]) -> Notice:
    """What a judgement makes of one page; one of which some rows wait is held."""
    records = judged.kept.get(page.url, {})
    if records and len(records) == len(page.values):
        kept = chain.from_iterable(map(attrgetter("kept"), records.values()))
        return Notice(False, frozenset(kept), why)
    stopped = judged.hold_all is not None or page.url in judged.held
    return Notice(stopped or page.verdict is not Verdict.OK, None, why)
