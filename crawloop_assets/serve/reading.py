"""A reading: what the versions of a family make of one page, newest-good first."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter, ge
from statistics import fmean

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.fresher import Fresher
from crawloop_assets.drift.check import Finding
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.resemblance import proofs, resemblance_of
from crawloop_assets.drift.values import EMPTY, filled_fields
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import Extracted, JobError, WorkerPool
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.serve.asked import AskedForms
from crawloop_assets.serve.by_silence import Marks, version_marks, without_silent
from crawloop_assets.serve.findings import has_error, schema_error
from crawloop_assets.serve.known_rows import KnownRows
from crawloop_assets.serve.one_answer import without_one_answer
from crawloop_assets.serve.silent_defaults import HeardPage, SilentDefaults
from crawloop_assets.serve.validated import JudgedRecords, Validator
from crawloop_assets.serve.versions import partial_versions, read_job, unread_fields
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerVersion, ServedBy
from crawloop_assets.store.known import vouched_values
from crawloop_assets.values.equality import same
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_AHEAD = 16  # pages that tell which version goes first
_READABLE = (Verdict.OK, Verdict.DRIFT)


@dataclass(frozen=True)
class Reading:
    """What came of one visit.

    `records` are valid; they may be published only if nothing holds the page.
    `skipped`: the site said 304 and the rows of the page stand, so it was not parsed
    again. `elsewhere` is what other pages of the site say of each of its records.
    `is_whole`: the records are all that the page shows. `model_fields` are those that a
    model read, where a version read the rest. `completed` are the records where some are
    none for want of required values, with the known ones.
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
    elsewhere: tuple[Mapping[str, Value], ...] = ()
    is_whole: bool = True
    model_fields: frozenset[str] = frozenset()
    completed: JudgedRecords | None = None

    @property
    def judged(self) -> JudgedRecords:
        """The records as the checks of a batch judge them."""
        return self.completed or JudgedRecords(self.extraction, self.values)

    @property
    def url(self) -> str:
        """The url that was asked for."""
        return self.visit.url.url

    @property
    def good(self) -> bool:
        """Whether no page check says error."""
        return self.verdict is Verdict.OK and not has_error(self.findings)

    @property
    def who(self) -> str:
        """Who served the page; of rows that stand, why they do."""
        if self.skipped:
            return self.reason or "not modified"
        if self.version is None:
            return self.served_by.value
        return f"{self.served_by.value} v{self.version}"

    @property
    def is_new_of_model(self) -> bool:
        """Whether a model was asked about the page, and served it."""
        return self.served_by is ServedBy.MODEL and not self.skipped

    @property
    def facts_of_readers(self) -> PageFacts | None:
        """What a page looks like to those that read it; none of what a model read, which
        is judged value by value."""
        return None if self.served_by is ServedBy.MODEL else self.facts

    @property
    def agreement(self) -> float:
        """How far the readers of what was read agree, on average; 1 where there are no
        votes."""
        records = self.extraction.records if self.extraction else ()
        shares = [
            record.votes[name].agreement
            for record in records
            for name in record.votes.keys() & record.values.keys()
        ]
        return fmean(shares) if shares else 1.0


@dataclass
class PageReader:
    """Reads the pages of one batch of one family.

    `versions` are tried in order. If there are several, a few pages go ahead: a first
    version that serves none of them gives way to the one that serves most, so that
    after a redesign only those pages pay for the search. `known` are the last known
    good records by url; a kind of evidence that is late is read by the `fresher` one.
    """

    family: Family
    pool: WorkerPool
    versions: Sequence[CrawlerVersion]
    active: int | None
    known: Mapping[str, Sequence[Mapping[str, Value]]] = field(default_factory=dict)
    fresher: Fresher = field(default_factory=Fresher)
    _order: list[CrawlerVersion] = field(init=False)
    _partial: frozenset[int] = field(init=False)
    _validator: Validator = field(init=False)
    _schema: RecordSchema = field(init=False)
    _key: Sequence[FieldSpec] = field(init=False)
    _asked: AskedForms = field(init=False)
    _rows: KnownRows = field(init=False)

    def __post_init__(self) -> None:
        self._order = list(self.versions)
        self._partial = partial_versions(self.versions)
        self._validator = Validator(self.family)
        self._schema = self.family.schema_spec()
        self._key = record_key(self._schema, self.family)
        lost = frozenset().union(*map(unread_fields, self.versions[:1]))
        self._asked = AskedForms(self._schema, self.known, lost)
        self._rows = KnownRows(self.family, self.known)

    async def read(self, visits: Sequence[Visit]) -> list[Reading]:
        """The best reading of each page: that of the first version that no page check
        contradicts and whose readers agree.

        Else, of those not contradicted, the one whose readers agree most: a version
        made for another layout may know a little of this one. Without any such version,
        the first one tried.
        """
        visits = list(map(self._readable, visits))
        readings = list(map(self._unread, visits))
        waiting = [at for at, reading in enumerate(readings) if reading is None]
        ahead = _AHEAD if len(self._order) > 1 else 0
        for part in (waiting[:ahead], waiting[ahead:]):
            if part:
                found = await self._search([visits[at] for at in part])
                for at, reading in zip(part, found, strict=True):
                    readings[at] = reading
        return without_one_answer(present(readings), self._schema)

    def _readable(self, visit: Visit) -> Visit:
        """The visit with its page, unless nobody has to read that."""
        return visit if self._rows_stand(visit) else visit.opened()

    def _unread(self, visit: Visit) -> Reading | None:
        """What is to be said of a visit without looking at its page, None if a version
        has to read it."""
        if not visit.has_page or visit.verdict is not Verdict.OK:
            return Reading(visit, visit.verdict, visit.reason)
        if self._rows_stand(visit):
            previous = self._previous(visit)
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
        finding = schema_error("The family has no crawler version yet.")
        return Reading(visit, Verdict.DRIFT, "no crawler yet", findings=(finding,))

    def _rows_stand(self, visit: Visit) -> bool:
        """Whether the site said that a page read well is still the same."""
        was_good = visit.url.verdict is Verdict.OK and visit.url.url in self.known
        return was_good and visit.unchanged

    def _previous(self, visit: Visit) -> tuple[dict[str, Value], ...]:
        """The last known good records of the page."""
        return tuple(map(dict, self._known(visit)))

    async def _search(self, visits: Sequence[Visit]) -> list[Reading]:
        """The best reading of each page.

        All go to the first version together, those it does not settle to the next.
        """
        tried: list[list[Reading]] = [[] for _ in visits]
        waiting = list(range(len(visits)))
        for version in self._order:
            readings = await self._with(version, [visits[at] for at in waiting])
            for at, reading in zip(waiting, readings, strict=True):
                tried[at].append(reading)
            waiting = [
                at for at in waiting if not self._is_settled(tried[at][-1], version)
            ]
            if not waiting:
                break
        best = list(map(self._best, tried))
        self._reorder(best)
        return best

    def _reorder(self, best: Sequence[Reading]) -> None:
        """Where the first version served nothing, the one that served most goes
        first."""
        served = Counter(reading.version for reading in best if reading.good)
        if not served[self._order[0].version]:
            self._order.sort(key=lambda version: -served[version.version])

    def _is_settled(self, reading: Reading, version: CrawlerVersion) -> bool:
        """Whether no other version has to read the page: the readers of this one agree,
        or it is no page of a record. What a version lost because the site had, or missed,
        another one may find."""
        at = version.version
        if reading.good and (at in self._partial or self._lacks_known(reading)):
            return False
        if reading.good:
            return reading.agreement >= self.family.drift.min_agreement
        return reading.verdict not in _READABLE

    def _lacks_known(self, reading: Reading) -> bool:
        """Whether a steady value of a known record is not read at all: the version may
        have been made for another layout."""
        return any(
            old.get(spec.name) not in EMPTY and new.get(spec.name) in EMPTY
            for old, new, spec in self._steady_values(reading)
        )

    def _confirmed(self, reading: Reading) -> int:
        """How many steady values of the known records are read again."""
        read = sum(
            old.get(spec.name) not in EMPTY
            and same(old.get(spec.name), new.get(spec.name), spec)
            for old, new, spec in self._steady_values(reading)
        )
        return read - sum(map(len, reading.judged.completed))

    def _steady_values(
        self, reading: Reading
    ) -> Iterator[tuple[Record, Record, FieldSpec]]:
        """The known records of a page with what is read now, field by field."""
        judged = reading.judged.values
        for old, new in pair_records(reading.previous, judged, self._key):
            for spec in self._steady:
                yield old, new, spec

    @cached_property
    def _steady(self) -> list[FieldSpec]:
        """The fields whose known values are read again and again."""
        return [each for each in self._schema.fields if is_steady(each, self.family)]

    def _best(self, readings: Sequence[Reading]) -> Reading:
        """Of what the versions tried made of a page, the one whose readers agree most;
        of equals the first, which is the newer version. One that reads more of what is
        known goes before it, also where rows lack a field, and one that reads all that
        and more."""
        if readings[-1].verdict not in _READABLE:
            return readings[-1]
        good = list(filter(attrgetter("good"), readings))
        best = max(good, key=attrgetter("agreement"), default=readings[0])
        completed = list(filter(attrgetter("completed"), readings))
        if completed or (good and self._lacks_known(best)):
            best = max([best, *good, *completed], key=self._confirmed)
        return max([best, *good], key=lambda reading: _more_than(reading, best))

    async def _with(
        self, version: CrawlerVersion, visits: Sequence[Visit]
    ) -> list[Reading]:
        """What one version makes of pages."""
        pages = present(map(attrgetter("page"), visits))
        marks, jobs, ignore = version_marks(version), [], self.family.refresh.ignore
        defaults = self._validator.defaults
        words = marks.forms(map(attrgetter("spec.name"), defaults))
        for visit, page in zip(visits, pages, strict=True):
            asked = self._asked.of(visit.url.url, words)
            jobs.append(read_job(self.family, version, page, asked, ignore))
        answers = await self.pool.arun_many(jobs)
        heard = list(map(partial(self._heard, marks), visits, pages, answers))
        read = [one for one in heard if isinstance(one, HeardPage)]
        silent = SilentDefaults.among(read, self.known, defaults, marks, self._key)
        return list(map(partial(self._judged, version, silent), visits, pages, heard))

    def _heard(
        self, marks: Marks, visit: Visit, page: Page, answer: Extracted | JobError
    ) -> HeardPage | JobError:
        """What a worker answered, as far as it is believed."""
        if not isinstance(answer, Extracted):
            return answer
        known, seen = self._vouched(visit), (visit.url.url, page.sha256)
        extraction = self.fresher.of(self._schema, answer.extraction, known, seen)
        extraction = without_silent(marks, extraction, known, self._key)
        return HeardPage(self._validator.heard(extraction), answer.facts, known)

    def _judged(
        self,
        version: CrawlerVersion,
        silent: SilentDefaults,
        visit: Visit,
        page: Page,
        heard: HeardPage | JobError,
    ) -> Reading:
        """The reading of what a worker answered."""
        if isinstance(heard, PageTooLarge):
            return Reading(visit, Verdict.TOO_LARGE, heard.reason)
        if isinstance(heard, CrawlerFault):
            fault = f"{type(heard).__name__}: {heard}"
            finding = schema_error(f"Version {version.version} failed: {fault}")
            return Reading(
                visit,
                Verdict.DRIFT,
                str(heard),
                version.version,
                findings=(finding,),
                previous=self._vouched(visit),
            )
        facts, previous = heard.facts, heard.known
        extraction = silent.marked(heard.extraction, previous, self._key)
        found = list(self._validator.of(extraction, page.url))
        records = present(map(attrgetter("record"), found))
        values = [self._validator.values(one) for one in found if one.record]
        invalid = list(chain.from_iterable(map(attrgetter("invalid"), found)))
        resemblance = resemblance_of(previous, values, facts, self._schema)
        verdict, reason = page_verdict(
            page, facts, self.family, proofs(values, self._schema), resemblance
        )
        findings: tuple[Finding, ...] = ()
        if verdict is Verdict.OK:
            findings = tuple(
                judge_page(self._schema, self.family, extraction, invalid, previous)
            )
        completed = None
        if has_error(findings):
            verdict, reason = Verdict.DRIFT, findings[0].message
            rows = self._rows.of(previous, extraction)
            completed = self._validator.completed(extraction, page.url, rows)
        return Reading(
            visit,
            verdict,
            reason,
            version.version,
            ServedBy.OLDER if version.version != self.active else ServedBy.CRAWLER,
            tuple(records),
            tuple(values),
            extraction,
            facts,
            findings,
            previous,
            completed=completed,
        )

    def _vouched(self, visit: Visit) -> tuple[dict[str, Value], ...]:
        """The same, without what a model alone said: that is nothing against a reader."""
        return tuple(filter(None, map(vouched_values, self._known(visit))))

    def _known(self, visit: Visit) -> Sequence[Mapping[str, Value]]:
        """What was last known of the page's url."""
        return self.known.get(visit.url.url, ())


def _more_than(reading: Reading, best: Reading) -> int:
    """How many values a reading has beside all those of the best one; 0 if it lacks or
    contradicts one of them."""
    filled, wanted = (list(map(_filled, one.values)) for one in (reading, best))
    has_all = len(filled) == len(wanted) and all(map(ge, filled, wanted))
    return sum(map(len, filled)) - sum(map(len, wanted)) if has_all else 0


def _filled(record: Mapping[str, Value]) -> Set[tuple[str, Value]]:
    """The values that a record has, and of which fields."""
    return {name: record[name] for name in filled_fields(record)}.items()
