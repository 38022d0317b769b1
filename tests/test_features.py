"""The table of what works is held against the tests: every row has one, and every one that is named is there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
WORKS, MISSING = PAGE.split("## Not yet")
ROWS = {
    f"{letter}{number}"
    for letter, count in {"C": 20, "H": 12, "S": 6, "P": 6, "L": 8, "B": 20}.items()
    for number in range(1, count + 1)
}
OTHER_WORK = {"the model", "several machines"}
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def rows_of(text: str) -> dict[str, list[str]]:
    """The rows of the tables in a text: their other cells by their name."""
    lines = re.findall(r"^\| ([A-Z]\d+) \| (.+) \|$", text, re.M)
    return {name: re.split(r" \| ?", rest) for name, rest in lines}


@cache
def names_in(file: str) -> frozenset[str]:
    """The tests that a file has."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, functions)
    )


def test_every_row_works_or_is_said_to_be_missing() -> None:
    assert rows_of(WORKS).keys() | rows_of(MISSING).keys() == ROWS
    assert len(re.findall(r"^\| [A-Z]\d+ \|", WORKS, re.M)) == len(rows_of(WORKS))


@pytest.mark.parametrize("name", sorted(rows_of(WORKS)))
def test_what_works_has_a_test_that_is_there(name: str) -> None:
    said, tests = rows_of(WORKS)[name]
    assert said.endswith(".") and len(said.split()) >= 5
    named = _TEST.findall(tests)
    assert named and _TEST.sub("", tests).split() == [], tests
    assert [test for file, test in named if test not in names_in(file)] == []


@pytest.mark.parametrize("name", sorted(rows_of(MISSING)))
def test_what_is_missing_is_a_part_of_other_work(name: str) -> None:
    said, part, there = rows_of(MISSING)[name]
    assert said.endswith(".") and set(part.split(", ")) <= OTHER_WORK
    named = _TEST.findall(there)
    assert [test for file, test in named if test not in names_in(file)] == []
