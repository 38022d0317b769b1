"""Checks of a batch: is what was read of these pages what this family's pages give?

Every check answers for every batch with a number, a threshold, a plain sentence and up
to five examples. Only `error` results are drift. Pages that show a failed sign are
held; an error about values whose pages cannot all be told apart holds the whole batch.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from itertools import chain
from operator import attrgetter

from crawloop_assets.drift.assessment import (
    JUDGED_VERDICTS,
    LEAST_UNITS,
    Assessment,
    assess_declared_coverage,
    assess_doubts,
    assess_failing_pages,
    assess_shift,
    assess_signs,
    assess_verdicts,
)
from crawloop_assets.drift.batch_evidence import BatchEvidence, batch_evidence
from crawloop_assets.drift.check import (
    NOT_OF_READERS,
    CheckModel,
    CheckName,
    CheckResult,
    Finding,
    Severity,
)
from crawloop_assets.drift.confirm import (
    WaitingRows,
    forget_waiting,
    waiting_rows,
    waits_no_more,
    without_waiting,
)
from crawloop_assets.drift.counted import count_signs
from crawloop_assets.drift.doubt import doubts
from crawloop_assets.drift.gone import assess_gone, assess_losses
from crawloop_assets.drift.kept import InPart, KeptRecord
from crawloop_assets.drift.left_out import beside_left_out
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Trust, count_pages
from crawloop_assets.drift.overlooked_signs import with_overlooked
from crawloop_assets.drift.refused import RefusedRows, kept_beside, with_waiting
from crawloop_assets.drift.result import check_result, held_everywhere, held_pages
from crawloop_assets.drift.said import (
    excuse_what_was_said_before,
    refuted_fields,
    surprising_shifts,
)
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.spread import shifts
from crawloop_assets.drift.stats import categories_of, stats_of
from crawloop_assets.drift.still_shown import still_shown
from crawloop_assets.drift.trust import batch_trust
from crawloop_assets.drift.unlisted import assess_unlisted
from crawloop_assets.family import Family
from crawloop_assets.schema import RecordSchema

_CHRONIC = 0.25
"""Readers that disagree on a larger share of their records always do."""

_NEARLY_ALL = 0.8
_FEWEST_DOUBTED = 4
_ABOUT_VALUES = (CheckName.HISTORY, CheckName.CONTRADICTION, CheckName.CONSISTENCY)
"""Where so large a share of the pages is held for one value, the rest is not believed
either."""

_CHRONIC_SIGNS = {
    CheckName.VOTES: Sign.DISAGREE,
    CheckName.CONTRADICTION: Sign.CONTRADICTION,
}


_NO_ANSWER = Finding(
    check=CheckName.SCHEMA,
    severity=Severity.ERROR,
    message="the crawler gave no answer for this page",
)


class BatchJudgement(CheckModel):
    """The results, the pages held (url -> why), the reason to hold the whole batch
    if there is one, and what the batch teaches.

    `drifted`: a check found drift, or half of the pages are held for what was read of
    them. On few pages no check may be sure enough to call it drift, but a batch that
    publishes little needs healing, and teaches nothing. `waiting`: url -> the records of
    a page that only wait until the site says the same again; a page all of whose
    records wait is among those held. `kept`: url -> the records, by position, of a held page that is
    served in part; `beside`: url -> the rows, by position, of a page that is published
    which keep a known value.
    `evidence` is what the batch tells of its run. `said_twice`: url -> the fields that
    two refreshes read alike, and nothing but the past speaks against. `new_choices` are the urls of
    pages all rows of which are in `kept` but for those that are left out.
    """

    checks: tuple[CheckResult, ...]
    held: dict[str, tuple[Finding, ...]]
    hold_all: str | None
    stats: BatchStats
    drifted: bool = False
    waiting: Mapping[str, WaitingRows] = {}
    kept: Mapping[str, Mapping[int, KeptRecord]] = {}
    beside: Mapping[str, Mapping[int, KeptRecord]] = {}
    evidence: BatchEvidence = BatchEvidence()
    said_twice: Mapping[str, frozenset[str]] = {}
    new_choices: frozenset[str] = frozenset()

    @property
    def unconfirmed(self) -> int:
        """How many records only wait."""
        return sum(len(waiting.rows) for waiting in self.waiting.values())


def judge_batch(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    history: Sequence[BatchStats] = (),
    *,
    batch: str = "",
) -> BatchJudgement:
    """Judge all pages of a batch together.

    `history` are the statistics of earlier batches of the family, oldest first, `batch`
    the key of this one (so that its own past weighs more than the family's). Pages
    whose verdict is neither ok nor drift are only counted.
    """
    version = _main_version(outcomes)
    norms = Norms(history, batch, version, count_pages(outcomes))
    foreign = _foreign_pages(outcomes, norms)
    pages = _judged_pages(outcomes, foreign, norms)
    tallies = count_signs(schema, family, pages, norms)
    said_twice = excuse_what_was_said_before(schema, family, pages, tallies)
    evidence = batch_evidence(tallies, pages, batch=batch, version=version)
    stats = stats_of(schema, outcomes, pages, tallies, batch=batch, version=version)
    shifted = shifts(schema, stats, norms)
    about_values = [
        *assess_declared_coverage(family, pages),
        *assess_signs(tallies, len(pages), norms),
        *map(assess_shift, surprising_shifts(schema, family, pages, tallies, shifted)),
    ]
    assessments = [
        *assess_verdicts(outcomes, foreign),
        *assess_failing_pages(pages),
        *about_values,
    ]
    improbable = doubts(tallies, norms)
    doubtful = [
        *assess_doubts(list(filter(attrgetter("is_doubtful"), improbable)), len(pages)),
        *assess_losses(schema, family, pages),
        *assess_gone(schema, family, pages),
        *assess_unlisted(schema, pages),
    ]
    checks = _check_results([*assessments, *doubtful], outcomes, pages, norms)
    refuted = refuted_fields(tallies)
    sure = [item for item in assessments if waits_no_more(item, refuted, pages)]
    checks = _as_drift(checks, held_pages(pages, sure), pages)
    drifted = _is_drift(checks, held_pages(pages, sure), pages)
    held = held_pages(pages, [*sure, *doubtful])
    refused = RefusedRows(schema, family, pages).rows
    waiting = waiting_rows(schema, family, improbable, assessments, pages)
    waiting = with_waiting(waiting, refused)
    doubted_rows = with_overlooked(waiting, tallies, pages)
    waiting = {url: rows for url, rows in doubted_rows.items() if url not in held}
    held |= _whole_pages(waiting, pages)
    trust = batch_trust(about_values)
    if trust is Trust.FULL and not drifted:
        sound = [page for page in pages if page.url not in held]
        stats = _undoubted(stats, schema, family, sound, waiting, norms)
    verdict = {"pages": len(pages), "drifted": drifted, "trust": trust}
    if drifted:
        verdict["still_shown"] = still_shown(schema, pages)
    failed, doubted = held_everywhere(assessments), _doubted_fields(held, pages)
    everywhere = frozenset(failed | doubted)
    in_part = InPart(schema, family, norms, tallies, held, everywhere, said_twice)
    sound = [] if everywhere else pages
    beside = beside_left_out(sound, held, doubted_rows, refused)
    _hold_foreign_pages(held, outcomes, foreign)
    return BatchJudgement(
        checks=checks,
        held=held,
        hold_all=next(iter((*failed.values(), *doubted.values())), None),
        stats=stats.model_copy(update=verdict),
        drifted=drifted,
        waiting=waiting,
        kept=in_part.of(pages) | beside,
        new_choices=frozenset(beside.keys() - doubted_rows.keys()),
        beside=kept_beside(refused, held),
        evidence=evidence,
        said_twice=said_twice,
    )


def _undoubted(
    stats: BatchStats,
    schema: RecordSchema,
    family: Family,
    sound: Sequence[PageOutcome],
    waiting: Mapping[str, WaitingRows],
    norms: Norms,
) -> BatchStats:
    """The statistics of a batch without what is held or waits: that teaches nothing."""
    if len(sound) == stats.pages and not waiting:
        return stats
    tallies = count_signs(schema, family, sound, norms)
    excuse_what_was_said_before(schema, family, sound, tallies)
    forget_waiting(tallies, sound, waiting)
    of_sound = stats_of(
        schema, sound, sound, tallies, batch=stats.batch, version=stats.version
    )
    published = [without_waiting(page, waiting) for page in sound]
    categories = categories_of(schema, published, stats.version)
    return of_sound.model_copy(
        update={"verdicts": stats.verdicts, "categories": categories}
    )


def _main_version(outcomes: Iterable[PageOutcome]) -> int | None:
    """The version that read most pages, the latest of several; None if none is
    known."""
    pages: Counter[int] = Counter()
    for outcome in outcomes:
        if outcome.version is not None:
            pages[outcome.version] += 1
    ranked = [(count, version) for version, count in pages.items()]
    _, version = max(ranked, default=(0, None))
    return version


def _foreign_pages(outcomes: Sequence[PageOutcome], norms: Norms) -> set[int]:
    """Positions of the pages in another language than (nearly) the whole family is in:
    another kind of page, not drift."""
    usual = norms.usual("spoken")
    foreign: set[int] = set()
    if not usual:
        return foreign
    for page, outcome in enumerate(outcomes):
        if outcome.verdict not in JUDGED_VERDICTS:
            continue
        if _spoken(outcome) not in ("", usual):
            foreign.add(page)
    return foreign


def _spoken(outcome: PageOutcome) -> str:
    """The language the words of the page are in, "" if that is not known."""
    if outcome.facts is None:
        return ""
    return outcome.facts.spoken


def _judged_pages(
    outcomes: Sequence[PageOutcome], foreign: Collection[int], norms: Norms
) -> list[PageOutcome]:
    """The pages whose records are judged, with what their checks have against them."""
    pages = []
    for page, outcome in enumerate(outcomes):
        if page in foreign:
            continue
        if outcome.verdict in JUDGED_VERDICTS:
            pages.append(_with_settled_findings(outcome, norms))
    return pages


def _with_settled_findings(outcome: PageOutcome, norms: Norms) -> PageOutcome:
    """With a finding if the crawler gave nothing, without complaints that its readers
    always give rise to."""
    findings = tuple(
        finding for finding in outcome.findings if not _is_chronic(finding, norms)
    )
    settled = outcome.model_copy(update={"findings": findings})
    if _has_answer(outcome) or settled.errors:
        return settled
    return settled.model_copy(update={"findings": (*findings, _NO_ANSWER)})


def _has_answer(outcome: PageOutcome) -> bool:
    """Whether the crawler gave anything for the page."""
    return outcome.extraction is not None or len(outcome.values) > 0


def _is_chronic(finding: Finding, norms: Norms) -> bool:
    """Whether the readers of a field contradict each other on many healthy pages."""
    sign = _CHRONIC_SIGNS.get(finding.check)
    if sign is None:
        return False
    known, _ = norms.rate(sign, finding.field, 0)
    if known.seen < LEAST_UNITS:
        return False
    return known.share > _CHRONIC


def _whole_pages(
    waiting: Mapping[str, WaitingRows], pages: Iterable[PageOutcome]
) -> dict[str, tuple[Finding, ...]]:
    """The pages all of whose records wait."""
    whole = {}
    for page in pages:
        rows = waiting.get(page.url)
        if rows is not None and len(rows.rows) == len(page.values):
            whole[page.url] = rows.findings
    return whole


def _check_results(
    assessments: Sequence[Assessment],
    outcomes: Sequence[PageOutcome],
    pages: Sequence[PageOutcome],
    norms: Norms,
) -> tuple[CheckResult, ...]:
    """One result for each check of what was read."""
    results = []
    for name in CheckName:
        if name in NOT_OF_READERS:
            continue
        looked_at = outcomes if name is CheckName.PAGES else pages
        of_check = [item for item in assessments if item.check is name]
        results.append(check_result(name, of_check, looked_at, norms))
    return tuple(results)


def _as_drift(
    checks: tuple[CheckResult, ...],
    held: Mapping[str, Sequence[Finding]],
    pages: Sized,
) -> tuple[CheckResult, ...]:
    """The checks, those that fail and hold half of the pages as errors, though no sign is
    drift by itself: who asks why the batch is red asks them."""
    if not _are_half(held, pages) or any(map(attrgetter("is_drift"), checks)):
        return checks
    holding = {finding.check for finding in chain.from_iterable(held.values())}
    return tuple(
        check.model_copy(update={"severity": Severity.ERROR})
        if check.name in holding and not check.passed
        else check
        for check in checks
    )


def _is_drift(checks: Iterable[CheckResult], held: Sized, pages: Sized) -> bool:
    """Whether a check found drift, or half of the pages are held; before pages in
    another language are."""
    if _are_half(held, pages):
        return True
    return any(map(attrgetter("is_drift"), checks))


def _are_half(held: Sized, pages: Sized) -> bool:
    """Whether as many pages are held as are not, or more."""
    return len(held) * 2 >= len(pages) > 0


def _hold_foreign_pages(
    held: dict[str, tuple[Finding, ...]],
    outcomes: Sequence[PageOutcome],
    foreign: Iterable[int],
) -> None:
    """Add the pages in another language to those that are held."""
    for page in foreign:
        outcome = outcomes[page]
        message = f"the text is in {_spoken(outcome)!r}, unlike the family's pages"
        finding = Finding(
            check=CheckName.PAGES, severity=Severity.WARN, message=message
        )
        held[outcome.url] = (*held.get(outcome.url, ()), finding)


def _doubted_fields(
    held: Mapping[str, Sequence[Finding]], pages: Collection[PageOutcome]
) -> dict[str, str]:
    """The fields whose value is held on nearly all pages, and how often: what the
    others say of them is read in the same way."""
    doubted: Counter[str] = Counter()
    for findings in held.values():
        doubted.update({one.field for one in findings if _is_of_value(one)})
    least = max(_FEWEST_DOUBTED, _NEARLY_ALL * len(pages))
    return {
        field: f"{field} is held on {count} of {len(pages)} pages"
        for field, count in doubted.most_common()
        if count >= least
    }


def _is_of_value(finding: Finding) -> bool:
    """Whether a finding is about a value that was read."""
    return bool(finding.field) and finding.check in _ABOUT_VALUES
