"""What a check says of a batch, given all it looked at: the worst of it, with examples;
and which pages are held for it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.check import (
    CheckExample,
    CheckName,
    CheckResult,
    Finding,
    Severity,
    show,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import OF_BATCH
from crawloop_assets.drift.tally import Hit

_MOST_EXAMPLES = 5
_MOST_OTHERS = 6
"""So many more fields are named besides the worst."""


def check_result(
    name: CheckName,
    assessments: Sequence[Assessment],
    pages: Sequence[PageOutcome],
    norms: Norms,
) -> CheckResult:
    """The worst of what a check looked at; `pages` are those its hits are of.

    If nothing failed, what came closest to failing; if nothing could be judged, that
    there is not enough history, or was no page.
    """
    failed = list(filterfalse(attrgetter("passed"), assessments))
    judged = [assessment for assessment in assessments if assessment.weight >= 0]
    if failed:
        return _failed_result(name, failed, pages)
    if judged:
        return _passed_result(name, judged, len(pages))
    return CheckResult(
        name=name,
        passed=True,
        severity=_usual_severity(name),
        sentence=_why_not_judged(pages, norms),
    )


def _why_not_judged(pages: Sequence[PageOutcome], norms: Norms) -> str:
    """What a judgement would have needed."""
    if not pages:
        return "nothing to judge: no wanted page was read in this batch"
    return f"not enough history ({norms.batches} batches, {norms.pages} pages before this one)"


def _usual_severity(name: CheckName) -> Severity:
    """The severity a check would fail with."""
    if name.blocking:
        return Severity.ERROR
    return Severity.WARN


def _passed_result(
    name: CheckName, judged: Sequence[Assessment], page_count: int
) -> CheckResult:
    """What came closest to failing."""
    closest = max(judged, key=_distance_to_failure)
    sentence = closest.sentence
    if not closest.observed:
        sentence = f"nothing unusual in {page_count} pages"
    return CheckResult(
        name=name,
        passed=True,
        severity=_usual_severity(name),
        observed=closest.observed,
        threshold=closest.threshold,
        sentence=sentence,
    )


def _distance_to_failure(assessment: Assessment) -> float:
    """How far a passed assessment is over its threshold: less than zero."""
    return assessment.observed - assessment.threshold


def _failed_result(
    name: CheckName, failed: Sequence[Assessment], pages: Sequence[PageOutcome]
) -> CheckResult:
    """The worst of what failed, and what else did."""
    worst = max(failed, key=_badness)
    sentence = worst.sentence
    subjects = set(map(attrgetter("subject"), failed))
    others = sorted(subjects - {worst.subject, ""})
    if others:
        sentence += f"; also {', '.join(others[:_MOST_OTHERS])}"
    return CheckResult(
        name=name,
        passed=False,
        severity=worst.severity,
        observed=worst.observed,
        threshold=worst.threshold,
        sentence=sentence,
        examples=_examples(worst, pages),
    )


def _badness(assessment: Assessment) -> tuple[bool, float]:
    """Drift before suspicion, then by weight."""
    return assessment.severity is Severity.ERROR, assessment.weight


def _examples(
    assessment: Assessment, pages: Sequence[PageOutcome]
) -> tuple[CheckExample, ...]:
    """One example per page, five at most."""
    first: dict[int, Hit] = {}
    for hit in assessment.hits:
        first.setdefault(hit.page, hit)
    return tuple(
        CheckExample(
            url=pages[hit.page].url,
            field=assessment.subject,
            expected=show(hit.expected),
            got=show(hit.got),
            page_sha256=pages[hit.page].page_sha256,
        )
        for hit in list(first.values())[:_MOST_EXAMPLES]
    )


def held_pages(
    pages: Sequence[PageOutcome], assessments: Iterable[Assessment]
) -> dict[str, tuple[Finding, ...]]:
    """Pages whose records must not be published: url -> why.

    They are those that fail by themselves, in the order of the batch, and those that
    show a failed sign.
    """
    held: defaultdict[str, list[Finding]] = defaultdict(list)
    for outcome in pages:
        held[outcome.url].extend(outcome.errors)
    for assessment in assessments:
        if assessment.passed:
            continue
        if not assessment.holds:
            continue
        for hit in assessment.hits:
            held[pages[hit.page].url].append(finding_of(assessment, hit))
    return _without_repetitions(held)


def _without_repetitions(
    held: Mapping[str, Sequence[Finding]],
) -> dict[str, tuple[Finding, ...]]:
    """Each finding once, of the pages that have any."""
    unique = {}
    for url, findings in held.items():
        if findings:
            unique[url] = tuple(dict.fromkeys(findings))
    return unique


def finding_of(assessment: Assessment, hit: Hit) -> Finding:
    """What a failed sign has against a page that shows it."""
    return Finding(
        check=assessment.check,
        severity=assessment.severity,
        field=assessment.subject,
        message=assessment.sentence,
        expected=show(hit.expected),
        got=show(hit.got),
        of_batch=assessment.sign in OF_BATCH,
    )


def held_everywhere(assessments: Iterable[Assessment]) -> dict[str, str]:
    """The fields ("" for whole records) with an error whose pages cannot all be told
    apart, and what the first one says."""
    reasons: dict[str, str] = {}
    for assessment in assessments:
        if assessment.is_drift and assessment.holds_all:
            reasons.setdefault(assessment.subject, assessment.sentence)
    return reasons
