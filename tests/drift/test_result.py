"""What a check says, and which pages are held."""

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.result import check_result, finding_of, held_pages
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit
from tests.drift.small import outcome, past

NORMS = Norms(past(2, pages=5))
PAGES = [outcome(url=f"/{page}", page_sha256=str(page)) for page in range(9)]


def assessment(passed: bool = False, **given) -> Assessment:
    usual = Assessment(
        CheckName.COVERAGE, passed, Severity.ERROR, 0.5, 0.1, "title is gone"
    )
    return usual._replace(**given)


def result(*assessments: Assessment, name: CheckName = CheckName.COVERAGE):
    return check_result(name, assessments, PAGES, NORMS)


def test_without_anything_judged_there_is_not_enough_history():
    for found in (result(), result(assessment(True, weight=-1.0))):
        assert found.passed and found.severity is Severity.ERROR
        assert found.sentence == (
            "not enough history (2 batches, 10 pages before this one)"
        )
    assert result(name=CheckName.TEMPLATE).severity is Severity.WARN


def test_without_a_page_nothing_is_said_of_history():
    found = check_result(CheckName.COVERAGE, [], [], Norms(past(12)))
    assert found.passed
    assert found.sentence == "nothing to judge: no wanted page was read in this batch"


def test_a_passed_check_says_what_came_closest():
    far, close = (
        assessment(True, observed=observed, sentence=str(observed))
        for observed in (0.01, 0.05)
    )
    found = result(far, close, assessment(True, weight=-1.0, observed=9.0))
    assert (found.passed, found.sentence) == (True, "0.05")
    assert (found.observed, found.threshold, found.examples) == (0.05, 0.1, ())


def test_a_passed_check_of_nothing_unusual():
    assert result(assessment(True, observed=0.0)).sentence == (
        "nothing unusual in 9 pages"
    )


def test_a_failed_check_says_the_worst_and_who_else_failed():
    worst = assessment(subject="title", weight=1.5, observed=0.7)
    warned = assessment(severity=Severity.WARN, weight=9.0, subject="brand")
    others = [assessment(subject=name, weight=1.0) for name in "fedcba"]
    found = result(assessment(True, weight=5.0, subject="sku"), warned, worst, *others)
    assert not found.passed and found.is_drift
    assert found.observed == 0.7
    assert found.sentence == "title is gone; also a, b, brand, c, d, e"


def test_one_failure_stands_alone():
    assert result(assessment(subject="title")).sentence == "title is gone"
    assert result(assessment(), assessment()).sentence == "title is gone"


def test_examples_are_one_a_page_and_five():
    hits = [Hit(page, ["a", "b"], None) for page in (3, 3, 1, 0, 5, 6, 7)]
    found = result(assessment(hits=tuple(hits), subject="title"))
    assert [example.url for example in found.examples] == ["/3", "/1", "/0", "/5", "/6"]
    first = found.examples[0]
    assert (first.field, first.expected, first.got) == ("title", "a | b", "nothing")
    assert first.page_sha256 == "3"


def finding(severity: Severity, message: str = "so") -> Finding:
    return Finding(check=CheckName.SCHEMA, severity=severity, message=message)


def test_pages_are_held_for_their_errors_and_for_failed_signs():
    pages = [
        outcome(url="/a", findings=(finding(Severity.ERROR),)),
        outcome(url="/b", findings=(finding(Severity.WARN),)),
        outcome(url="/c"),
    ]
    sign = assessment(
        hits=(Hit(2, "x", "y"), Hit(2, "x", "y")), subject="title", holds=True
    )
    held = held_pages(pages, [sign])
    assert list(held) == ["/a", "/c"]
    assert held["/a"] == (finding(Severity.ERROR),)
    (why,) = held["/c"]
    assert (why.check, why.severity, why.field) == (
        CheckName.COVERAGE,
        Severity.ERROR,
        "title",
    )
    assert (why.message, why.expected, why.got) == ("title is gone", "x", "y")


def test_signs_that_passed_or_hold_nothing_hold_no_page():
    hits = (Hit(0, "x", "y"),)
    passed = assessment(True, hits=hits, holds=True)
    harmless = assessment(hits=hits, holds=False)
    assert held_pages(PAGES, [passed, harmless]) == {}


def test_a_finding_says_whether_the_pages_of_the_batch_showed_it_together():
    hit = Hit(0, "a value of its own", "Pot")
    shared = finding_of(assessment(sign=Sign.SHARED), hit)
    assert shared.of_batch and shared.got == "Pot"
    assert not finding_of(assessment(sign=Sign.CHANGED), hit).of_batch
    assert not finding_of(assessment(), hit).of_batch
