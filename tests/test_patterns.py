"""Every regular expression of the house takes linear time on any text.

None can be forgotten: they are found in the modules (constants, also in tables) and in
the code (calls of `re`), and what is put together while it runs has to be named here.
"""

import ast
import importlib
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from crawloop_assets.pattern.growth import exponent, most_readings
from crawloop_assets.pattern.machine import Use

ROOT = Path(__file__).parent.parent
FILES = sorted(
    file
    for package in ("crawloop_assets", "resources", "schemas")
    for file in (ROOT / package).rglob("*.py")
)
USES = {"match": Use.MATCH, "fullmatch": Use.FULLMATCH}
FUNCTIONS = {
    "compile",
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "sub",
    "subn",
    "split",
}
LONGEST = 1_000
"""So many characters may be counted by a pattern: what it reads from one place on."""
TRIED = 4_096
"""So many readings of a text of 64 characters are the end of what is no harm."""

MADE_WHILE_RUNNING = {
    # module: what it makes patterns of, and who bounds them
    "crawloop_assets.pattern.judge": "what programs and families bring, judged there",
    "crawloop_assets.pattern.letters": "one class of characters",
    "crawloop_assets.frontier.urls": "`normalize`, judged when the family is read",
    "crawloop_assets.written": "`normalize`, judged before, on an empty text",
    "crawloop_assets.drift.facts": "`ignore`, judged when the family is read",
    "crawloop_assets.induce.detail.shared_cuts": "the letters of one known value, quoted",
    "crawloop_assets.induce.notation": "alternatives of constants",
    "crawloop_assets.induce.locate.fit": "one quoted sign beside a digit",
    "crawloop_assets.induce.locate.named_choices": "one quoted choice between ends of words",
    "crawloop_assets.induce.locate.regrouped": "forty quoted letters, two signs at most between any two of them",
    "crawloop_assets.induce.listing.row_forms": "digits and letters by turns, from the beginning of a word on",
    "crawloop_assets.cli.benchmark": "what a person writes on the command line",
    "crawloop_assets.scout.siblings": "constants with one piece of a path in each segment",
    "crawloop_assets.drift.page_kinds": "alternatives of names, a constant once made",
}

ALONE = {"crawloop_assets.crawler.vote._SURE_FORMS": Use.FULLMATCH}
"""Tables whose patterns are used in one manner."""
SHORT = {
    "crawloop_assets.document.jsonpath._KEY": "a path of a program, 600 characters",
    "crawloop_assets.scout.naming._WORD": "a name, 200 characters",
    "crawloop_assets.document.xpath_reach._SIGN": "an expression of at most 500",
}
MEASURED = (
    # What may fail late is what was read before: it holds, and is not read again.
    "crawloop_assets.crawler.srcset._CANDIDATE",
    "crawloop_assets.values.dates._DATE",
    "crawloop_assets.values.numbers._NUMBER",
    "crawloop_assets.values.text._WORD",
)
"""What the law cannot see to be linear, and what is tried out instead."""
CHARS = "1aZ ,.-'/e½:"


def module_of(file: Path) -> ModuleType:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


def patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns of a constant, which may be a table of them."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for one in value.values():
            yield from patterns_in(one, depth + 1)
    elif depth < 4 and isinstance(value, tuple | list):
        # Not by `for`: records of Dagster are tuples that refuse it.
        kind = tuple if isinstance(value, tuple) else list
        for one in kind.__iter__(value):
            yield from patterns_in(one, depth + 1)


def uses_of(tree: ast.AST) -> Mapping[str, set[Use]]:
    """By name, how a module uses what it names: `_X.match`. A name that is handed on may
    be used in any manner."""
    uses: defaultdict[str, set[Use]] = defaultdict(set)
    asked: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.add(id(node.value))
            uses[node.value.id].add(USES.get(node.attr, Use.SEARCH))
    for node in ast.walk(tree):
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if is_read and id(node) not in asked:
            uses[node.id].update(Use)
    return uses


def constants(file: Path) -> Iterator[tuple[str, re.Pattern[Any], set[Use]]]:
    """The patterns that a module holds, and how it uses them."""
    module = module_of(file)
    uses = uses_of(ast.parse(file.read_text(encoding="utf-8")))
    for name, value in vars(module).items():
        for pattern in patterns_in(value):
            full = f"{module.__name__}.{name}"
            alone = {ALONE[full]} if full in ALONE else set(Use)
            yield full, pattern, uses.get(name, alone) if full not in ALONE else alone


def calls(file: Path) -> Iterator[tuple[int, str, ast.expr]]:
    """The calls of `re` within functions and modules: line, function, pattern."""
    text = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "re." in text else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_of_re = (
                isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            )
            if is_of_re and node.func.attr in FUNCTIONS:
                yield node.lineno, node.func.attr, node.args[0]


def named(name: str, files: list[Path]) -> list[Path]:
    return [file for file in files if str(file.relative_to(ROOT)).startswith(name)]


ROOMS = sorted({file.relative_to(ROOT).parts[:2] for file in FILES})


@pytest.mark.parametrize("room", ["/".join(parts) for parts in ROOMS])
def test_no_pattern_takes_more_than_linear_time(room: str) -> None:
    slow: list[str] = []
    for file in named(room, FILES):
        for name, pattern, uses in constants(file):
            if name in SHORT or name in MEASURED:
                continue
            flags = pattern.flags
            power = max(exponent(pattern.pattern, flags, use, LONGEST) for use in uses)
            tried = max(most_readings(pattern.pattern, flags, use) for use in uses)
            if power > 1 or tried > TRIED:
                slow.append(
                    f"{name}: power {power}, {tried} readings, for {sorted(uses)}"
                )
    assert slow == []


@pytest.mark.parametrize("name", MEASURED)
def test_what_is_tried_out_is_quick_on_any_repeated_text(name: str) -> None:
    module, constant = name.rsplit(".", 1)
    pattern = getattr(importlib.import_module(module), constant)
    words = [*CHARS, *map("".join, permutations(CHARS, 2)), "1.000", "1,234", "1 jan "]
    for word in words:
        text = word * (10_000 // len(word))
        began = time.process_time()
        pattern.findall(text + "!")
        pattern.findall("1" + text)
        assert time.process_time() - began < 0.5, word


def constant_patterns(file: Path) -> set[int]:
    """The calls of `re.compile` that make what a module holds: their patterns are judged
    as they are, whatever they are put together of."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and id(node) not in inside
    }


def test_no_pattern_in_a_call_takes_more_than_linear_time() -> None:
    slow: list[str] = []
    unknown: set[str] = set()
    for file in FILES:
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        found = list(calls(file))
        held = constant_patterns(file) if found else set()
        for line, function, pattern in found:
            if isinstance(pattern, ast.Constant):
                use = USES.get(function, Use.SEARCH)
                if (
                    function != "compile"
                    and exponent(pattern.value, 0, use, LONGEST) > 1
                ):
                    slow.append(f"{module}:{line}: {pattern.value!r}")
            elif line not in held:
                unknown.add(module)
    assert slow == []
    assert unknown == MADE_WHILE_RUNNING.keys()


def test_a_slow_pattern_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "import re\n_X = re.compile(r'a+b')\n_X.search('')\nre.sub('b+$', '', '')\n"
    )
    assert uses_of(ast.parse(file.read_text()))["_X"] == {Use.SEARCH}
    assert [call[1] for call in calls(file)] == ["compile", "sub"]
    assert list(patterns_in({"a": [(re.compile("x"),)]}))
    assert exponent("a+b") == 2
