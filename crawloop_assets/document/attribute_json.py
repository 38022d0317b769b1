"""The JSON that attributes of a page carry for its scripts: `data-page`, `data-props`."""

from collections import defaultdict
from itertools import accumulate, takewhile
from typing import Any

from lxml import etree

from crawloop_assets.document.islands import (
    MOST_CHARS,
    Json,
    Roots,
    add_root,
    load_json,
)

_FEWEST_CHARS = 40
"""Shorter ones are settings."""
_FIND = etree.XPath(
    f"//@*[string-length(.) > {_FEWEST_CHARS} and (starts-with(., '{{') or starts-with(., '['))]"
)


def attribute_roots(tree: etree._Element) -> Roots:
    """The roots that attributes make: of each attribute one list with what every element
    that has it carries, in document order, named `js:` and its name. What comes behind too
    many characters is not looked into."""
    found: Any = _FIND(tree)
    until = accumulate(map(len, found))
    values: defaultdict[str, list[Json]] = defaultdict(list)
    for text, _ in zip(found, takewhile(MOST_CHARS.__ge__, until), strict=False):
        value = load_json(text)
        if isinstance(value, dict | list):
            values[str(text.attrname)].append(value)
    roots: Roots = {}
    for name, listed in values.items():
        add_root(roots, f"js:{name}", listed)
    return roots
