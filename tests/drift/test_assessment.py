"""What a check looks at, one by one."""

import pytest

from crawloop_assets.drift.assessment import (
    Assessment,
    assess_declared_coverage,
    assess_failing_pages,
    assess_shift,
    assess_signs,
    assess_verdicts,
)
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.spread import Shift
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.page import Verdict
from tests.drift.small import family, outcome


def verdicts(*given: Verdict, foreign: tuple[int, ...] = ()) -> list[Assessment]:
    pages = [outcome(verdict=verdict) for verdict in given]
    return list(assess_verdicts(pages, foreign))


OK, LOGIN, GONE = Verdict.OK, Verdict.LOGIN, Verdict.GONE


def test_pages_that_are_not_the_wanted_page_are_counted_by_kind():
    (found,) = verdicts(OK, LOGIN, GONE, Verdict.DRIFT, LOGIN, Verdict.SOFT_404)
    assert (
        found.sentence == "3 of 5 pages are not the wanted page (2 login, 1 soft_404)"
    )
    assert not found.passed and found.severity is Severity.WARN
    assert [hit.page for hit in found.hits] == [1, 4, 5]
    assert found.hits[0] == Hit(1, "ok", LOGIN)
    assert found.observed == found.weight == 0.6


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ([OK] * 20, True),
        ([OK] * 9 + [LOGIN], True),
        ([OK] * 18 + [LOGIN] * 2, False),
        ([OK] * 19 + [LOGIN] * 2, True),
        ([LOGIN], False),
    ],
)
def test_a_tenth_of_the_pages_or_all_are_too_many(given, passed):
    (found,) = verdicts(*given)
    assert found.passed is passed


def test_pages_in_another_language_are_not_the_wanted_page():
    (found,) = verdicts(OK, OK, OK, foreign=(0, 2))
    assert not found.passed and found.hits == ()
    assert "2 wrong_language" in found.sentence


def test_without_pages_that_were_expected_nothing_is_said():
    assert verdicts() == verdicts(GONE, Verdict.NOT_ALLOWED) == []
    (fine,) = verdicts(OK)
    assert fine.sentence.endswith("(none)")


def finding(check: CheckName, severity: Severity = Severity.ERROR, **given) -> Finding:
    return Finding(
        check=check, severity=severity, message=given.pop("message", "so"), **given
    )


def failing(check: CheckName, bad: int, pages: int) -> Assessment:
    outcomes = [
        outcome(findings=(finding(check, expected="a", got="b"),) if page < bad else ())
        for page in range(pages)
    ]
    (found,) = (one for one in assess_failing_pages(outcomes) if one.check is check)
    return found


@pytest.mark.parametrize(
    ("check", "bad", "pages", "drift"),
    [
        (CheckName.SCHEMA, 2, 40, True),
        (CheckName.SCHEMA, 2, 41, False),
        (CheckName.SCHEMA, 1, 10, False),
        (CheckName.SCHEMA, 1, 1, True),
        (CheckName.VOTES, 3, 10, True),
        (CheckName.VOTES, 2, 10, False),
        (CheckName.COVERAGE, 3, 10, True),
        (CheckName.COVERAGE, 2, 10, False),
    ],
)
def test_how_many_failing_pages_are_drift(check, bad, pages, drift):
    found = failing(check, bad, pages)
    assert not found.passed
    assert found.is_drift is drift
    assert found.hits[0] == Hit(0, "a", "b") and len(found.hits) == bad
    assert (
        found.sentence == f"{bad} of {pages} pages fail by themselves, for example: so"
    )
    assert found.observed == bad / pages
    assert found.weight == 1 + bad / pages


def test_schema_and_count_are_reported_without_failing_pages():
    found = list(assess_failing_pages([outcome(), outcome()]))
    assert [one.check for one in found] == [CheckName.SCHEMA, CheckName.COUNT]
    assert all(one.passed and not one.is_drift for one in found)
    assert found[0].sentence == "0 of 2 pages fail by themselves"
    assert list(assess_failing_pages([])) == []


def test_a_page_that_fails_twice_is_one_page_and_warnings_are_none():
    twice = (finding(CheckName.SCHEMA), finding(CheckName.SCHEMA, message="other"))
    warned = finding(CheckName.SCHEMA, Severity.WARN, message="warned")
    pages = [outcome(findings=(warned,)), outcome(findings=twice)]
    found = next(assess_failing_pages(pages))
    assert found.observed == 0.5 and len(found.hits) == 2
    assert found.hits[0].got == "so", "the message where there is no value"
    assert found.sentence.endswith("warned")


@pytest.mark.parametrize(
    ("fields", "subject"),
    [(("stock", "stock"), "stock"), (("stock", "price"), ""), (("stock", ""), "")],
)
def test_pages_that_fail_for_one_field_are_about_it(fields, subject):
    """So the family is red for it, and not for who knows what."""
    pages = [
        outcome(findings=(finding(CheckName.COVERAGE, field=field),))
        for field in fields
    ]
    found = [one for one in assess_failing_pages(pages) if not one.passed]
    assert [one.subject for one in found] == [subject]


def filled(bad: int, of: int) -> list[PageOutcome]:
    records = [{"title": "" if at < bad else "Kettle"} for at in range(of)]
    return [outcome(*records[:1]), outcome(*records[1:]), outcome(extraction=None)]


@pytest.mark.parametrize(
    ("bad", "of", "passed"),
    [(0, 20, True), (1, 20, True), (3, 20, True), (9, 20, False)],
)
def test_declared_coverage_allows_for_few_records(bad, of, passed):
    policy = family(coverage={"title": 0.9})
    (found,) = assess_declared_coverage(policy, filled(bad, of))
    assert (found.passed, found.is_drift) == (passed, not passed)
    assert found.holds_all and found.subject == "title"
    assert len(found.hits) == bad
    assert (
        found.sentence == f"title is filled in {of - bad} of {of} records, 90% declared"
    )
    assert found.weight == (0.0 if passed else 2.0)
    assert found.threshold == pytest.approx(0.1)
    if bad > 1:
        assert [hit.page for hit in found.hits[:2]] == [0, 1]


def test_nothing_is_declared_of_no_records():
    policy = family(coverage={"title": 0.9})
    assert list(assess_declared_coverage(policy, [outcome(extraction=None)])) == []
    assert list(assess_declared_coverage(family(), filled(1, 2))) == []


def assessed(
    sign: Sign,
    bad: int,
    seen: int,
    history: list[BatchStats] | None = None,
    pages: int = 100,
) -> Assessment:
    tallies = Tallies()
    for unit in range(seen):
        tallies.add(sign, "title", unit % pages, has_sign=unit < bad)
    (found,) = assess_signs(tallies, pages, Norms(history or [], "a"))
    return found


def quiet(
    sign: Sign, bad: float = 0, seen: float = 100, batches: int = 10
) -> list[BatchStats]:
    rates = {f"{sign}:title": (bad, seen)}
    return [BatchStats(batch="a", rates=rates)] * batches


def test_without_history_a_sign_with_a_prior_is_judged():
    found = assessed(Sign.LOST, 90, 100)
    assert found.is_drift and found.holds and found.holds_all
    assert "usually 0.0% (chance of a false alarm" in found.sentence
    assert found.sentence.startswith("title of a known record is gone: 90 of 100")
    assert found.observed == 0.9 > found.threshold
    assert 1.9 < found.weight <= 2
    assert len(found.hits) == 90


def test_without_history_a_sign_without_a_prior_is_not():
    found = assessed(Sign.MISSING, 50, 100)
    assert found.passed and found.weight == -1
    assert found.sentence == (
        "not enough history to judge whether title is not filled too often (50 of 100 now)"
    )
    assert (found.observed, found.threshold) == (0.5, 1.0)
    known = assessed(Sign.FALLEN, 0, 100, quiet(Sign.FALLEN, seen=20, batches=1))
    assert known.weight == 0
    unknown = assessed(Sign.FALLEN, 0, 100, quiet(Sign.FALLEN, seen=19, batches=1))
    assert unknown.weight == -1


def test_what_is_usual_is_no_alarm():
    found = assessed(Sign.MISSING, 12, 100, quiet(Sign.MISSING, bad=10))
    assert found.passed and found.weight == 0 and not found.holds
    assert "usually 10.0% (up to " in found.sentence
    assert found.observed < found.threshold < 1


def test_twice_as_often_as_usual_is_an_alarm_only_if_it_is_twice():
    past = quiet(Sign.MISSING, bad=300, seen=1_000, batches=5)
    assert assessed(Sign.MISSING, 590, 1_000, past).passed
    assert not assessed(Sign.MISSING, 610, 1_000, past).passed
    often = quiet(Sign.MISSING, bad=550, seen=1_000, batches=5)
    assert assessed(Sign.MISSING, 770, 1_000, often).passed
    assert not assessed(Sign.MISSING, 780, 1_000, often).passed


def test_what_most_units_show_is_never_an_alarm():
    found = assessed(Sign.MISSING, 100, 100, quiet(Sign.MISSING, bad=61))
    assert found.passed and found.threshold == 1
    assert not assessed(Sign.MISSING, 100, 100, quiet(Sign.MISSING, bad=59)).passed


def test_one_page_of_several_is_a_suspicion():
    tallies = Tallies()
    for _ in range(100):
        tallies.add(Sign.LOST, "title", 7, has_sign=True)
    (several,) = assess_signs(tallies, 2, Norms([]))
    (alone,) = assess_signs(tallies, 1, Norms([]))
    assert not several.passed and not several.is_drift
    assert several.weight <= 1
    assert alone.is_drift


def test_a_sign_of_suspicion_is_never_drift():
    found = assessed(Sign.SILENT, 90, 100, quiet(Sign.SILENT))
    assert not found.passed and not found.is_drift
    assert not found.holds and not found.holds_all


def test_other_batches_make_a_suspicion():
    others = [stats.model_copy(update={"batch": "b"}) for stats in quiet(Sign.MISSING)]
    found = assessed(Sign.MISSING, 90, 100, others)
    assert not found.passed and not found.is_drift and found.holds


@pytest.mark.parametrize(
    ("before", "missing", "counts"),
    [
        (0.88, 90, False),
        (0.84, 90, False),
        (0.80, 90, True),
        (0.97, 100, True),
        (None, 90, False),
    ],
)
def test_a_volatile_field_that_was_missing_as_often_is_back_to_usual(
    before, missing, counts
):
    tallies = Tallies()
    for unit in range(100):
        tallies.add(Sign.SCARCE, "state", unit, has_sign=unit < missing)
        tallies.add(Sign.VANISHED, "state", unit, has_sign=True)
    rates = {} if before is None else {"scarce:state": (before * 100, 100)}
    norms = Norms([BatchStats(batch="a", rates=rates)], "a")
    signs = [found.sentence for found in assess_signs(tallies, 100, norms)]
    assert any("of a known record is gone" in sentence for sentence in signs) is counts


@pytest.mark.parametrize(
    ("shift", "severity", "weight", "sentence"),
    [
        (
            Shift("price", "numbers", 9.0, 3.0, 7.0),
            Severity.ERROR,
            2,
            "the size of price is off by a factor 9.0 from before (z 7.0)",
        ),
        (
            Shift("title", "lengths", 21.0, 20.0, 7.0, own=False),
            Severity.WARN,
            1,
            "the length of title is off by a factor 21.0 from in the family's other batches (z 7.0)",
        ),
        (
            Shift("price", "numbers", 1.2, 3.0, 1.0),
            Severity.ERROR,
            0,
            "the size of price is off by a factor 1.2 from before (z 1.0)",
        ),
    ],
)
def test_a_shift(shift, severity, weight, sentence):
    found = assess_shift(shift)
    assert found.check is CheckName.DISTRIBUTION
    assert (found.severity, found.weight, found.sentence) == (
        severity,
        weight,
        sentence,
    )
    assert found.passed is not shift.failed
    assert (found.observed, found.threshold) == (shift.factor, shift.limit)
    assert found.subject == shift.field and found.holds_all
