"""Decision points, counted as radon counts them."""

from pathlib import Path

import pytest

from checks.decisions import density, functions_of

SOURCE = """
def straight(value):
    return value


def folded(values):
    return [value for value in values if value and value > 0] if values else None


class Holder:
    def method(self, value):
        if value:
            return 1
        return 2
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "module.py"
    made.write_text(SOURCE, encoding="utf-8")
    return made


def test_branches_loops_conditions_and_comprehensions_count(file: Path) -> None:
    paths = {function.name: function.paths for function in functions_of([file])}
    assert paths == {"straight": 1, "folded": 5, "method": 2}


def test_density_is_points_per_hundred_lines_of_functions(file: Path) -> None:
    functions = list(functions_of([file.parent]))
    assert sum(function.lines for function in functions) == 8
    assert density(functions) == pytest.approx(100 * 5 / 8)
    assert density([]) == 0.0
