"""A page made short for whoever writes selectors: of things that are alike a few are
left, and of navigation nothing, but for what is looked for."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, groupby

from lxml import etree

_ALIKE = 3
"""Neighbours that are alike and left; of more it is said how many there were."""
_BOILER_TAGS = frozenset(("nav", "footer", "select", "datalist"))
_BOILER_ROLES = frozenset(("navigation", "contentinfo", "search"))
_CRUMBS = "breadcrumb"
_DATA_CHARS = 60
"""Of what a script keeps in an attribute."""


def condense(page: etree._Element, kept: Collection[etree._Element]) -> None:
    """Take out of a page what is alike or leads elsewhere, but nothing that has one of
    the kept elements in it."""
    safe = {*kept, *chain.from_iterable(one.iterancestors() for one in kept)}
    for element in list(page.iter(etree.Element)):
        _without_long_data(element)
        if element not in safe and _is_boiler(element):
            _take_out(element)
    for parent in list(page.iter(etree.Element)):
        for alike in list(_runs(parent)):
            _leave_few(alike, safe)


def _is_boiler(element: etree._Element) -> bool:
    """Whether an element says of itself that it leads elsewhere."""
    names = f"{element.get('class')} {element.get('id')} {element.get('aria-label')}"
    if _CRUMBS in names.lower():
        return False
    return element.tag in _BOILER_TAGS or element.get("role") in _BOILER_ROLES


def _without_long_data(element: etree._Element) -> None:
    """Take away what a script keeps in attributes."""
    for name, value in element.items():
        if name.startswith("data-") and len(value) > _DATA_CHARS:
            del element.attrib[name]


def _runs(parent: etree._Element) -> Iterator[Sequence[etree._Element]]:
    """The neighbours inside an element that have one tag and one class."""
    for _, alike in groupby(parent, lambda child: (child.tag, child.get("class"))):
        yield list(alike)


def _leave_few(
    alike: Sequence[etree._Element], safe: Collection[etree._Element]
) -> None:
    """Leave the first of some neighbours, and those that are looked for."""
    gone = [one for one in alike[_ALIKE:] if one not in safe]
    if len(gone) < _ALIKE:
        return
    for element in gone:
        _take_out(element)
    last = alike[_ALIKE - 1]
    last.tail = f" … and {len(gone)} more like these … {last.tail or ''}"


def _take_out(element: etree._Element) -> None:
    """Take an element out with the text behind it."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
