"""A reading: what the versions of a family make of one page.

Versions are tried newest-good first on the same bytes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.value_lookup import asked_forms
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values, validate
from crawloop_assets.sandbox import Extracted, ExtractJob, JobError, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerVersion, ServedBy, unstorable
from crawloop_assets.values.value import Value

_AHEAD = 16


@dataclass(frozen=True)
class Reading:
    """What came of one visit.

    `records` are valid; they may be published only if nothing holds the page.
    `skipped`: the site said 304 and the rows of the page stand, so it was not parsed
    again.
    """

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
        return self.verdict is Verdict.OK and not any(
            one.severity is Severity.ERROR for one in self.findings
        )

    @property
    def agreement(self) -> float:
        """How far the readers of what was read agree, on average; 1 where there are no
        votes."""
        rows = self.extraction.records if self.extraction else ()
        shares = [
            vote.agreement
            for row in rows
            for name, vote in row.votes.items()
            if name in row.values
        ]
        return sum(shares) / len(shares) if shares else 1.0


@dataclass
class PageReader:
    """Reads the pages of one batch of one family.

    `versions` are tried in order. If there are several, a few pages go ahead: a first
    version that serves none of them gives way to the one that serves most, so that
    after a redesign only those pages pay for the search. `known` are the last known
    good records by url.
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

    async def read(self, visits: Sequence[Visit]) -> list[Reading]:
        """The best reading of each page: that of the first version that no page check
        contradicts and whose readers agree.

        Else, of those not contradicted, the one whose readers agree most: a version
        made for another layout may know a little of this one. Without any such version,
        the first one tried.
        """
        found = {
            at: reading
            for at, visit in enumerate(visits)
            if (reading := self._unread(visit)) is not None
        }
        waiting = [at for at in range(len(visits)) if at not in found]
        ahead = _AHEAD if len(self._order) > 1 else 0
        for part in filter(None, (waiting[:ahead], waiting[ahead:])):
            found.update(
                zip(part, await self._search([visits[at] for at in part]), strict=True)
            )
        return [found[at] for at in range(len(visits))]

    def _unread(self, visit: Visit) -> Reading | None:
        """What is to be said of a visit without looking at its page, None if a version
        has to read it."""
        if visit.page is None or visit.verdict is not Verdict.OK:
            return Reading(visit, visit.verdict, visit.reason)
        if (
            visit.unchanged
            and visit.url.verdict is Verdict.OK
            and visit.url.url in self.known
        ):
            previous = tuple(dict(record) for record in self.known[visit.url.url])
            return Reading(
                visit,
                Verdict.OK,
                "not modified",
                values=previous,
                previous=previous,
                skipped=True,
            )
        if self._order:
            return None
        message = "The family has no crawler version yet."
        finding = Finding(
            check=CheckName.SCHEMA, severity=Severity.ERROR, message=message
        )
        return Reading(visit, Verdict.DRIFT, "no crawler yet", findings=(finding,))

    async def _search(self, visits: Sequence[Visit]) -> list[Reading]:
        """The best reading of each page.

        All go to the first version together, those it does not settle to the next.
        """
        tried: list[list[Reading]] = [[] for _ in visits]
        waiting = list(range(len(visits)))
        for version in self._order:
            for at, reading in zip(
                waiting,
                await self._with(version, [visits[at] for at in waiting]),
                strict=True,
            ):
                tried[at].append(reading)
            waiting = [at for at in waiting if not self._settled(tried[at][-1])]
            if not waiting:
                break
        best = [_best(readings) for readings in tried]
        served = Counter(reading.version for reading in best if reading.good)
        if not served[self._order[0].version]:
            self._order.sort(key=lambda version: -served[version.version])
        return best

    def _settled(self, reading: Reading) -> bool:
        if reading.good:
            return reading.agreement >= self.family.drift.min_agreement
        return reading.verdict not in (Verdict.OK, Verdict.DRIFT)

    async def _with(
        self, version: CrawlerVersion, visits: Sequence[Visit]
    ) -> list[Reading]:
        pages = [visit.page for visit in visits if visit.page is not None]
        then = [
            tuple(sorted(asked_forms(self._known(visit), self._schema.fields)))
            for visit in visits
        ]
        answers = await self.pool.arun_many(
            [
                ExtractJob(
                    program=version.body,
                    page=page,
                    asked=forms,
                    ignore=self.family.refresh.ignore,
                )
                for page, forms in zip(pages, then, strict=True)
            ]
        )
        return [
            self._judged(version, visit, page, answer)
            for visit, page, answer in zip(visits, pages, answers, strict=True)
        ]

    def _judged(
        self,
        version: CrawlerVersion,
        visit: Visit,
        page: Page,
        answer: Extracted | JobError,
    ) -> Reading:
        previous = tuple(map(dict, self._known(visit)))
        if isinstance(answer, PageTooLarge):
            return Reading(visit, Verdict.TOO_LARGE, answer.reason)
        if isinstance(answer, CrawlerFault):
            message = (
                f"Version {version.version} failed: {type(answer).__name__}: {answer}"
            )
            finding = Finding(
                check=CheckName.SCHEMA, severity=Severity.ERROR, message=message
            )
            return Reading(
                visit,
                Verdict.DRIFT,
                str(answer),
                version.version,
                findings=(finding,),
                previous=previous,
            )
        extraction, facts = answer.extraction, answer.facts
        records, values, invalid = self._validated(extraction, page)
        verdict, reason = page_verdict(
            page, facts, self.family, records_found=len(records)
        )
        findings = (
            tuple(judge_page(self._schema, self.family, extraction, invalid, previous))
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
            extraction,
            facts,
            findings,
            previous,
        )

    def _known(self, visit: Visit) -> Sequence[Mapping[str, Value]]:
        return self.known.get(visit.url.url, ())

    def _validated(
        self, extraction: Extraction, page: Page
    ) -> tuple[list[BaseModel], list[dict[str, Value]], list[Invalid]]:
        """The records that fit the user's model, their typed JSON values, and what is
        wrong with the others."""
        records: list[BaseModel] = []
        values: list[dict[str, Value]] = []
        invalid: list[Invalid] = []
        for extracted in extraction.records:
            try:
                record = validate(
                    self._model, with_url(self._agreed(extracted), self._schema, page)
                )
            except ValidationError as error:
                invalid.extend(
                    Invalid(
                        row=extracted.row,
                        field=".".join(map(str, item["loc"])),
                        message=item["msg"],
                    )
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
        """The values without optional ones that too few of their readers stand behind:
        absent is better than wrong, and if it happens on many pages the coverage check
        says so."""
        least = self.family.drift.min_agreement
        weak = {
            spec.name
            for spec in self._schema.fields
            if not spec.required
            and (vote := record.votes.get(spec.name)) is not None
            and vote.readers >= 2
            and vote.agreement < least
        }
        return {
            name: value for name, value in record.values.items() if name not in weak
        }


def _best(readings: Sequence[Reading]) -> Reading:
    """Of what the versions tried made of a page."""
    if readings[-1].verdict not in (Verdict.OK, Verdict.DRIFT):
        return readings[-1]
    # Of equals the first, which is the newer version.
    return max(
        (one for one in readings if one.good),
        key=lambda one: one.agreement,
        default=readings[0],
    )


def with_url(
    values: Mapping[str, Value], schema: RecordSchema, page: Page
) -> dict[str, Value]:
    """The values with the page's own url where the schema has a `url` that no reader
    filled."""
    if "url" in values or all(spec.name != "url" for spec in schema.fields):
        return dict(values)
    return {**values, "url": page.url}
