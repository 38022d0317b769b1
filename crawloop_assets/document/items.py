"""Microdata and RDFa Lite items of a page, as the same JSON shape JSON-LD has."""

from typing import Any, NamedTuple

from lxml import etree

from crawloop_assets.document.islands import Roots, add_root, type_name


class _Dialect(NamedTuple):
    prefix: str
    scope: str
    kind: str
    prop: str
    marked: etree.XPath
    """Finds every element that opens an item or is a property, in document order."""


_DIALECTS = (
    _Dialect(
        "md",
        "itemscope",
        "itemtype",
        "itemprop",
        etree.XPath("descendant-or-self::*[@itemscope or @itemprop]"),
    ),
    _Dialect(
        "rdfa",
        "typeof",
        "typeof",
        "property",
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


def items_of(tree: etree._Element, text: str) -> Roots:
    """Every top-level item as `md:<Type>` or `rdfa:<Type>`.

    `text` is the source of the page.
    """
    found: Roots = {}
    text = text.lower()
    for dialect in _DIALECTS:
        if dialect.scope not in text:
            continue
        scopes: dict[etree._Element, dict[str, Any]] = {}
        for element in dialect.marked(tree):
            name = element.get(dialect.prop)
            opens = element.get(dialect.scope) is not None
            if name is None and not opens:
                continue
            owner = _owner(element, scopes)
            if opens:
                scopes[element] = {
                    "@type": (element.get(dialect.kind) or "Thing").split()[:1]
                    or ["Thing"]
                }
            if owner is None or name is None:
                if opens and name is None:
                    kind = type_name(scopes[element])
                    add_root(found, f"{dialect.prefix}:{kind}", scopes[element])
                continue
            value = scopes[element] if opens else _value(element)
            for key in name.split():
                owner.setdefault(key.rsplit(":", 1)[-1], []).append(value)
    return found


def _owner(
    element: etree._Element, scopes: dict[etree._Element, dict[str, Any]]
) -> dict[str, Any] | None:
    if not scopes:
        return None
    for ancestor in element.iterancestors():
        if ancestor in scopes:
            return scopes[ancestor]
    return None


def _value(element: etree._Element) -> str:
    content = element.get("content")
    if content is not None:
        return content
    attribute = _VALUE_ATTRIBUTE.get(str(element.tag))
    value = element.get(attribute) if attribute else None
    return value if value is not None else " ".join("".join(element.itertext()).split())
