"""A page made short for whoever writes selectors: of things that are alike a few are
left, and of navigation nothing, but for what is looked for."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter

from lxml import etree

_ALIKE = 3
"""Neighbours that are alike and left; of more it is said how many there were."""
_BOILER_TAGS = frozenset(("nav", "footer", "select", "datalist"))
_BOILER_ROLES = frozenset(
    ("navigation", "contentinfo", "search", "banner", "menubar", "menu")
)
_BOILER_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|menubar|footer|cookies?|share|social)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CRUMBS = "breadcrumb"
_SAYING = frozenset(("br", "img", "meta", "source", "input", "video", "time", "title"))
"""Elements that say something without a text."""
_DATA_CHARS = 60
"""Of what a script keeps in an attribute."""


def condense(
    page: etree._Element,
    kept: Collection[etree._Element],
    sure: Collection[etree._Element] = (),
) -> None:
    """Take out of a page what is alike, but nothing that has one of the kept elements in
    it; and what leads elsewhere or says nothing, but for what is surely looked for."""
    for element in list(page.iter(etree.Element)):
        _without_long_data(element)
    _without_boiler(page, _around(sure))
    safe = _around(kept)
    for parent in list(page.iter(etree.Element)):
        for alike in list(_runs(parent)):
            _leave_few(alike, safe)


def _around(elements: Collection[etree._Element]) -> set[etree._Element]:
    """Elements with all that they are in."""
    ancestors = (one.iterancestors() for one in elements)
    return {*elements, *chain.from_iterable(ancestors)}


def _without_boiler(page: etree._Element, safe: Collection[etree._Element]) -> None:
    """Take out what leads elsewhere and what says nothing."""
    headed = _around(list(page.iter("h1", "title", "main", "body")))
    for element in reversed(list(page.iter(etree.Element))):
        if element in safe or element in headed:
            continue
        if _is_boiler(element) or _is_silent(element):
            take_out(element)


def _is_silent(element: etree._Element) -> bool:
    """Whether nothing is said by an element."""
    if element.tag in _SAYING or len(element) or (element.text or "").strip():
        return False
    return not any(map(element.get, ("style", "href", "aria-label")))


def _is_boiler(element: etree._Element) -> bool:
    """Whether an element says of itself that it leads elsewhere."""
    names = f"{element.get('class', '')} {element.get('id', '')} {element.get('aria-label', '')}"
    if _CRUMBS in names.lower():
        return False
    if element.tag in _BOILER_TAGS or element.get("role") in _BOILER_ROLES:
        return True
    return _BOILER_NAME.search(names) is not None


def _without_long_data(element: etree._Element) -> None:
    """Take away what a script keeps in attributes."""
    for name, value in element.items():
        is_data = name.startswith("data-") and "://" not in value
        if is_data and len(value) > _DATA_CHARS:
            del element.attrib[name]


def _runs(parent: etree._Element) -> Iterator[Sequence[etree._Element]]:
    """The neighbours inside an element that have one tag and one class."""
    for _, alike in groupby(parent, lambda child: (child.tag, child.get("class"))):
        yield list(alike)


def _leave_few(
    alike: Sequence[etree._Element], safe: Collection[etree._Element]
) -> None:
    """Leave the first of some neighbours, and those that are looked for; how many are
    left out is said where they were, so that nobody counts places wrongly."""
    gone = [at >= _ALIKE and one not in safe for at, one in enumerate(alike)]
    if sum(gone) < _ALIKE:
        return
    last = alike[0]
    for is_gone, run in groupby(zip(alike, gone, strict=True), itemgetter(1)):
        part = list(map(itemgetter(0), run))
        if not is_gone:
            last = part[-1]
            continue
        for element in part:
            take_out(element)
        last.tail = f" … and {len(part)} more like these … {last.tail or ''}"


def take_out(element: etree._Element) -> None:
    """Take an element out of its page, but leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    # An empty text is not the same as none: libxml2 would write tags it can leave out.
    if element.tail:
        _append(parent, element.getprevious(), element.tail)
    parent.remove(element)


def _append(parent: etree._Element, before: etree._Element | None, text: str) -> None:
    """Put a text into a parent, right behind one of its children, or at its start where
    `before` is None; a tree keeps the two in different places."""
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text
