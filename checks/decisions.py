"""Decision points per 100 lines of functions: `python -m checks.decisions [PATH …]`.

Decision points are counted as radon counts them: every branch, loop, `and`, `or`,
comprehension, condition in one, handler and assertion; a function's own first path is
none. Lines are those of functions, from `def` to their end. Nobody may write a function
of more than twelve paths, and no room more than 22 points in a hundred lines: what is
denser has to be unfolded while it is read.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path

from radon.visitors import ComplexityVisitor

DENSITY = 22.0
"""Decision points per 100 lines that the whole house may have."""
PATHS = 12
"""Paths that one function may have."""
HOUSE = (Path("crawloop_assets"), Path("resources"), Path("bench"), Path("checks"))


@dataclass(frozen=True)
class Function:
    """One function or method."""

    file: Path
    name: str
    line: int
    lines: int
    paths: int

    @property
    def room(self) -> str:
        """The folder it lives in."""
        return self.file.parent.as_posix()


def functions_of(paths: Sequence[Path]) -> Iterator[Function]:
    """All functions of files and folders; SyntaxError for what is not Python."""
    for path in paths:
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        yield from chain.from_iterable(map(_functions_in, files))


def _functions_in(file: Path) -> Iterator[Function]:
    found = ComplexityVisitor.from_code(file.read_text(encoding="utf-8"))
    methods = [method for made in found.classes for method in made.methods]
    for one in [*found.functions, *methods]:
        lines = one.endline - one.lineno + 1
        yield Function(file, one.name, one.lineno, lines, one.complexity)


def density(functions: Sequence[Function]) -> float:
    """Decision points per 100 lines."""
    lines = sum(map(attrgetter("lines"), functions))
    points = sum(function.paths - 1 for function in functions)
    return 100 * points / lines if lines else 0.0


def main() -> int:
    """Print the density of each room and what is over a limit; 1 if anything is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", type=Path, nargs="*", default=HOUSE)
    parser.add_argument("--files", action="store_true", help="by file, not by room")
    options = parser.parse_args()
    functions = list(functions_of(options.paths))
    groups: dict[str, list[Function]] = defaultdict(list)
    for function in functions:
        groups[str(function.file) if options.files else function.room].append(function)
    for name, members in sorted(groups.items()):
        lines = sum(map(attrgetter("lines"), members))
        print(f"{density(members):6.1f}  {lines:6} lines  {name}")
    print(f"{density(functions):6.1f}  all, of at most {DENSITY}")
    tangled = [function for function in functions if function.paths > PATHS]
    for function in sorted(tangled, key=lambda one: -one.paths):
        print(
            f"{function.file}:{function.line} {function.name}: {function.paths} paths"
        )
    return int(bool(tangled) or density(functions) > DENSITY)


if __name__ == "__main__":
    sys.exit(main())
