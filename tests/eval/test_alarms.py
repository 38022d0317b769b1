"""What the checks noticed, summed over families."""

from dataclasses import replace

import pytest

from crawloop_assets.eval.alarms import drift_report, misjudgement
from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.results import Alarm, CaseResult, Refusal

BROKEN = Alarm(
    page="a",
    unchanged=False,
    broken=True,
    silent=True,
    right=False,
    raised=True,
    plain=False,
)
RIGHT = replace(BROKEN, unchanged=True, broken=False, silent=False, right=True)


def family(*alarms: Alarm, refusals: tuple[Refusal, ...] = ()) -> FamilyResult:
    result = CaseResult("drift", alarms=list(alarms), refusals=list(refusals))
    return FamilyResult("shop", "Product", [result])


def test_recall_is_of_pages_that_broke() -> None:
    missing = replace(BROKEN, silent=False, raised=False, plain=True)
    report = drift_report([family(BROKEN, missing)])
    assert report["recall"] == 0.5
    assert report["silent_recall"] == 1.0
    assert report["plain_rule"] == {
        "recall": 0.5,
        "silent_recall": 0.0,
        "false_alarms": None,
    }


def test_right_pages_are_false_alarms_only_where_nothing_changed() -> None:
    redesigned = replace(RIGHT, unchanged=False, raised=True)
    quiet = replace(RIGHT, raised=False)
    report = drift_report([family(RIGHT, quiet, quiet, quiet, redesigned)])
    assert report["false_alarms"] == 0.25
    assert report["redesigned_right_held"] == 1.0
    assert report["recall"] is None


def test_a_page_that_is_wrong_on_a_quiet_day_is_in_no_rate() -> None:
    report = drift_report([family(replace(BROKEN, unchanged=True))])
    assert report["recall"] is report["false_alarms"] is None


def test_families_count_alike_and_are_counted() -> None:
    refused = (Refusal("login", True), Refusal("shell", False))
    lost = family(replace(BROKEN, raised=False), refusals=refused)
    report = drift_report([family(BROKEN, BROKEN, BROKEN), lost])
    assert report["recall"] == 0.5
    assert report["lost_refused"] == 0.5
    assert report["n"] == {
        "broken_pages": 4,
        "broken_families": 2,
        "silent_pages": 4,
        "silent_families": 2,
        "unchanged_right_pages": 0,
        "unchanged_right_families": 0,
        "redesigned_right_pages": 0,
        "lost_pages": 2,
    }


def test_pages_served_in_part_are_not_held_and_what_is_fresh_of_them_is_scored() -> (
    None
):
    kept = frozenset(("brand", "image"))
    part = replace(RIGHT, raised=False, kept=kept, fresh=(True, True, False, True))
    redesigned = replace(part, unchanged=False, kept=frozenset(), fresh=())
    held = replace(redesigned, kept=None, raised=True)
    report = drift_report([family(part, RIGHT, redesigned, held)])
    assert report["redesigned_right_held"] == report["redesigned_right_in_part"] == 0.5
    assert report["unchanged_right_in_part"] == 0.5
    assert report["in_part"] == {
        "pages": 2,
        "kept_fields": 1.0,
        "fresh_values": 4,
        "fresh_wrong": 0.25,
    }
    assert drift_report([family(RIGHT)])["in_part"] == {
        "pages": 0,
        "kept_fields": None,
        "fresh_values": 0,
        "fresh_wrong": None,
    }


@pytest.mark.parametrize(
    ("alarm", "words"),
    [
        (BROKEN, ""),
        (replace(BROKEN, raised=False), "missed"),
        (replace(BROKEN, raised=False, unchanged=True), ""),
        (RIGHT, "false alarm"),
        (replace(RIGHT, unchanged=False), "held though right"),
        (replace(RIGHT, raised=False), ""),
    ],
)
def test_a_misjudgement_is_named(alarm: Alarm, words: str) -> None:
    assert misjudgement(alarm) == words
