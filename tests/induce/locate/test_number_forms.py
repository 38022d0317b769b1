"""A number in another form than the known one."""

from decimal import Decimal

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.number_forms import (
    code_of,
    coded_numbers,
    other_forms,
)


@pytest.mark.parametrize(
    ("text", "wanted", "steps"),
    [
        ("4.804166", "4.8", "round(2)"),
        ("4.849166", "4.8", "round(1)"),
        ("4.8000", "4.8", ""),
        ("4.85", "4.8", ""),
        ("14999", "149.99", "scale(-2)"),
        ("500", "5", "scale(-2)"),
        ("50", "0.5", ""),
        ("149990 ct", "1499.9", ""),
        ("★★★☆☆", "3", "count('★')"),
        ("★★★☆☆", "2", "count('☆')"),
        ("no number", "3", ""),
        ("S02 E14", "2", r"regex('(?:^|[\\W\\d_])S(\\d+)')"),
        ("S02E14", "14", r"regex('(?:^|[\\W\\d_])E(\\d+)')"),
        ("WS-C2960", "2960", ""),
        ("A4 A5", "4", ""),
        ("1:30", "90", "sum('minutes')"),
        ("0:45 h", "45", "sum('minutes')"),
        ("1:05:40", "65", r"regex('\\d+:\\d+') sum('minutes')"),
        ("1:30 2:30", "90", ""),
        ("12 x 1:30", "90", ""),
        ("1:75", "135", ""),
        ("賃料 28.1万円", "28.1", r"regex('(\\d[\\d.,٫٬．，]{0,12})万')"),
        ("28.1円", "2.81", ""),
    ],
)
def test_the_step_that_makes_it_the_known_one(
    text: str, wanted: str, steps: str
) -> None:
    found = [
        pipe
        for pipe in other_forms(text, Decimal(wanted))
        if Decimal(apply(pipe, [text])[0]) == Decimal(wanted)
    ]
    assert [" ".join(map(str, pipe)) for pipe in found] == [steps] * bool(steps)


def test_numbers_right_behind_letters_are_told_by_those() -> None:
    assert list(coded_numbers("S02 E14")) == [("S", 2), ("E", 14)]
    assert list(coded_numbers("B12.5 row R3")) == [("R", 3)] * 0
    assert list(coded_numbers("Season2 Part14")) == [], "words are labels"


def test_the_letters_before_a_number_are_told_from_its_pattern() -> None:
    ((step,),) = (one for one in other_forms("S02 E14", Decimal(14)))
    assert code_of(str(step.args[0])) == "e"
    assert code_of(r"(\d+)") == code_of(r"^Since (\d+)$") == ""
