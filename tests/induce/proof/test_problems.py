"""What speaks against a candidate, in words."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.induce.proof.before import NOTHING_BEFORE, Before
from crawloop_assets.induce.proof.field_tally import FieldTally
from crawloop_assets.induce.proof.problems import field_problems, field_reason
from crawloop_assets.induce.proof.robustness import Survival
from crawloop_assets.induce.proof.scores import FieldScore
from crawloop_assets.schema import FieldSpec


@pytest.mark.parametrize(
    ("counts", "before", "expected"),
    [
        ({"right": 9}, NOTHING_BEFORE, []),
        (
            {"right": 3, "wrong": 2, "silent": 1},
            NOTHING_BEFORE,
            ["size wrong on 2 of 6"],
        ),
        (
            {"right": 3, "silent": 2, "required": True},
            NOTHING_BEFORE,
            ["required size silent where its value stands on the page (2)"],
        ),
        ({"right": 3, "silent": 2}, NOTHING_BEFORE, []),
        (
            {"right": 3, "lost": 1},
            Before({"size": 4}, {"size": 1}),
            [
                "size is cut on 1: the version before reads all of it",
                "size was right on 4 page(s) before, now 3",
            ],
        ),
    ],
)
def test_each_fault_is_said(
    counts: dict[str, int], before: Before, expected: list[str]
) -> None:
    score = FieldScore.model_validate({"field": "size", "required": False, **counts})
    assert list(field_problems(score, before, turned_wrong=False)) == expected
    turned = list(field_problems(score, before, turned_wrong=True))
    assert turned == [*expected, "size turns wrong when the markup changes"]


def test_what_to_know_of_a_field_is_said() -> None:
    tally = FieldTally()
    assert field_reason(None, tally, Survival()) == "not read"
    tally.changed, tally.against = 2, "nothing is read"
    lone = FieldProgram(
        spec=FieldSpec(name="size"), readers=(Reader(src=Source.CSS, at="b"),)
    )
    assert field_reason(lone, tally, Survival(kept=6, total=8)) == (
        "nothing is read; leans on one reader; 2 known value(s) no longer stand on their page; "
        "survives 6 of 8 times on changed copies"
    )
