"""Microdata and RDFa Lite items of a page, as the same JSON shape JSON-LD has."""

from typing import Any, NamedTuple

from lxml import etree

from crawloop_assets.document.islands import Roots, add_root, type_name

_Item = dict[str, Any]


class _Dialect(NamedTuple):
    """The prefix of its roots, and the attributes of an item, of its type and of a
    property."""

    prefix: str
    scope: str
    kind: str
    prop: str
    is_used: etree.XPath
    """Whether any element opens an item; of large pages libxml2 knows long before their
    source could be searched for a word in any case."""
    marked: etree.XPath
    """Finds every element that opens an item or is a property, in document order."""


_DIALECTS = (
    _Dialect(
        "md",
        "itemscope",
        "itemtype",
        "itemprop",
        etree.XPath("boolean(descendant-or-self::*/@itemscope)"),
        etree.XPath("descendant-or-self::*[@itemscope or @itemprop]"),
    ),
    _Dialect(
        "rdfa",
        "typeof",
        "typeof",
        "property",
        etree.XPath("boolean(descendant-or-self::*/@typeof)"),
        etree.XPath("descendant-or-self::*[@typeof or @property]"),
    ),
)
_VALUE_ATTRIBUTE = {
    "meta": "content",
    "a": "href",
    "link": "href",
    "area": "href",
    "img": "src",
    "audio": "src",
    "video": "src",
    "source": "src",
    "iframe": "src",
    "embed": "src",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


def items_of(tree: etree._Element) -> Roots:
    """Every top-level item as `md:<Type>` or `rdfa:<Type>`: its `@type` and the values
    of each property as a list."""
    roots: Roots = {}
    for dialect in _DIALECTS:
        if dialect.is_used(tree):
            _add_items(roots, tree, dialect)
    return roots


def _add_items(roots: Roots, tree: etree._Element, dialect: _Dialect) -> None:
    """Add the items of one dialect.

    An element that opens an item and is no property makes a root; one that is both is a
    value of the item around it, or of nothing.
    """
    items: dict[etree._Element, _Item] = {}
    for element in dialect.marked(tree):
        names = element.get(dialect.prop)
        owner = _owner(element, items)
        item = _opened(element, dialect)
        if item is not None:
            items[element] = item
        if names is None and item is not None:
            add_root(roots, f"{dialect.prefix}:{type_name(item)}", item)
        elif names is not None and owner is not None:
            _add_value(owner, names, item or _text_value(element))


def _opened(element: etree._Element, dialect: _Dialect) -> _Item | None:
    """The new item of an element that opens one; its type is the first that is named."""
    if element.get(dialect.scope) is None:
        return None
    types = (element.get(dialect.kind) or "").split()
    return {"@type": types[:1] or ["Thing"]}


def _add_value(item: _Item, names: str, value: Any) -> None:
    """Add a value under each of its names, without their vocabulary's prefix."""
    for name in names.split():
        item.setdefault(name.rsplit(":", 1)[-1], []).append(value)


def _owner(element: etree._Element, items: dict[etree._Element, _Item]) -> _Item | None:
    """The item of the nearest element around one; None if there is none."""
    if not items:
        return None
    around = map(items.get, element.iterancestors())
    return next(filter(None, around), None)


def _text_value(element: etree._Element) -> str:
    """What an element says as a property: its `content`, the attribute of its tag, or
    its text."""
    content = element.get("content")
    if content is not None:
        return content
    attribute = _VALUE_ATTRIBUTE.get(str(element.tag))
    value = element.get(attribute) if attribute else None
    if value is not None:
        return value
    return " ".join("".join(element.itertext()).split())
