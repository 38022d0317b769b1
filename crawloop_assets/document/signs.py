"""What a part of a page says without words: the classes of its elements, the names of its
pictures and icons, the titles of both, ticks and stars.

"""

from collections.abc import Iterator

from crawloop_assets.document.document import Document

TEXT = '"'
"""Begins a sign that people read as a text."""
_MOST_ELEMENTS = 400
_LONGEST = 40  # characters of a text or an attribute
_SAID = ("title", "aria-label", "alt")
_NAMED = ("src", "href", "xlink:href")
_PLAIN = ("id", "style")
_STATES = ("aria-", "data-")
"""Attributes that say what an element is now, behind a mark of their own: they are counted, and
tell no flag by themselves, as most icons are hidden from those who listen."""
_STATED = ("true", "false", "on", "off", "full", "empty", "filled", "half", "active")
_ICONS = ("name", "icon", "data-icon", "data-lucide", "data-feather")
"""What elements without anything in them say of the icon that is drawn in their place."""


def signs(document: Document, number: int) -> str:
    """The signs of an element and all in it, a line for each that has any, each between
    blanks; its own tag first, so that a part of a page without signs says something. None
    of a part that is too large to be about one thing."""
    if document.end[number] - number > _MOST_ELEMENTS:
        return ""
    lines = [f" <{document.tags[number]}> "]
    for inside in range(number, document.end[number]):
        found = list(_of_element(document, inside))
        if found:
            lines.append(f" {' '.join(found)} ")
    return "\n".join(lines)


def _of_element(document: Document, number: int) -> Iterator[str]:
    """The signs of one element."""
    yield from document.classes[number].split()
    attributes = document.elements[number].attrib
    for name in _PLAIN:
        yield from _as_one(attributes.get(name, ""))
    yield from map("0:{0[0]}={0[1]}".format, filter(_is_state, attributes.items()))
    for name in _SAID:
        yield from (TEXT + one for one in _as_one(attributes.get(name, "")))
    if document.tags[number] in ("img", "use", "source"):
        for name in _NAMED:
            yield from _as_one(attributes.get(name, "").rpartition("/")[2])
    if document.end[number] == number + 1:
        for name in _ICONS[: len(_ICONS) * _is_icon(document.tags[number])]:
            yield from _as_one(attributes.get(name, ""))
        yield from (TEXT + one for one in _as_one(document.text(number)))


def _is_state(attribute: tuple[str, str]) -> bool:
    """Whether an attribute says of an element that it is so, or not."""
    name, value = attribute
    return name.startswith(_STATES) and value in _STATED


def _is_icon(tag: str) -> bool:
    """Whether an icon is drawn in the place of an element: of a custom one ("ion-icon"), too."""
    return "-" in tag or tag in ("i", "svg")


def _as_one(text: str) -> Iterator[str]:
    """A short text as one sign, none for an empty or a long one."""
    words = text.casefold().split()
    if words and len(text) <= _LONGEST:
        yield "_".join(words)
