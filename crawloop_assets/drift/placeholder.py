"""Texts that stand for a value that is not there."""

import re

from crawloop_assets.values.value import Value

_PLACEHOLDER = re.compile(
    r"undefined|null|none|nan|n/?a|tb[ad]|todo|test|placeholder|(?:loading|please wait|coming soon)\W*"
    r"|-+|\?+|\.{2,}|\[object object\]|lorem ipsum.*",
    re.IGNORECASE | re.DOTALL,
)
_SLOTS = (("{{", "}}"), ("${", "}"), ("<%", "%>"))
"""How templates open and close a place for a value."""


def is_placeholder(value: Value) -> bool:
    """Text that stands for a value that is not there: "undefined", "{{ title }}",
    "Lorem ipsum ..."."""
    if not isinstance(value, str):
        return False
    return _has_slot(value) or _PLACEHOLDER.fullmatch(value.strip()) is not None


def _has_slot(text: str) -> bool:
    """Whether a template's place for a value was left in a text. Each mark is looked
    for once: the text is a page's, of any length."""
    for opening, closing in _SLOTS:
        start = text.find(opening)
        if start >= 0 and text.find(closing, start + len(opening)) >= 0:
            return True
    return False
