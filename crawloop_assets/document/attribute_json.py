"""The JSON that attributes of a page carry for its scripts: `data-page`, `data-props`."""

import re
from collections import Counter
from itertools import accumulate, takewhile
from operator import attrgetter
from typing import Any

from lxml import etree

from crawloop_assets.document.islands import (
    MOST_SCRIPT_CHARS,
    Roots,
    add_root,
    load_json,
)

_FEWEST_CHARS = 40
"""Shorter ones are settings."""
_MAY_BE_JSON = re.compile(rf"[{{\[].{{{_FEWEST_CHARS},}}", re.DOTALL)
_FIND = etree.XPath(
    f"//@*[string-length(.) > {_FEWEST_CHARS} and (starts-with(., '{{') or starts-with(., '['))]"
)


def attribute_roots(tree: etree._Element) -> Roots:
    """The roots that attributes make, named `js:` and the attribute, in document order. Of what
    several elements carry under one name nothing tells which is meant. What comes behind too
    many characters is not looked into."""
    found: Any = _FIND(tree)
    names = Counter(map(attrgetter("attrname"), found))
    until = accumulate(map(len, found))
    roots: Roots = {}
    for text, _ in zip(found, takewhile(MOST_SCRIPT_CHARS.__ge__, until), strict=False):
        if names[text.attrname] == 1:
            add_root(roots, f"js:{text.attrname}", load_json(text))
    return roots


def carries_json(element: etree._Element) -> bool:
    """Whether an attribute of an element seems to carry data for scripts."""
    return any(map(_MAY_BE_JSON.match, element.attrib.values()))
