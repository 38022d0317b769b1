"""CSS selectors over a document's index; what the index cannot answer goes to lxml,
compiled once.

The fast part covers what crawlers are made of: tag, #id, .class, [attribute] with the
usual operators, nth-of-type and kin, descendant and child combinators, comma.
Everything is relative to a scope element (the whole page by default).
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from crawloop_assets.document.document import Document


class BadSelector(ValueError):
    """The text is no selector this product runs."""


class Test(NamedTuple):
    """One attribute test: op is "" (present) or one of = ^= $= *= ~= |=."""

    name: str
    op: str
    value: str


class Compound(NamedTuple):
    """What one element must be.

    `child` says that it must be a child of what the previous compound matched.
    """

    tag: str
    classes: tuple[str, ...]
    tests: tuple[Test, ...]
    nth: tuple[tuple[str, int], ...]
    child: bool


Path = tuple[Compound, ...]

_PART = re.compile(
    r"(?P<tag>[A-Za-z](?:[\w-]|\\.)*|\*)|#(?P<id>(?:[\w-]|[^\x00-\x7f]|\\.)+)|\.(?P<cls>(?:[\w-]|[^\x00-\x7f]|\\.)+)"
    r"|\[\s*(?P<attr>[\w:.-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?:\"(?P<dq>(?:[^\"\\]|\\.)*)\"|'(?P<sq>(?:[^'\\]|\\.)*)'"
    r"|(?P<bare>[\w-]+))\s*)?\]"
    r"|:(?P<nth>nth-of-type|nth-child|nth-last-of-type)\(\s*(?P<n>\d+)\s*\)|:(?P<edge>first-of-type|first-child|last-of-type)"
)
_GAP = re.compile(r"\s*(>)\s*|\s+")


@lru_cache(maxsize=8192)
def parse_css(selector: str) -> tuple[Path, ...] | None:
    """The selector as compounds, or None if it needs lxml."""
    paths: list[Path] = []
    for text in _split_commas(selector):
        path = _parse_path(text.strip())
        if path is None:
            return None
        paths.append(path)
    return tuple(paths)


def _split_commas(selector: str) -> list[str]:
    out, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(selector):
        if quote:
            quote = "" if char == quote and selector[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == "," and depth == 0:
            out.append(selector[start:at])
            start = at + 1
    return [*out, selector[start:]]


def _parse_path(text: str) -> Path | None:
    compounds: list[Compound] = []
    at, child = 0, False
    if text.startswith(">"):
        child, at = True, 1 + len(text[1:]) - len(text[1:].lstrip())
    while at < len(text):
        parts: list[re.Match[str]] = []
        while match := _PART.match(text, at):
            if parts and match["tag"]:
                return None
            parts.append(match)
            at = match.end()
        if not parts:
            return None
        compounds.append(_compound(parts, child))
        if at < len(text):
            gap = _GAP.match(text, at)
            if gap is None or gap.end() == len(text):
                return None
            child, at = bool(gap[1]), gap.end()
    return tuple(compounds) or None


def _compound(parts: list[re.Match[str]], child: bool) -> Compound:
    tag, classes, tests, nth = "", [], [], []
    for part in parts:
        if part["tag"]:
            tag = "" if part["tag"] == "*" else _unescape(part["tag"]).lower()
        elif part["id"]:
            tests.append(Test("id", "=", _unescape(part["id"])))
        elif part["cls"]:
            classes.append(_unescape(part["cls"]))
        elif part["attr"]:
            value = next(
                (part[key] for key in ("dq", "sq", "bare") if part[key] is not None), ""
            )
            tests.append(Test(part["attr"].lower(), part["op"] or "", _unescape(value)))
        elif part["nth"]:
            nth.append((part["nth"], int(part["n"])))
        else:
            nth.append(
                (
                    f"nth-{part['edge'][6:]}"
                    if part["edge"] != "last-of-type"
                    else "nth-last-of-type",
                    1,
                )
            )
    return Compound(tag, tuple(classes), tuple(tests), tuple(nth), child)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def css(document: Document, selector: str, scope: int = 0) -> list[int]:
    """Numbers of the elements inside the scope that match, in document order; not to be
    changed.

    Raises BadSelector.
    """
    if scope:
        return _css(document, selector, scope)
    found = document.selected.get((0, selector))
    if found is None:
        found = document.selected[0, selector] = _css(document, selector, scope)
    return found


def _css(document: Document, selector: str, scope: int) -> list[int]:
    paths = parse_css(selector)
    if paths is None:
        return _slow(document, selector, scope)
    if len(paths) == 1:
        return _matches(document, paths[0], scope)
    return sorted(
        {number for path in paths for number in _matches(document, path, scope)}
    )


def _matches(document: Document, path: Path, scope: int) -> list[int]:
    """Step by step from the left: what the next compound matches inside (or as a child
    of) what was found so far."""
    if not document.elements:
        return []
    found = _held(document, path[0], scope)
    if path[0].child:
        found = [number for number in found if document.parent[number] == scope]
    found = _placed(document, found, path[0])
    for step in path[1:]:
        if not found:
            return []
        mine = _held(document, step, scope)
        found = (
            _children(document, mine, found)
            if step.child
            else _inside(document, mine, found)
        )
        found = _placed(document, found, step)
    return found


def _held(document: Document, compound: Compound, scope: int) -> list[int]:
    """Only what the scope holds: a page of a thousand records is asked a thousand
    times."""
    found = _all(document, compound)
    return document.within(found, scope) if scope else found


def _placed(document: Document, numbers: list[int], compound: Compound) -> list[int]:
    """Those at the wanted places among their siblings.

    Counting is dear, so that it comes after everything else.
    """
    if not compound.nth:
        return numbers
    return [
        number
        for number in numbers
        if all(
            document.position(number, kind) == wanted for kind, wanted in compound.nth
        )
    ]


def _children(document: Document, numbers: list[int], parents: list[int]) -> list[int]:
    known = set(parents)
    return [number for number in numbers if document.parent[number] in known]


def _inside(document: Document, numbers: list[int], outer: list[int]) -> list[int]:
    """Those of the ascending numbers that lie inside one of the ascending outer
    elements."""
    if len(numbers) <= _FEW:
        around = set(outer)
        return [
            number
            for number in numbers
            if not around.isdisjoint(document.ancestors(number))
        ]
    kept: list[int] = []
    at, until, last = 0, -1, len(outer)
    for number in numbers:
        while at < last and outer[at] < number:
            until = max(until, document.end[outer[at]])
            at += 1
        if number < until:
            kept.append(number)
    return kept


_FEW = 8
"""To go up from so many elements costs less than to learn where every element of a page
ends."""


def _all(document: Document, compound: Compound) -> list[int]:
    """Every element of the page that a compound matches wherever it stands, ascending;
    remembered by the document."""
    key = compound[:3]
    known = document.matched.get(key)
    if known is None:
        known = document.matched[key] = _found(document, compound)
    return known


def _found(document: Document, compound: Compound) -> list[int]:
    """What all lists of the index have that hold every match, beginning with the
    shortest."""
    tag, tests = compound.tag, compound.tests
    lists = [document.classed(name) for name in compound.classes]
    if tag:
        lists.append(document.by_tag.get(tag, []))
    if tests and (not lists or _ASKING * min(map(len, lists)) > len(document.elements)):
        lists += [_tested(document, test) for test in tests]
        tests = ()
    if not lists:
        return list(range(len(document.elements)))
    lists.sort(key=len)
    found, *others = lists
    for other in map(set, others):
        found = [number for number in found if number in other]
    for test in tests:
        values = [document.elements[number].get(test.name) for number in found]
        holds, wanted = _OPS[test.op], test.value
        pairs = zip(found, values, strict=True)
        found = [
            number
            for number, value in pairs
            if value is not None and holds(value, wanted)
        ]
    return found


_ASKING = 8
"""To ask one element for an attribute takes as long as to look for the attribute at so
many elements of a page."""


def _tested(document: Document, test: Test) -> list[int]:
    holds, wanted = _OPS[test.op], test.value
    return [
        number
        for number, value in document.having(test.name).items()
        if holds(value, wanted)
    ]


_OPS: dict[str, Callable[[str, str], bool]] = {
    "": lambda value, wanted: True,
    "=": lambda value, wanted: value == wanted,
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
}


def _slow(document: Document, selector: str, scope: int) -> list[int]:
    if not document.elements:
        return []
    found = _compiled(selector)(document.elements[scope])
    return sorted(
        document.number[element] for element in found if element in document.number
    )


@lru_cache(maxsize=2048)
def _compiled(selector: str) -> etree.XPath:
    try:
        return etree.XPath(
            HTMLTranslator().css_to_xpath(selector, prefix="descendant::")
        )
    except (SelectorError, etree.XPathError) as error:
        raise BadSelector(f"{selector!r}: {error}") from error


def check_css(selector: str) -> None:
    """Raise BadSelector unless the selector can run."""
    if parse_css(selector) is None:
        _compiled(selector)


_REFUSED = re.compile(
    r"\b(?:document|id|key|unparsed-entity-uri|current|system-property)\s*\(|\$|re:|regexp|exsl|str:|set:|"
    r"\b(?:preceding|following)\s*::|\bancestor(?:-or-self)?\s*::|\bnamespace\s*::"
)
_NESTED = re.compile(r"\[[^\]]*(?://|descendant)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def check_xpath(expression: str) -> None:
    """Raise BadSelector for an expression that is malformed, can reach outside the page
    or can take quadratic time."""
    bare = _QUOTED.sub("''", expression)
    if (
        len(expression) > 500
        or _REFUSED.search(bare)
        or _NESTED.search(bare)
        or bare.count("//") > 3
    ):
        raise BadSelector(
            f"{expression!r} uses an axis, function or nested search that crawlers may not use"
        )
    _xpath(expression)


@lru_cache(maxsize=2048)
def _xpath(expression: str) -> etree.XPath:
    try:
        return etree.XPath(expression, regexp=False, smart_strings=False)
    except etree.XPathError as error:
        raise BadSelector(f"{expression!r}: {error}") from error


def xpath(document: Document, expression: str, scope: int = 0) -> list[int | str]:
    """Elements (as numbers) and strings an expression leads to, relative to the scope.

    Raises BadSelector.
    """
    if not document.elements:
        return []
    try:
        found = _xpath(expression)(document.elements[scope])
    except etree.XPathError as error:
        raise BadSelector(f"{expression!r}: {error}") from error
    if not isinstance(found, list):
        return [str(found)]
    out = [
        document.number.get(item) if isinstance(item, etree._Element) else str(item)
        for item in found
    ]
    return [item for item in out if item is not None]
