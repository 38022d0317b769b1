"""New pages are believed as far as known pages are read rightly."""

import pytest

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.canary import with_canaries
from crawloop_assets.drift.check import CheckName, CheckResult, Finding, Severity
from crawloop_assets.drift.outcome import BatchStats


def check(name: CheckName, passed: bool = True, severity: Severity = Severity.ERROR):
    return CheckResult(
        name=name, passed=passed, severity=severity, sentence=f"{name} says"
    )


def judgement(
    *checks: CheckResult,
    pages: int = 4,
    held: dict[str, CheckName] | None = None,
    **given,
) -> BatchJudgement:
    findings = {
        url: (Finding(check=name, severity=Severity.ERROR, message=f"{url} {name}"),)
        for url, name in (held or {}).items()
    }
    return BatchJudgement(
        checks=checks,
        held=findings,
        stats=BatchStats(pages=pages),
        **{"hold_all": None} | given,
    )


CALM = judgement(check(CheckName.HISTORY), check(CheckName.COVERAGE))


def test_canaries_that_are_read_rightly_change_nothing():
    assert with_canaries(CALM, CALM) is CALM
    few = judgement(*CALM.checks, held={"/1": CheckName.HISTORY})
    assert with_canaries(CALM, few) is CALM
    assert with_canaries(CALM, judgement(*CALM.checks, pages=0)) is CALM


def test_canaries_that_cannot_be_read_change_nothing():
    unread = judgement(
        *CALM.checks, held=dict.fromkeys(("/1", "/2", "/3"), CheckName.SCHEMA)
    )
    assert with_canaries(CALM, unread) is CALM


def test_half_of_the_canaries_misread_hold_the_batch():
    failed = check(CheckName.HISTORY, False, Severity.WARN)
    misread = judgement(
        failed,
        check(CheckName.COVERAGE, False, Severity.WARN),
        held={"/2": CheckName.HISTORY, "/1": CheckName.HISTORY},
    )
    found = with_canaries(CALM, misread)
    assert found.drifted and found.stats.drifted
    assert found.hold_all == "of the family's canaries: /1 history"
    history, coverage = found.checks
    assert history.is_drift
    assert history.sentence == "of the family's canaries: history says"
    assert coverage == CALM.checks[1], "a mere warning that holds no page"
    assert not CALM.drifted


def test_drift_of_the_canaries_is_drift_of_the_batch():
    drifted = judgement(
        check(CheckName.HISTORY),
        check(CheckName.COVERAGE, False),
        hold_all="brand is gone",
    )
    found = with_canaries(CALM, drifted)
    assert found.hold_all == "of the family's canaries: brand is gone"
    assert [result.is_drift for result in found.checks] == [False, True]


def test_what_the_batch_says_itself_stays():
    own = judgement(
        check(CheckName.HISTORY),
        check(CheckName.COVERAGE, False),
        hold_all="own reason",
    )
    drifted = judgement(
        check(CheckName.HISTORY, False),
        check(CheckName.COVERAGE, False),
        hold_all="theirs",
    )
    found = with_canaries(own, drifted)
    assert found.hold_all == "own reason"
    assert found.checks[1] == own.checks[1]
    assert found.checks[0].sentence == "of the family's canaries: history says"


@pytest.mark.parametrize(("held", "changed"), [(1, False), (2, True)])
def test_half_of_four_is_enough(held, changed):
    pages = {f"/{page}": CheckName.HISTORY for page in range(held)}
    canaries = judgement(check(CheckName.HISTORY, False, Severity.WARN), held=pages)
    assert (with_canaries(CALM, canaries) is not CALM) is changed
