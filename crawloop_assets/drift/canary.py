"""Canaries: known pages that are read again in every refresh, to judge the batches in
which little is known."""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, CheckResult, Finding, Severity

ENOUGH_KNOWN_PAGES = 5
"""So many known pages show whether a crawler still reads what it read; a batch that has
them needs no canaries."""


def with_canaries(
    judgement: BatchJudgement, canaries: BatchJudgement
) -> BatchJudgement:
    """A batch of new pages, given what the canaries of the same refresh showed.

    Readers that give other values on known pages than they should cannot be believed on
    pages nobody knows, so the batch is held, as a whole, and the check that failed says
    why.
    Canaries that cannot be read at all are no reason: new pages of the same kind fail
    by themselves.
    """
    misread = _misread(canaries)
    are_few = 2 * len(misread) < max(canaries.stats.pages, 1)
    if canaries.hold_all is None and are_few:
        return judgement
    failed = _failed_checks(canaries, misread)
    reason = canaries.hold_all or misread[0].message
    return judgement.model_copy(
        update={
            "checks": tuple(_with_failed(check, failed) for check in judgement.checks),
            "hold_all": judgement.hold_all or _of_canaries(reason),
            "kept": {},
            "stats": judgement.stats.model_copy(update={"drifted": True}),
            "drifted": True,
        }
    )


def _misread(canaries: BatchJudgement) -> list[Finding]:
    """The first finding of each page that was read and held for what was read."""
    misread = []
    for _, findings in sorted(canaries.held.items()):
        if all(finding.check is not CheckName.SCHEMA for finding in findings):
            misread.append(findings[0])
    return misread


def _failed_checks(
    canaries: BatchJudgement, misread: Sequence[Finding]
) -> dict[CheckName, CheckResult]:
    """The checks of the canaries that failed and found drift or a misread page."""
    names = set(map(attrgetter("check"), misread))
    failed = {}
    for check in canaries.checks:
        is_misread = check.name in names and not check.passed
        if is_misread or check.is_drift:
            failed[check.name] = check
    return failed


def _with_failed(
    check: CheckResult, failed: Mapping[CheckName, CheckResult]
) -> CheckResult:
    """What the canaries' check found, as drift, unless the batch's own found drift."""
    if check.is_drift or check.name not in failed:
        return check
    of_canaries = failed[check.name]
    sentence = _of_canaries(of_canaries.sentence)
    changes = {"severity": Severity.ERROR, "sentence": sentence}
    return of_canaries.model_copy(update=changes)


def _of_canaries(sentence: str) -> str:
    """A sentence about canaries, among those about the batch."""
    return f"of the family's canaries: {sentence}"
