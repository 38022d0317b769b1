"""What the counts of a red family say of a field."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.store import QuestionCandidate

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("read", "known", "is_read"), [(3, 5, True), (2, 5, False), (2, 0, False)]
)
def test_a_field_is_read_where_most_pages_have_it(
    read: int, known: int, is_read: bool
) -> None:
    assert FieldSight("size", False, read=read, known=known, pages=5).is_read is is_read


@pytest.mark.parametrize(
    ("read", "silent", "present", "is_gone"),
    [
        (0, 0, 0, True),
        (5, 5, 0, True),  # by an older version, of cells that have moved
        (5, 0, 0, False),
        (0, 5, 1, False),
    ],
)
def test_a_field_is_gone_that_stands_nowhere_and_of_which_what_serves_says_nothing(
    read: int, silent: int, present: int, is_gone: bool
) -> None:
    sight = FieldSight(
        "size", False, records=5, read=read, silent=silent, held=5, present=present
    )
    assert sight.is_gone is is_gone


def test_what_is_shown_of_a_field_is_each_value_once() -> None:
    tried = [
        QuestionCandidate(tried="v1", field="size", value=one, known="4")
        for one in "454"
    ]
    assert FieldSight("size", False, candidates=tuple(tried)).values == ("4", "5")


def test_a_heal_found_what_most_pages_do_not_say() -> None:
    found = FieldScore(field="size", required=False, reason="realigned: found again")
    sheet = ScoreSheet(fields=(found,))
    stuck = StuckFamily(NOON, [], sheet)
    assert stuck.finds_silent(FieldSight("size", False, held=3, silent=2))
    assert not stuck.finds_silent(FieldSight("size", True, held=3, silent=2))
    assert not stuck.finds_silent(FieldSight("name", False, held=3, silent=2))


def test_two_values_are_rivals_where_pages_are_held_for_their_field() -> None:
    tried = [
        QuestionCandidate(tried="v1", field="size", value=one, known="4")
        for one in "45"
    ]
    size = FieldSight("size", False, wrong=1, candidates=tuple(tried))
    stuck = StuckFamily(NOON, [size])
    assert stuck.has_rivals(size)
    assert not stuck.has_rivals(FieldSight("size", False, wrong=1))
    assert not stuck.has_rivals(FieldSight("size", False, candidates=tuple(tried)))
    assert not replace(stuck, doubted={"name": "it is gone"}).has_rivals(size)
    assert replace(stuck, doubted={"size": "it is far"}).has_rivals(size)


def test_what_a_heal_tried_in_vain_is_no_rival_where_pages_say_nothing() -> None:
    tried = [QuestionCandidate(tried="the heal", field="sold", value="no", known="yes")]
    sheet = ScoreSheet(fields=(FieldScore(field="sold", wrong=3),))
    stuck = StuckFamily(NOON, [], sheet)
    sight = FieldSight("sold", False, held=4, candidates=tuple(tried))
    assert stuck.has_rivals(sight)
    assert not stuck.has_rivals(replace(sight, silent=3))
    assert stuck.has_rivals(replace(sight, silent=3, wrong=1))
