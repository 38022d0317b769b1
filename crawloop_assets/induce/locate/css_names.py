"""Names as selectors write them, and paths of children."""

import re
from collections.abc import Sequence

from crawloop_assets.document.document import Document

_PLAIN = re.compile(r"-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*")


def is_plain(name: str) -> bool:
    """True for a name that needs no escaping in a selector; broken markup makes tags
    like `divclass="x`."""
    return _PLAIN.fullmatch(name) is not None


def escape(name: str) -> str:
    """A tag or class name as it is written in a selector."""
    return "".join(map(_escape_char, name))


def _escape_char(char: str) -> str:
    """A character as it may stand in a CSS name."""
    is_plain_char = char.isalnum() or char in "-_"
    return char if is_plain_char else f"\\{char}"


def tag_in_xpath(name: str) -> str:
    """The step of a tag in an XPath, where a colon parts a namespace from a name; that of
    any tag for one of broken markup."""
    if is_plain(name):
        return name
    return "*" if '"' in name else f'*[name()="{name}"]'


def quote(value: str) -> str:
    """An attribute value as it is written between double quotes."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def equals(name: str, value: str) -> str:
    """The selector of an attribute by its whole value."""
    return f'[{name}="{quote(value)}"]'


def tag_of(document: Document, number: int) -> str:
    """An element's tag as it is written in a selector."""
    return escape(str(document.elements[number].tag))


def child_path(
    document: Document, number: int, outer: int, counted: str = "nth-of-type"
) -> list[str]:
    """The child steps from an element down to one in it, by position among siblings of
    one tag, counted from the front or from the back."""
    steps: list[str] = []
    while number > outer:
        position = document.position(number, counted)
        steps.append(f"{tag_of(document, number)}:{counted}({position})")
        number = document.parent[number]
    return steps[::-1]


def container_of(document: Document, numbers: Sequence[int]) -> int:
    """The innermost element around all of some; 0 if there is none."""
    last = max(numbers)
    number = document.parent[min(numbers)]
    while number > 0 and document.end[number] <= last:
        number = document.parent[number]
    return max(number, 0)
