"""What the batch checks are given, and what they keep."""

from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.outcome import (
    BatchStats,
    PageCounts,
    Spread,
    count_pages,
    valid_records,
)
from tests.drift.small import outcome


def finding(severity: Severity) -> Finding:
    return Finding(check=CheckName.SCHEMA, severity=severity, message="so")


def test_errors_are_the_findings_that_hold_a_page():
    warning, error = finding(Severity.WARN), finding(Severity.ERROR)
    assert outcome(findings=(warning, error)).errors == [error]
    assert outcome(findings=(warning,)).errors == []


def test_records_come_with_the_position_of_their_page():
    first, empty = outcome({"sku": "1"}, {"sku": "2"}), outcome()
    last = outcome({"sku": "3"})
    found = list(valid_records([first, empty, last]))
    assert [(page, record["sku"]) for page, _, record in found] == [
        (0, "1"),
        (0, "2"),
        (2, "3"),
    ]
    assert found[2][1] is last


def test_a_batch_is_another_one_once_its_new_pages_are_half_of_the_others():
    known = outcome({"sku": "1"}, previous=[{"sku": "1"}])
    new, unread = outcome({"sku": "2"}), outcome(extraction=None)
    assert count_pages([known, new, unread, new]) == (2, 1)
    assert PageCounts(new=51, known=10).outgrow(most=100)
    assert not PageCounts(new=50, known=10).outgrow(most=100)
    assert not PageCounts(new=50, known=100).outgrow(most=10), "few were read then"


def test_the_median_is_the_middle_decile():
    spread = Spread(seen=11, deciles=tuple(float(step) for step in range(11)))
    assert spread.median == 5.0


def test_statistics_survive_json():
    stats = BatchStats(
        batch="000001",
        rates={"lost:title": (1, 20)},
        groups={"7": (1, 2)},
        layouts=((1, 2), (3,)),
    )
    assert BatchStats.model_validate_json(stats.model_dump_json()) == stats
