"""What goes into the store: names that are stored, defaults, and what cannot be."""

import dataclasses

import pytest
from pydantic import ValidationError

from crawloop_assets.drift.check import CheckName, CheckResult, Severity
from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    BatchReport,
    CrawlerKind,
    CrawlerStatus,
    HeldReason,
    NewCrawler,
    UrlState,
)
from tests.store.conftest import NOON, commit, fetched


def check(*, passed: bool, severity: Severity) -> CheckResult:
    return CheckResult(
        name=CheckName.VOTES,
        passed=passed,
        severity=severity,
        observed=0.5,
        threshold=0.1,
        sentence="readers differ",
    )


@pytest.mark.parametrize(
    ("passed", "severity", "report_passed"),
    [
        (True, Severity.ERROR, True),
        (False, Severity.WARN, True),
        (False, Severity.ERROR, False),
    ],
)
def test_a_report_fails_by_failed_errors_only(
    passed: bool, severity: Severity, report_passed: bool
) -> None:
    calm = check(passed=True, severity=Severity.ERROR)
    report = BatchReport(checks=(calm, check(passed=passed, severity=severity)))
    assert report.passed is report_passed
    assert BatchReport().passed


def test_a_reason_to_hold_a_page_has_no_other_fields() -> None:
    reason = HeldReason(check="votes")
    assert reason.model_dump() == {
        "check": "votes",
        "field": "",
        "message": "",
        "severity": "error",
        "of_batch": False,
    }
    with pytest.raises(ValidationError):
        HeldReason.model_validate({"check": "votes", "why": "differs"})
    with pytest.raises(ValidationError):
        reason.check = "other"  # type: ignore[misc]


def test_what_is_not_said_is_the_usual() -> None:
    page = fetched("https://shop.test/a", Verdict.DRIFT)
    assert (page.state, page.errors, page.page_sha256) == (UrlState.ACTIVE, 0, None)
    new = NewCrawler(family="shop/item", body="{}")
    assert (new.kind, new.status) == (CrawlerKind.PROGRAM, CrawlerStatus.CANDIDATE)
    batch = commit("r1")
    assert (batch.served, batch.aliases, batch.report.checks) == ([], {}, ())
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.fetched_at = NOON  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "message", "says"),
    [
        ("stock", "stock is not filled", "stock is not filled"),
        ("stock", "stock: 3 of 4", "stock: 3 of 4"),
        ("stock", "is not filled", "stock is not filled"),
        ("stock", "stocks are low", "stock stocks are low"),
        ("price", "title says the price", "price title says the price"),
        ("price", "row 0: price is not valid: x", "row 0: price is not valid: x"),
        ("price", "row 0: title is long", "price row 0: title is long"),
        ("", "no record was found", "no record was found"),
        ("stock", "", "stock"),
        ("", "", ""),
    ],
)
def test_a_reason_names_its_field_once(field: str, message: str, says: str) -> None:
    assert HeldReason(check="coverage", field=field, message=message).says == says
