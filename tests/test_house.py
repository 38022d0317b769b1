"""The plan of the house, held against the code: rooms, names, sizes, tests.

Floors and forbidden arrows are contracts in `pyproject.toml`, held by `lint-imports`.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.decisions import DENSITY, HOUSE, PATHS, density, functions_of

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "crawloop_assets"
GLOSSARY = ROOT / "docs" / "glossary.md"
SAME_NAME_TWICE: dict[str, str] = {
    "Document": "a page parsed, and the benchmark's model of a legal document, as its pack names it",
}
"""Public names that two modules may define, and why."""
TESTED_ELSEWHERE: dict[str, str] = {
    "definitions.py": "tests/test_definitions.py",
    # Data alone, apart from how it is made: what that is good for is what an import costs.
    "induce/healing/healed.py": "tests/test_import_cost.py",
    "induce/made.py": "tests/test_import_cost.py",
    "scout/answers.py": "tests/test_import_cost.py",
}


def modules() -> list[Path]:
    """Every module with something in it; a package's face and a start are none."""
    files = (file.relative_to(PACKAGE) for file in PACKAGE.rglob("*.py"))
    return sorted(
        file for file in files if file.name not in ("__init__.py", "__main__.py")
    )


def public_names(file: Path) -> Iterator[str]:
    """What a module defines for others."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign(targets=targets):
                yield from (
                    target.id for target in targets if isinstance(target, ast.Name)
                )
            case ast.AnnAssign(target=ast.Name() as target):
                yield target.id


def all_names(file: Path) -> Iterator[tuple[str, int]]:
    """Every name a module gives to anything, with its line."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno


def gone_words() -> frozenset[str]:
    """The last paragraph of the glossary: words that no name may be made of."""
    text = GLOSSARY.read_text(encoding="utf-8").split("## Words that are gone")[1]
    return frozenset(re.findall(r"\w+", text.split(":", 1)[0]))


def words_in(name: str) -> set[str]:
    """`WayOut`, `way_out` -> {"way", "out"}."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


@pytest.mark.parametrize("module", modules(), ids=str)
def test_a_module_has_a_test_file_of_its_own(module: Path) -> None:
    expected = f"tests/{module.parent}/test_{module.name}".replace("/./", "/")
    file = ROOT / TESTED_ELSEWHERE.get(str(module), expected)
    assert file.exists(), f"{module} has no {expected}"
    assert re.search(r"^\s*(async )?def test_", file.read_text(encoding="utf-8"), re.M)


def test_a_public_name_means_one_thing() -> None:
    rooms: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for name in set(public_names(PACKAGE / module)):
            if not name.startswith("_"):
                rooms[name].append(str(module))
    twice = {name: found for name, found in rooms.items() if len(found) > 1}
    assert twice.keys() <= SAME_NAME_TWICE.keys(), twice
    assert SAME_NAME_TWICE.keys() <= twice.keys(), "an exception nobody needs"


def test_words_that_are_gone_stay_away() -> None:
    gone = gone_words()
    assert {"aim", "spot", "standing"} <= gone
    back = [
        f"{module}:{line} {name}"
        for module in modules()
        for name, line in all_names(PACKAGE / module)
        if words_in(name) & (gone | {f"{word}s" for word in gone})
    ]
    assert back == []


def test_functions_are_seen_at_once() -> None:
    functions = list(functions_of([ROOT / folder for folder in HOUSE]))
    tangled = [
        f"{function.file.relative_to(ROOT)}:{function.line} {function.name}"
        for function in functions
        if function.paths > PATHS
    ]
    assert tangled == []
    assert density(functions) <= DENSITY


def test_the_walk_from_bytes_to_row_names_what_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\| \d+ \| `([\w.]+)` in `([\w/.]+)` \|", text, re.M)
    assert 8 <= len(steps) <= 12
    for name, file in steps:
        source = (PACKAGE / file).read_text(encoding="utf-8")
        for part in name.split("."):
            assert re.search(rf"^\s*(?:async )?(?:def|class) {part}\b", source, re.M), (
                name
            )
