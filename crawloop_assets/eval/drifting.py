"""The drift case: a program reads its layout for quiet days, then other pages come."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from operator import attrgetter

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.values import filled_fields
from crawloop_assets.eval import lost
from crawloop_assets.eval.gold import Gold, to_learn
from crawloop_assets.eval.plan import Case
from crawloop_assets.eval.results import Alarm, Refusal
from crawloop_assets.eval.score import Observation, Score
from crawloop_assets.eval.watch import Notice, Watch
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value

_READ = (Score.RIGHT, Score.WRONG)
"""What became of a value that was read."""

_ALARM_AGREEMENT = 0.5
_ALARM_SHARE = 0.3


@dataclass(frozen=True)
class DriftCase:
    """A case, its core fields and the program that reads its old layout."""

    case: Case
    schema: RecordSchema
    core: frozenset[str]
    program: Program
    watch: Watch


def watched_case(
    case: Case,
    schema: RecordSchema,
    kind: FamilyKind,
    core: frozenset[str],
    program: Program,
    learned: Sequence[Gold],
) -> DriftCase:
    """The case with the checks set up: the core fields that were learned are required."""
    watch = Watch(schema, kind, _names(learned) & core)
    return DriftCase(case, schema, core, program, watch)


def _names(golds: Sequence[Gold]) -> set[str]:
    """The fields that any of the records has."""
    return set(chain.from_iterable(golds))


def quiet_history(
    drift: DriftCase, read: Sequence[tuple[Page, Extraction]]
) -> list[BatchStats]:
    """Ten days on which the learned pages showed the same."""
    first = list(starmap(drift.watch.outcome, read))
    later = list(starmap(drift.watch.again, read))
    return drift.watch.quiet_days(first, later)


def outcome_today(
    drift: DriftCase, page: Page, found: Extraction, golds: Sequence[Gold]
) -> PageOutcome:
    """A test page as the checks see it.

    The last known record of a page is what the site said yesterday in the old layout:
    after a redesign its gold record, else what the program read.
    """
    if drift.case.unchanged:
        return drift.watch.again(page, found)
    return drift.watch.outcome(page, found, list(map(to_learn, golds)))


@dataclass(frozen=True)
class PageReading:
    """What the program read on a test page, how that was scored, and what is true."""

    page: str
    found: Extraction
    seen: Sequence[Observation]
    golds: Sequence[Gold]


def alarm_of(drift: DriftCase, reading: PageReading, notice: Notice) -> Alarm:
    """Whether a page was noticed, and whether it should have been; and what is fresh of
    one that is served in part."""
    core = [seen for seen in reading.seen if seen.field in drift.core]
    outcomes = set(map(attrgetter("outcome"), core))
    wrong = {seen.field for seen in core if seen.outcome is not Score.RIGHT}
    broken = bool(wrong)
    return Alarm(
        page=reading.page,
        unchanged=drift.case.unchanged,
        broken=broken,
        silent=broken and Score.NONE not in outcomes,
        right=not broken and _reads_all(drift, reading),
        raised=notice.held or (broken and wrong <= (notice.kept or set())),
        plain=raised_by_plain_rule(reading.found, drift.core),
        why=notice.why,
        kept=notice.kept,
        fresh=tuple(_fresh(reading, notice)),
    )


def _fresh(reading: PageReading, notice: Notice) -> Iterator[bool]:
    """Whether each fresh value of a page that is served in part is right."""
    if notice.kept is not None:
        for seen in reading.seen:
            if seen.field not in notice.kept and seen.outcome in _READ:
                yield seen.outcome is Score.RIGHT


def _reads_all(drift: DriftCase, reading: PageReading) -> bool:
    """Whether every core field that is true of the page is filled in all records."""
    expected = _names(reading.golds) & drift.core
    records = reading.found.records
    return all(expected <= filled_fields(record.values) for record in records)


def raised_by_plain_rule(extraction: Extraction, core: frozenset[str]) -> bool:
    """The plain rule: no record, a core field missing, or many fields whose readers
    disagree."""
    if not extraction.records:
        return True
    return any(_looks_broken(record, core) for record in extraction.records)


def _looks_broken(record: ExtractedRecord, core: frozenset[str]) -> bool:
    """True if a core field is missing, or so many fields have readers that disagree."""
    if core - record.values.keys():
        return True
    votes = record.votes.values()
    low = sum(vote.agreement < _ALARM_AGREEMENT for vote in votes)
    return low >= _ALARM_SHARE * max(1, len(votes))


def refusals(
    drift: DriftCase,
    target: Page,
    known: Sequence[dict[str, Value]],
    history: Sequence[BatchStats],
) -> list[Refusal]:
    """What becomes of pages that took the place of the wanted one: none of them may be
    published, and nothing may be healed on one."""
    found = []
    for name, body in lost.PAGES.items():
        headers = {"content-type": "text/html; charset=utf-8"}
        page = Page(url=target.url, body=body, headers=headers)
        why = _mistaken(drift, page, known, history)
        found.append(Refusal(name, not why, why))
    return found


def _mistaken(
    drift: DriftCase,
    page: Page,
    known: Sequence[dict[str, Value]],
    history: Sequence[BatchStats],
) -> str:
    """What was made of a page that is not the wanted one: whether it was published, what
    was healed on it, or both; "" if it was refused."""
    read = run(drift.program, Document(page))
    outcome = drift.watch.outcome(page, read, known)
    (notice,) = drift.watch.noticed(history, [outcome])
    healed = heal_program(drift.schema, drift.program, [page], [])
    why = "" if notice.held else "published; "
    if healed.program:
        why += f"healed: {healed.scores.reason}"
    return why
