"""A red report says when its batch was green again, and by whom."""

from collections.abc import Sequence

from crawloop_assets.drift.check import CheckName, CheckResult, Severity
from crawloop_assets.store import AuditKind, BatchReport, Store
from tests.store.conftest import commit, served
from tests.store.test_commit import A, Rows, item

RESOLVED = (
    "select batch, resolved_by, resolved_at is not null as at from drift_reports "
    "where not passed order by rowid"
)


def report(passed: bool) -> BatchReport:
    """One check of a batch."""
    check = CheckResult(
        name=CheckName.COVERAGE,
        passed=passed,
        severity=Severity.ERROR,
        observed=0.0,
        threshold=0.5,
        sentence="price is gone",
    )
    return BatchReport(checks=(check,))


def judged(store: Store, run: str, passed: bool, batches: Sequence[str]) -> None:
    """The same finding of several batches."""
    for batch in batches:
        store.commit_batch(
            commit(
                run,
                [served(A, item("Tea"))],
                batch=batch,
                report=report(passed),
                version=3,
            )
        )


def test_the_version_that_turns_a_batch_green_resolves_its_reports(
    store: Store, rows: Rows
) -> None:
    judged(store, "r1", False, ["000001", "000002"])
    judged(store, "r2", True, ["000001"])
    assert rows(RESOLVED) == [
        {"batch": "000001", "resolved_by": "v3", "at": True},
        {"batch": "000002", "resolved_by": None, "at": False},
    ]


def test_a_person_who_decided_since_resolves_them(store: Store, rows: Rows) -> None:
    store.audit(AuditKind.QUESTION_ACCEPTED, "shop/item", None, {"who": "bob"})
    judged(store, "r1", False, ["000001"])
    store.audit(AuditKind.QUESTION_ACCEPTED, "shop/other", None, {"who": "eve"})
    store.audit(AuditKind.QUESTION_ACCEPTED, "shop/item", None, {"who": "ada"})
    judged(store, "r2", False, ["000001"])
    judged(store, "r3", True, ["000001"])
    judged(store, "r4", True, ["000001"])
    assert [row["resolved_by"] for row in rows(RESOLVED)] == ["ada", "ada"]
