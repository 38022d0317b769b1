"""What checks are called and how they show values."""

import pytest
from pydantic import ValidationError

from crawloop_assets.drift.check import (
    NOT_OF_READERS,
    CheckName,
    CheckResult,
    Severity,
    show,
)


def test_every_check_has_a_line_for_the_ui():
    for name in CheckName:
        assert name.description.endswith(".") or name.description.endswith(").")


def test_page_kinds_layouts_and_old_rows_only_warn():
    warning = {name for name in CheckName if not name.blocking}
    assert warning == {CheckName.PAGES, CheckName.TEMPLATE, *NOT_OF_READERS}


@pytest.mark.parametrize(
    ("passed", "severity", "drift"),
    [
        (False, Severity.ERROR, True),
        (False, Severity.WARN, False),
        (True, Severity.ERROR, False),
    ],
)
def test_drift_is_a_failed_check_that_is_an_error(passed, severity, drift):
    result = CheckResult(
        name=CheckName.COUNT, passed=passed, severity=severity, sentence="so"
    )
    assert result.is_drift is drift
    assert result.blocking


def test_results_are_immutable():
    result = CheckResult(name=CheckName.PAGES, passed=True, sentence="so")
    assert not result.blocking
    with pytest.raises(ValidationError):
        result.passed = False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        ("", ""),
        (12, "12"),
        (["a", 1], "a | 1"),
        (("a", "b"), "a | b"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 197 + "..."),
    ],
)
def test_a_value_is_shown_in_two_hundred_characters(value, text):
    assert show(value) == text
