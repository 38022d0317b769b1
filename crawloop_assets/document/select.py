"""CSS selectors over a document's index; what the index cannot answer goes to libxml2,
translated by parsel and compiled once.

Everything is relative to a scope element (the whole page by default).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import eq
from typing import Any

from lxml import etree

from crawloop_assets.document.css_grammar import (
    AttributeTest,
    BadSelector,
    Compound,
    Path,
    parse_css,
)
from crawloop_assets.document.document import Document
from crawloop_assets.document.xpath_reach import TOO_WIDE, check_reach, nested_moves

_FEW_ELEMENTS = 8
"""To go up from so many elements costs less than to learn where every element of a page
ends."""
_ASKING_COST = 8
"""To ask one element for an attribute takes as long as to look for the attribute at so
many elements of a page."""


def css(document: Document, selector: str, scope: int = 0) -> list[int]:
    """Numbers of the elements inside the scope that match, in document order; not to be
    changed.

    On the whole page they are those that parsel's `Selector.css` gives. A selector may
    begin with ">" for children of the scope. Raises BadSelector.
    """
    if scope:
        return _matches(document, selector, [scope])
    known = document.selected.get((0, selector))
    if known is None:
        known = document.selected[0, selector] = _matches(document, selector, [0])
    return known


class RowSearch:
    """Elements of a page, ascending, of which none lies in another, and what selectors
    find in them: it is looked for in all of them at once."""

    def __init__(self, document: Document, numbers: Sequence[int]):
        """Nothing is looked for yet; two elements or more."""
        self._document, self._numbers = document, numbers
        self._known: dict[str, list[int]] = {}

    def css(self, selector: str, number: int) -> list[int]:
        """What `css` gives for one of the elements."""
        known = self._known.get(selector)
        if known is None:
            known = _matches(self._document, selector, self._numbers)
            self._known[selector] = known
        return self._document.within(known, number)


def css_holders(document: Document, selector: str, scope: int = 0) -> list[int]:
    """The elements in which, by its last step, a selector looks for what it selects;
    none for a selector of one step, or one that is beyond the grammar."""
    holders: set[int] = set()
    for path in parse_css(selector) or ():
        if document.elements and len(path) > 1:
            holders.update(_matches_of_path(document, path[:-1], [scope]))
    return sorted(holders)


def _matches(document: Document, selector: str, scopes: Sequence[int]) -> list[int]:
    """The same, not remembered: by the index if it can answer, else by libxml2. Of
    several scopes none lies in another."""
    if not document.elements:
        return []
    paths = parse_css(selector)
    if paths is None:
        return _matches_of_xpath(document, selector, scopes)
    if len(paths) == 1:
        return _matches_of_path(document, paths[0], scopes)
    matches: set[int] = set()
    for path in paths:
        matches.update(_matches_of_path(document, path, scopes))
    return sorted(matches)


def _matches_of_path(
    document: Document, path: Path, scopes: Sequence[int]
) -> list[int]:
    """Step by step from the left: what the next compound matches inside (or as a child
    of) what was found so far."""
    found = list(scopes)
    # What is inside the whole page, or was looked up in one scope, need not be asked.
    is_inside = len(found) == 1
    for compound in path:
        candidates = _candidates(document, compound, scopes)
        if compound.child:
            candidates = _children(document, candidates, found)
        elif not is_inside:
            candidates = _inside(document, candidates, found)
        found, is_inside = _at_places(document, candidates, compound), False
        if not found:
            break
    return found


def _candidates(
    document: Document, compound: Compound, scopes: Sequence[int]
) -> list[int]:
    """Only what the scope holds, if it is one, which is looked up; all of the page for
    all rows of it."""
    matches = _matches_of_compound(document, compound)
    scope = scopes[0]
    return document.within(matches, scope) if scope and len(scopes) == 1 else matches


def _at_places(document: Document, numbers: list[int], compound: Compound) -> list[int]:
    """Those at the wanted places among their siblings.

    Counting is dear, so that it comes after everything else.
    """
    for kind, place in compound.nth:
        numbers = [
            number for number in numbers if document.position(number, kind) == place
        ]
    return numbers


def _children(document: Document, numbers: list[int], parents: list[int]) -> list[int]:
    """Those of the numbers that are children of one of the parents."""
    known = set(parents)
    return [number for number in numbers if document.parent[number] in known]


def _inside(document: Document, numbers: list[int], outer: list[int]) -> list[int]:
    """Those of the ascending numbers that lie inside one of the ascending outer
    elements."""
    if len(numbers) <= _FEW_ELEMENTS:
        return _inside_upwards(document, numbers, outer)
    inside: list[int] = []
    until = -1  # one past the last element inside an outer one before the number
    index, count = 0, len(outer)
    for number in numbers:
        while index < count and outer[index] < number:
            until = max(until, document.end[outer[index]])
            index += 1
        if number < until:
            inside.append(number)
    return inside


def _inside_upwards(
    document: Document, numbers: list[int], outer: list[int]
) -> list[int]:
    """The same for a few numbers: none of the others' ends has to be known."""
    around = set(outer)
    return [
        number
        for number in numbers
        if not around.isdisjoint(document.ancestors(number))
    ]


def _matches_of_compound(document: Document, compound: Compound) -> list[int]:
    """Every element of the page that a compound matches wherever it is, ascending;
    remembered by the document."""
    key = compound[:3]
    known = document.matched.get(key)
    if known is None:
        known = document.matched[key] = _search(document, compound)
    return known


def _search(document: Document, compound: Compound) -> list[int]:
    """What all lists of the index have that hold every match, beginning with the
    shortest; then the tests for which the index is not worth it."""
    lists = list(map(document.classed, compound.classes))
    if compound.tag and not lists:
        lists.append(document.by_tag.get(compound.tag, []))
    tests = compound.tests
    if _is_index_cheaper(document, lists):
        lists.extend(_passing_all(document, test) for test in tests)
        tests = ()
    matches = _in_all(document, lists)
    if compound.tag and compound.classes:
        # Few elements have a class, many a tag: those few are asked.
        tags, tag = document.tags, compound.tag
        matches = [number for number in matches if tags[number] == tag]
    for test in tests:
        matches = _passing(document, matches, test)
    return matches


def _is_index_cheaper(document: Document, lists: list[list[int]]) -> bool:
    """Whether looking for an attribute on the whole page costs less than asking each
    element of the shortest list."""
    if not lists:
        return True
    return _ASKING_COST * min(map(len, lists)) > len(document.elements)


def _in_all(document: Document, lists: list[list[int]]) -> list[int]:
    """The elements that are in each of the lists; all of the page if there are none."""
    if not lists:
        return list(range(len(document.elements)))
    if len(lists) == 1:
        return lists[0]
    shortest, *others = sorted(lists, key=len)
    for other in map(set, others):
        shortest = list(filter(other.__contains__, shortest))
    return shortest


def _passing(document: Document, numbers: list[int], test: AttributeTest) -> list[int]:
    """Those of the elements that pass a test; each of them is asked."""
    passes, wanted, elements = _OPS[test.op], test.value, document.elements
    passing: list[int] = []
    for number in numbers:
        value = elements[number].get(test.name)
        if value is not None and passes(value, wanted):
            passing.append(number)
    return passing


def _passing_all(document: Document, test: AttributeTest) -> list[int]:
    """The elements of the whole page that pass a test."""
    passes, wanted = _OPS[test.op], test.value
    values = document.having(test.name)
    return [number for number, value in values.items() if passes(value, wanted)]


# As in CSS, an empty text begins, ends and is part of nothing.
_OPS: dict[str, Callable[[str, str], bool]] = {
    "": lambda value, wanted: True,
    "=": eq,
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: f"{value}-".startswith(f"{wanted}-"),
}


def _matches_of_xpath(
    document: Document, selector: str, scopes: Sequence[int]
) -> list[int]:
    """What libxml2 finds for a selector that is beyond the index.

    The page's root is inside the page, but no other scope is inside itself.
    """
    axis = "descendant::" if scopes[0] else "descendant-or-self::"
    around = map(document.elements.__getitem__, scopes)
    nodes = chain.from_iterable(map(_compiled_css(selector, axis), around))
    return sorted(map(document.number.__getitem__, nodes))


@lru_cache(maxsize=2048)
def _compiled_css(selector: str, axis: str) -> etree.XPath:
    """A selector as XPath that starts on this axis. Raises BadSelector."""
    from crawloop_assets.document.dialect import elements_to_xpath  # loads parsel

    return _compiled_xpath(elements_to_xpath(selector, axis))


def check_css(selector: str) -> None:
    """Raise BadSelector unless the selector can run."""
    if parse_css(selector) is None:
        from crawloop_assets.document.dialect import elements_to_xpath  # loads parsel

        expression = elements_to_xpath(selector, "descendant::")
        if nested_moves(expression) > 1:
            raise BadSelector(f"{selector!r} {TOO_WIDE}")
        _compiled_css(selector, "descendant::")


def check_xpath(expression: str) -> None:
    """Raise BadSelector for an expression that is malformed, names what no page has, can
    reach outside the page or can take more than quadratic time."""
    check_reach(expression)
    compiled = _compiled_xpath(expression)
    try:
        compiled(etree.Element("html"))  # unknown prefixes and functions show only here
    except etree.XPathError as error:
        raise BadSelector(f"{expression!r}: {error}") from error


@lru_cache(maxsize=2048)
def _compiled_xpath(expression: str) -> etree.XPath:
    """An expression that is run on many pages. Raises BadSelector."""
    try:
        return etree.XPath(expression, regexp=False, smart_strings=False)
    except etree.XPathError as error:
        raise BadSelector(f"{expression!r}: {error}") from error


def xpath(document: Document, expression: str, scope: int = 0) -> list[int | str]:
    """Elements (as numbers) and strings an expression leads to, relative to the scope.

    A number or a truth comes as its text; comments are left out. Raises BadSelector.
    """
    if not document.elements:
        return []
    try:
        result = _compiled_xpath(expression)(document.elements[scope])
    except etree.XPathError as error:
        raise BadSelector(f"{expression!r}: {error}") from error
    if not isinstance(result, list):
        return [str(result)]
    return list(_numbered(document, result))


def _numbered(document: Document, nodes: list[Any]) -> Iterator[int | str]:
    """Strings as they are, elements as their numbers; what has none, such as a comment,
    is no part of what a page says."""
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif node in document.number:
            yield document.number[node]
