"""Faults put into code on purpose."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.mutations import mutants_of


def changed(source: str) -> set[str]:
    """The last lines of all mutants of a function's source."""
    return {
        mutant.applied_to(source).strip().splitlines()[-1].strip()
        for mutant in mutants_of(source)
    }


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("return a < b", {"return (a <= b)", "return None"}),
        ("return a in b", {"return (a not in b)", "return None"}),
        ("return a and b", {"return (a or b)", "return None"}),
        ("return not a", {"return (a)", "return None"}),
        ("return a + 1", {"return (a - 1)", "return a + 2", "return None"}),
        ("return True", {"return False", "return None"}),
        ("return a if b else c", {"return (c if b else a)", "return None"}),
        ("return None", set()),
        ("a.append(b)", {"pass"}),
        ("return f'{a + 1}'", {"return None"}),
    ],
)
def test_each_place_is_changed_in_one_way(line: str, faults: set[str]) -> None:
    assert changed(f"def f(a, b, c):\n    {line}\n") == faults


def test_conditions_are_inverted_and_loops_lose_their_exits() -> None:
    source = "def f(a):\n    for b in a:\n        if b:\n            continue\n"
    texts = {mutant.applied_to(source) for mutant in mutants_of(source)}
    assert source.replace("if b:", "if not (b):") in texts
    assert source.replace("continue", "pass") in texts


def test_annotations_docstrings_and_module_level_are_left_alone() -> None:
    source = 'LIMIT = 1\n\n\ndef f(a: "int < 2" = 3) -> "a + 1":\n    """1 < 2"""\n    return a\n'
    assert {mutant.new for mutant in mutants_of(source)} == {"return None"}


@given(st.text(alphabet="añ€😀", min_size=0, max_size=5), st.integers(0, 99))
def test_places_are_right_beside_any_character(text: str, number: int) -> None:
    source = f'def f(a):\n    return ("{text}", a < {number})\n'
    for mutant in mutants_of(source):
        assert source[mutant.start : mutant.end] == mutant.old
        ast.parse(mutant.applied_to(source))
