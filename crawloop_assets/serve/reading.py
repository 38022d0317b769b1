"""A reading: what the versions of a family make of one page. Versions are tried newest-good first on the same bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, Value
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.kind import page_verdict
from crawloop_assets.drift.page import judge_page
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate
from crawloop_assets.sandbox import Extract, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerVersion, ServedBy, unstorable


@dataclass(frozen=True)
class Reading:
    """What came of one visit. `records` are valid; they may be published only if nothing holds the page. `skipped`: the
    site said 304 and the rows of the page stand, so it was not parsed again."""

    visit: Visit
    verdict: Verdict
    reason: str = ""
    version: int | None = None
    served_by: ServedBy = ServedBy.CRAWLER
    records: tuple[BaseModel, ...] = ()
    values: tuple[dict[str, Value], ...] = ()
    extraction: Extraction | None = None
    facts: PageFacts | None = None
    findings: tuple[Finding, ...] = ()
    previous: tuple[dict[str, Value], ...] = ()
    skipped: bool = False

    @property
    def good(self) -> bool:
        """Whether no page check says error."""
        return self.verdict is Verdict.OK and not any(one.severity is Severity.ERROR for one in self.findings)

    @property
    def agreement(self) -> float:
        """How far the readers of what was read agree, on average; 1 where there are no votes."""
        rows = self.extraction.records if self.extraction else ()
        shares = [vote.agreement for row in rows for name, vote in row.votes.items() if name in row.values]
        return sum(shares) / len(shares) if shares else 1.0


@dataclass
class Reader:
    """Reads the pages of one run of one family.

    `versions` are tried in order; the one that served the last page goes first, so that after a redesign only the
    first page pays for the search. `known` are the last known good records by url.
    """

    family: Family
    pool: WorkerPool
    versions: Sequence[CrawlerVersion]
    active: int | None
    known: Mapping[str, Sequence[Mapping[str, Value]]] = field(default_factory=dict)
    _order: list[CrawlerVersion] = field(init=False)
    _model: type[BaseModel] = field(init=False)
    _schema: RecordSchema = field(init=False)

    def __post_init__(self) -> None:
        self._order = list(self.versions)
        self._model = self.family.model()
        self._schema = self.family.schema_spec()

    async def read(self, visit: Visit) -> Reading:
        """The best reading of a page: the first version that no page check contradicts and whose readers agree.

        Else, of those not contradicted, the one whose readers agree most: a version made for another layout may know a
        little of this one. Without any such version, the first one tried.
        """
        if visit.page is None or visit.verdict is not Verdict.OK:
            return Reading(visit, visit.verdict, visit.reason)
        if visit.unchanged and visit.url.verdict is Verdict.OK and visit.url.url in self.known:
            previous = tuple(dict(record) for record in self.known[visit.url.url])
            return Reading(visit, Verdict.OK, "not modified", values=previous, previous=previous, skipped=True)
        if not self._order:
            finding = Finding(
                check=CheckName.SCHEMA, severity=Severity.ERROR, message="The family has no crawler version yet."
            )
            return Reading(visit, Verdict.DRIFT, "no crawler yet", findings=(finding,))
        first: Reading | None = None
        good: list[tuple[Reading, CrawlerVersion]] = []
        for version in tuple(self._order):
            reading = await self._with(version, visit, visit.page)
            if reading.good:
                good.append((reading, version))
                if reading.agreement >= self.family.drift.min_agreement:
                    break
            if reading.verdict not in (Verdict.OK, Verdict.DRIFT):
                return reading
            first = first or reading
        if good:
            best, version = max(good, key=lambda one: one[0].agreement)  # the first of equals
            self._order.remove(version)
            self._order.insert(0, version)
            return best
        assert first is not None
        return first

    async def _with(self, version: CrawlerVersion, visit: Visit, page: Page) -> Reading:
        previous = tuple(dict(record) for record in self.known.get(visit.url.url, ()))
        try:
            extracted = await self.pool.arun(Extract(program=version.body, page=page))
        except PageTooLarge as error:
            return Reading(visit, Verdict.TOO_LARGE, error.reason)
        except CrawlerFault as fault:
            finding = Finding(
                check=CheckName.SCHEMA,
                severity=Severity.ERROR,
                message=f"Version {version.version} failed: {type(fault).__name__}: {fault}",
            )
            return Reading(visit, Verdict.DRIFT, str(fault), version.version, findings=(finding,), previous=previous)
        records, values, invalid = self._validated(extracted.extraction, page)
        verdict, reason = page_verdict(page, extracted.facts, self.family, records_found=len(records))
        findings = (
            tuple(judge_page(self._schema, self.family, extracted.extraction, invalid, previous))
            if verdict is Verdict.OK
            else ()
        )
        if any(one.severity is Severity.ERROR for one in findings):
            verdict, reason = Verdict.DRIFT, findings[0].message
        return Reading(
            visit,
            verdict,
            reason,
            version.version,
            ServedBy.CRAWLER if version.version == self.active else ServedBy.OLDER,
            tuple(records),
            tuple(values),
            extracted.extraction,
            extracted.facts,
            findings,
            previous,
        )

    def _validated(
        self, extraction: Extraction, page: Page
    ) -> tuple[list[BaseModel], list[dict[str, Value]], list[Invalid]]:
        """The records that fit the user's model, their typed JSON values, and what is wrong with the others."""
        records: list[BaseModel] = []
        values: list[dict[str, Value]] = []
        invalid: list[Invalid] = []
        for extracted in extraction.records:
            try:
                record = validate(self._model, with_url(self._agreed(extracted), self._schema, page))
            except ValidationError as error:
                invalid.extend(
                    Invalid(row=extracted.row, field=".".join(map(str, item["loc"])), message=item["msg"])
                    for item in error.errors()
                )
            else:
                if reason := unstorable(record):
                    invalid.append(Invalid(row=extracted.row, field="", message=reason))
                    continue
                records.append(record)
                values.append(to_values(record, self._schema))
        return records, values, invalid

    def _agreed(self, record: ExtractedRecord) -> dict[str, Value]:
        """The values without optional ones that too few of their readers stand behind: absent is better than wrong,
        and if it happens on many pages the coverage check says so."""
        least = self.family.drift.min_agreement
        weak = {
            spec.name
            for spec in self._schema.fields
            if not spec.required
            and (vote := record.votes.get(spec.name)) is not None
            and vote.readers >= 2
            and vote.agreement < least
        }
        return {name: value for name, value in record.values.items() if name not in weak}


def with_url(values: Mapping[str, Value], schema: RecordSchema, page: Page) -> dict[str, Value]:
    """The values with the page's own url where the schema has a `url` that no reader filled."""
    if "url" in values or all(spec.name != "url" for spec in schema.fields):
        return dict(values)
    return {**values, "url": page.url}
