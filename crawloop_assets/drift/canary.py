"""Canaries: known pages that are read again in every refresh, to judge the batches in
which little is known."""

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, Finding, Severity

ENOUGH = 5
"""So many known pages tell whether a crawler still reads what it read; a batch that has
them needs no canaries."""


def with_canaries(
    judgement: BatchJudgement, canaries: BatchJudgement
) -> BatchJudgement:
    """A batch of new pages, given what the canaries of the same refresh showed.

    Readers that give other values on known pages than they should cannot be believed on
    pages nobody knows, so the batch is held and the check that failed says why.
    Canaries that cannot be read at all are no reason: new pages of the same kind fail
    by themselves.
    """
    misread = _misread(canaries)
    if canaries.hold_all is None and 2 * len(misread) < max(canaries.stats.pages, 1):
        return judgement
    names = {check.name for check in canaries.checks if check.is_drift} | {
        one.check for one in misread
    }
    failed = {
        check.name: check
        for check in canaries.checks
        if check.name in names and not check.passed
    }
    checks = tuple(
        failed[check.name].model_copy(
            update={
                "severity": Severity.ERROR,
                "sentence": f"of the family's canaries: {failed[check.name].sentence}",
            }
        )
        if check.name in failed and not check.is_drift
        else check
        for check in judgement.checks
    )
    reason = canaries.hold_all or misread[0].message
    return judgement.model_copy(
        update={
            "checks": checks,
            "hold_all": judgement.hold_all or f"of the family's canaries: {reason}",
            "stats": judgement.stats.model_copy(update={"drifted": True}),
            "drifted": True,
        }
    )


def _misread(canaries: BatchJudgement) -> list[Finding]:
    """What holds each page that was read and held for what was read of it."""
    held = (findings for _, findings in sorted(canaries.held.items()))
    return [
        findings[0]
        for findings in held
        if all(one.check is not CheckName.SCHEMA for one in findings)
    ]
