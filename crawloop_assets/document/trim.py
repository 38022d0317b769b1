"""What a model gets to see of a page: the part around the likely elements, without
noise, and the JSON in full."""

import json
import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import chain, zip_longest
from operator import attrgetter
from typing import Any

from lxml import etree
from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.condense import condense, take_out
from crawloop_assets.values.text import letters, word_set

_NOISE = word_set(
    "script style noscript template svg canvas iframe object embed link base track"
)
_TELLING = word_set(
    "id class href src srcset alt title content datetime value name role rel aria-label itemprop itemtype property"
)
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ATTRIBUTE_CHARS = 160
_TEXT_CHARS = 600
_FEWEST_LETTERS = 3
"""A shorter word is part of too many others."""
_LABEL_LETTERS = 40
"""A text with more letters is no label."""
WHOLE = 99
"""Levels that show the page in short, whatever is found."""
_MOST_HITS = 4
"""Elements kept per field: the likeliest place first, decoys are evidence too."""


class Sought(BaseModel):
    """A field whose place is looked for: words of its name and aliases, and values it
    is known to have had."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    words: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def sought_forms(sought: Sequence[Sought]) -> tuple[set[str], set[str]]:
    """The known values of all fields by their letters, and their names."""
    values = chain.from_iterable(map(attrgetter("values"), sought))
    names = chain.from_iterable((one.name, *one.words) for one in sought)
    return set(filter(None, map(letters, values))), set(
        filter(_is_long, map(letters, names))
    )


def trimmed(
    root: etree._Element, sought: Sequence[Sought], levels: int, chars: int
) -> tuple[str, bool]:
    """HTML around the likeliest elements of the fields, `levels` ancestors up, and
    whether anything was cut.

    With no field the whole page without its noise; with none found the page in short.
    """
    page = deepcopy(root)
    _drop_noise(page)
    ranked = [_likeliest(page, field) for field in sought]
    if not sought:
        text = _html(page)
        return text[:chars], len(text) > chars
    sure = {hit for field in sought for hit in _with_value(page, field)}
    condense(page, set(chain.from_iterable(ranked)), sure)
    left = set(page.iter())
    ranked = [list(filter(left.__contains__, hits)) for hits in ranked]
    if levels >= WHOLE or not any(ranked):
        text = _html(page)
        return text[:chars], len(text) > chars
    return _html_of_hits(page, ranked, levels, chars), True


def _html_of_hits(
    page: etree._Element,
    ranked: Sequence[list[etree._Element]],
    levels: int,
    chars: int,
) -> str:
    """HTML around the places of all fields, the likeliest of each field first.

    What was found is never cut for what is around it: the places themselves go first,
    as many as there is room for, and each is widened as long as there still is.
    """
    room = _Room(page, chars)
    hits: list[etree._Element] = []
    in_turns = chain.from_iterable(zip_longest(*ranked))
    for hit in dict.fromkeys(filter(_is_element, in_turns)):
        if room.holds([*hits, hit]):
            hits.append(hit)
    if not hits:
        first = next(filter(None, ranked))[0]
        return _html(first)[:chars]
    around: Sequence[etree._Element] = hits
    for level in range(1, levels + 1):
        around = _widened(hits, around, level, room)
    return "\n".join(map(_html, room.outermost(around)))


def _is_element(found: etree._Element | None) -> bool:
    """Whether a field has another place."""
    return found is not None


def _widened(
    hits: Sequence[etree._Element],
    around: Sequence[etree._Element],
    level: int,
    room: "_Room",
) -> Sequence[etree._Element]:
    """What is shown around each place, one level wider where there is room for it."""
    wider = [_ancestor(hit, level) for hit in hits]
    if room.holds(wider):
        return wider
    kept = list(around)
    for at, element in enumerate(wider):
        tried = [*kept[:at], element, *kept[at + 1 :]]
        if element is not kept[at] and room.holds(tried):
            kept = tried
    return kept


class _Room:
    """So many characters for parts of a page."""

    def __init__(self, page: etree._Element, chars: int):
        """Notes the order of the elements once."""
        self._order = {element: at for at, element in enumerate(page.iter())}
        self._sizes: dict[etree._Element, int] = {}
        self._chars = chars

    def holds(self, elements: Sequence[etree._Element]) -> bool:
        """Whether there is room for elements; those inside others take none."""
        outermost = self.outermost(elements)
        return sum(map(self._size, outermost)) + len(outermost) - 1 <= self._chars

    def outermost(self, elements: Iterable[etree._Element]) -> list[etree._Element]:
        """Without those inside others, in document order."""
        among = set(elements)
        outermost = [one for one in among if among.isdisjoint(one.iterancestors())]
        return sorted(outermost, key=self._order.__getitem__)

    def _size(self, element: etree._Element) -> int:
        """Characters of an element, which is written once to be counted."""
        if element not in self._sizes:
            self._sizes[element] = len(_html(element))
        return self._sizes[element]


def _html(element: etree._Element) -> str:
    """An element as HTML, without the text behind it."""
    return etree.tostring(element, method="html", encoding="unicode", with_tail=False)


def islands(
    roots: Iterable[tuple[str, Any]], chars: int
) -> tuple[tuple[str, str], ...]:
    """Named JSON of the page as text: statements about the page first, whole while they
    fit, then one is cut."""
    fitting: list[tuple[str, str]] = []
    for name, value in sorted(roots, key=lambda root: root[0].startswith("js:")):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:chars]
        if not text:
            break
        fitting.append((name, text))
        chars -= len(text)
    return tuple(fitting)


def _drop_noise(root: etree._Element) -> None:
    """Take out what says nothing of the page, and shorten what is too long."""
    for element in list(root.iter()):
        is_noise = element.tag in _NOISE and element is not root
        if is_noise or not isinstance(element.tag, str) or is_hidden(element):
            take_out(element)
    for element in root.iter():
        _shorten_attributes(element)
        element.text = _shortened(element.text)
        element.tail = _shortened(element.tail)


def is_hidden(element: etree._Element) -> bool:
    """Whether a reader cannot see an element, by what it says itself."""
    if "hidden" in element.attrib:
        return True
    return _HIDING.search(element.get("style") or "") is not None


def _shorten_attributes(element: etree._Element) -> None:
    """Take out attributes that say nothing of what an element holds, and cut long
    ones."""
    for name, value in element.items():
        is_picture = name == "style" and "url(" in value
        if name not in _TELLING and not name.startswith("data-") and not is_picture:
            del element.attrib[name]
        elif len(value) > _ATTRIBUTE_CHARS:
            element.set(name, f"{value[:_ATTRIBUTE_CHARS]}…")


def _shortened(text: str | None) -> str | None:
    """A text on one line, cut where it is long; None if there is none."""
    if text is None:
        return None
    words = " ".join(text.split())
    if not words:
        return None
    # Space around an element parts its words from those beside it.
    before, behind = (" " if one.isspace() else "" for one in (text[0], text[-1]))
    if len(words) <= _TEXT_CHARS:
        return f"{before}{words}{behind}"
    return f"{before}{words[:_TEXT_CHARS]}…"


def _likeliest(root: etree._Element, field: Sought) -> list[etree._Element]:
    """The elements that most likely hold a field, best first, in document order where
    they are equally likely."""
    values = list(filter(None, map(letters, field.values)))
    forms = map(letters, (field.name, *field.words))
    words = [word for word in forms if len(word) >= _FEWEST_LETTERS]
    scores = {element: _score(element, values, words) for element in root.iter()}
    likely = filter(scores.__getitem__, scores)
    return sorted(likely, key=scores.__getitem__, reverse=True)[:_MOST_HITS]


def _with_value(root: etree._Element, field: Sought) -> list[etree._Element]:
    """The likeliest elements of a field that hold a known value of it."""
    return _likeliest(root, field.model_copy(update={"name": "", "words": ()}))


def _score(
    element: etree._Element, values: Sequence[str], words: Sequence[str]
) -> float:
    """A known value weighs more than a field's words in names and labels; all are given
    by their letters."""
    text = letters(element.text or "")
    names = letters(" ".join(_names(element)))
    is_title = element.tag == "h1" and "title" in words
    is_label = len(text) < _LABEL_LETTERS and _has_any(text, words)
    has_value = text in values or _has_any(text, filter(_is_long, values))
    return 4.0 * has_value + 2.0 * _has_any(names, words) + is_label + 0.5 * is_title


def _names(element: etree._Element) -> list[str]:
    """What the attributes of an element say, but for where it leads."""
    return [
        value for name, value in element.attrib.items() if name not in ("href", "src")
    ]


def _is_long(value: str) -> bool:
    """True for a value that is found inside a text by no accident."""
    return len(value) > _FEWEST_LETTERS


def _has_any(text: str, parts: Iterable[str]) -> bool:
    """Whether one of the parts is in a text."""
    return any(map(text.__contains__, parts))


def _ancestor(element: etree._Element, levels: int) -> etree._Element:
    """What is so many levels above an element, but no more than a part of the body."""
    for _ in range(levels):
        parent = element.getparent()
        if parent is None or parent.tag in ("body", "html", "head"):
            break
        element = parent
    return element
