"""The attributes of a page that may hold a value."""

from collections.abc import Iterator

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.typed import ElementText
from crawloop_assets.values.text import word_set

_LONGEST = 20_000  # characters
_SKIPPED_ATTRIBUTES = word_set(
    "class id style width height tabindex rel target role type method action for xmlns viewbox d fill onclick sizes "
    "loading itemtype itemscope vocab typeof lang dir decoding fetchpriority crossorigin integrity media charset"
)


def telling_attributes(document: Document) -> Iterator[ElementText]:
    """The attributes that may hold a value, in document order."""
    for number, element in enumerate(document.elements):
        for name, text in element.attrib.items():
            if _may_hold_value(name, text):
                yield ElementText(number, f"@{name}", text)


def _may_hold_value(name: str, text: str) -> bool:
    """True for attributes with content; of styles those that name a picture."""
    if not 0 < len(text) < _LONGEST:
        return False
    if name == "style":
        return "url(" in text
    return name not in _SKIPPED_ATTRIBUTES
