"""The selectors that the index of a document answers, as data.

They are what crawlers are made of: tag, #id, .class, [attribute] with the usual
operators, nth-of-type and kin, descendant and child combinators, comma.
"""

import re
from functools import lru_cache
from typing import NamedTuple


class BadSelector(ValueError):
    """The text is no selector this product runs."""


class AttributeTest(NamedTuple):
    """One attribute test: op is "" (present) or one of = ^= $= *= ~= |=."""

    name: str
    op: str
    value: str


class Compound(NamedTuple):
    """What one element must be.

    `nth`: kinds of places among its siblings, and the places from 1. `child` says that
    it must be a child of what the previous compound matched.
    """

    tag: str
    classes: tuple[str, ...]
    tests: tuple[AttributeTest, ...]
    nth: tuple[tuple[str, int], ...]
    child: bool


Path = tuple[Compound, ...]
"""Compounds from the outermost to the one that is selected."""

_ESCAPE = r"\\[^0-9a-fA-F\n]"  # a hexadecimal escape is left to the translator
_PART = re.compile(
    rf"(?P<tag>[A-Za-z](?:[\w-]|{_ESCAPE})*|\*)"
    rf"|#(?P<id>(?:[\w-]|[^\x00-\x7f]|{_ESCAPE})+)"
    rf"|\.(?P<cls>(?:[\w-]|[^\x00-\x7f]|{_ESCAPE})+)"
    r"|\[\s*(?P<attr>[\w:.-]+)\s*(?:(?P<op>[~|^$*]?=)\s*"
    rf"(?:\"(?P<dq>(?:[^\"\\]|{_ESCAPE})*)\"|'(?P<sq>(?:[^'\\]|{_ESCAPE})*)'"
    r"|(?P<bare>[\w-]+))\s*)?\]"
    r"|:(?P<nth>nth-of-type|nth-child|nth-last-of-type)\(\s*(?P<n>\d+)\s*\)"
    r"|:(?P<edge>first-of-type|first-child|last-of-type)"
)
_GAP = re.compile(r"\s*(?P<child>>)\s*|\s*(?P<comma>,)\s*|\s+")
_START = re.compile(r"(?P<child>>\s*)?")
_EDGES = {
    "first-of-type": ("nth-of-type", 1),
    "first-child": ("nth-child", 1),
    "last-of-type": ("nth-last-of-type", 1),
}


@lru_cache(maxsize=8192)
def parse_css(selector: str) -> tuple[Path, ...] | None:
    """The paths of a selector, one between two commas, or None if it is beyond this
    grammar.

    A path that begins with ">" starts at a child of the scope.
    """
    text = selector.strip()
    paths: list[Path] = []
    position = 0
    while position <= len(text):
        parsed = _parse_path(text, position)
        if parsed is None:
            return None
        path, position = parsed
        paths.append(path)
    return tuple(paths)


def _parse_path(text: str, position: int) -> tuple[Path, int] | None:
    """One path and where the next one begins: behind the comma, or behind the end."""
    compounds: list[Compound] = []
    gap = _START.match(text, position)
    while gap is not None:
        parts = _parts(text, gap.end())
        if not parts:
            return None
        compounds.append(_compound(parts, is_child=gap["child"] is not None))
        position = parts[-1].end()
        if position == len(text):
            return tuple(compounds), position + 1
        gap = _GAP.match(text, position)
        if gap is not None and gap["comma"]:
            return tuple(compounds), gap.end()
    return None


def _parts(text: str, position: int) -> list[re.Match[str]]:
    """The parts of one compound; none if there is no compound."""
    parts: list[re.Match[str]] = []
    while match := _PART.match(text, position):
        if parts and match["tag"]:
            return []
        parts.append(match)
        position = match.end()
    return parts


def _compound(parts: list[re.Match[str]], is_child: bool) -> Compound:
    """What the parts of one compound say together."""
    tag = ""
    classes: list[str] = []
    tests: list[AttributeTest] = []
    nth: list[tuple[str, int]] = []
    for part in parts:
        match part.lastgroup:
            case "tag":
                tag = "" if part["tag"] == "*" else _unescaped(part["tag"]).lower()
            case "cls":
                classes.append(_unescaped(part["cls"]))
            case "n":
                nth.append((part["nth"], int(part["n"])))
            case "edge":
                nth.append(_EDGES[part["edge"]])
            case "id":
                tests.append(AttributeTest("id", "=", _unescaped(part["id"])))
            case _:
                tests.append(_attribute_test(part))
    return Compound(tag, tuple(classes), tuple(tests), tuple(nth), is_child)


def _attribute_test(part: re.Match[str]) -> AttributeTest:
    """The test of an [attribute]; its value is quoted in one of two ways or bare."""
    group = part.groupdict(default="")
    value = _unescaped(group["dq"] + group["sq"] + group["bare"])
    return AttributeTest(group["attr"].lower(), group["op"], value)


def _unescaped(text: str) -> str:
    """A name or a value without the backslashes before its signs."""
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text
