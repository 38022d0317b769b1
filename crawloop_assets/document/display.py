"""A page as a person may look at it: its texts and its order, and nothing that runs,
leads anywhere or asks for anything.

It is written anew from the parsed tree, by a list of what may be in it: elements of
other names become plain ones, attributes of other names are left out, all text is
escaped. No style of the page is kept, so that nothing that was read is hidden.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from html import escape
from itertools import filterfalse

from lxml import etree
from pydantic import BaseModel, ConfigDict

from crawloop_assets.document.document import Document
from crawloop_assets.values.text import word_set

FIRST_MARK = "crawloop-read"
"""The id of the element that is scrolled to."""
_KEPT = word_set(
    "p div span section article header footer main nav aside h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody "
    "tfoot tr td th caption b strong i em u s small sub sup del ins mark code pre blockquote figure figcaption br hr "
    "wbr abbr cite q time address label"
)
_BLOCKS = word_set("body form fieldset center noscript menu dir details summary option")
"""Elements that become a `div`; whatever else is not kept becomes a `span`."""
_TAGS = dict.fromkeys(_BLOCKS, "div") | {name: name for name in _KEPT}
_WITHOUT_TEXT = word_set("script style head template title meta link base")
_VOID = word_set("br hr wbr")
_ATTRIBUTES = word_set("colspan rowspan dir lang")
_TELLING = word_set("img input iframe source embed object")
_STATED = ("alt", "content", "value", "datetime", "title", "src", "href")
"""What is said of an element that shows nothing itself."""
_MOST_ELEMENTS = 12_000
_MOST_WRITTEN = 1_500_000
"""Characters of a page that are written; what follows is left out."""
_MOST_CHARS = 400
_PLAIN = 40


class MarkRole(StrEnum):
    """What a marked element is to the value."""

    READ = "read"
    ALSO = "also"
    AGAINST = "against"


class Mark(BaseModel):
    """An element that was read (None: what is stated is in no element that is shown),
    as what, and what is said of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    element: int | None
    role: MarkRole
    says: str
    text: str = ""


def displayed(document: Document, marks: Sequence[Mark]) -> str:
    """The body of a page with its marks, the first of the strongest with the id
    `FIRST_MARK`; elements without a place on the page stand above it."""
    placed = _placed(document, sorted(marks, key=_strength))
    above = list(filterfalse(_has_place, placed))
    shown = {mark.element: mark for mark in reversed(placed) if _has_place(mark)}
    first = min(placed, key=_order, default=None)
    boxes = "".join(_box(mark, mark is first) for mark in above)
    if document.is_json:
        body = json.dumps(document.roots["body"][0], ensure_ascii=False, indent=1)
        return f"{boxes}<pre>{_text(body[:_MOST_WRITTEN])}</pre>"
    return boxes + "".join(_as_far(_Writer(document, shown, first).parts()))


def _as_far(parts: Iterable[str]) -> Iterator[str]:
    """So much of a page as is written."""
    left = _MOST_WRITTEN
    for part in parts:
        left -= len(part)
        if left < 0:
            return
        yield part


def _strength(mark: Mark) -> int:
    """The marks of what was read come first."""
    return list(MarkRole).index(mark.role)


def _order(mark: Mark) -> tuple[int, bool]:
    """The mark that is scrolled to is the least: one on the page before one above."""
    return _strength(mark), mark.element is None


def _has_place(mark: Mark) -> bool:
    """Whether a mark is of an element that is shown."""
    return mark.element is not None


def _placed(document: Document, marks: Sequence[Mark]) -> list[Mark]:
    """The strongest mark of each element; those that nobody sees, whatever the page
    looks like, without their element and with its source instead."""
    seen: set[int] = set()
    placed: list[Mark] = []
    for mark in marks:
        number = mark.element
        if number is None:
            placed.append(mark)
        elif number not in seen:
            seen.add(number)
            placed.append(_above(document, mark, number))
    return placed


def _above(document: Document, mark: Mark, number: int) -> Mark:
    """A mark as it is; of an element that nobody sees one above the page."""
    around = map(document.tags.__getitem__, (number, *document.ancestors(number)))
    if _WITHOUT_TEXT.isdisjoint(around):
        return mark
    element = document.elements[number]
    source = etree.tostring(element, encoding="unicode", with_tail=False)
    return mark.model_copy(update={"element": None, "text": source[:_MOST_CHARS]})


def _box(mark: Mark, is_first: bool) -> str:
    """What stands above the page for a mark that has no place on it."""
    return f"<div{_of_mark(mark, is_first)}><code>{escape(mark.text)}</code></div>"


def _of_mark(mark: Mark, is_first: bool) -> str:
    """The attributes of a marked element."""
    name = f' id="{FIRST_MARK}"' if is_first else ""
    return f'{name} class="{mark.role.value}" data-says="{escape(mark.says[:_MOST_CHARS])}"'


class _Writer:
    """Writes the markup of a page, or of the part around its first mark if it is very
    large."""

    def __init__(
        self, document: Document, marks: Mapping[int | None, Mark], first: Mark | None
    ):
        """Nothing is written yet."""
        self._document, self._marks, self._first = document, marks, first
        self._skipped = 0

    def parts(self) -> Iterator[str]:
        """The markup, element by element; none of a page without elements."""
        if not self._document.elements:
            return
        top = self._document.elements[self._top()]
        for event, element in etree.iterwalk(top, events=("start", "end", "comment")):
            yield self._part(event, element)
            if event != "start" and not self._skipped and element is not top:
                yield _text(element.tail)

    def _top(self) -> int:
        """The largest element around the first mark that can be shown whole."""
        document, first = self._document, self._first
        if first is None or first.element is None:
            return 0
        top = first.element
        for number in document.ancestors(top):
            if document.end[number] - number > _MOST_ELEMENTS:
                break
            top = number
        return top

    def _part(self, event: str, element: etree._Element) -> str:
        """The start of an element, or its end; what has no text is left out with all
        that is in it."""
        name = _name(element)
        if event == "start":
            return self._start(element, name)
        if event == "comment":
            return ""
        if self._skipped:
            self._skipped -= 1
            return ""
        return _closing(name)

    def _start(self, element: etree._Element, name: str) -> str:
        """The start of an element with its text."""
        if self._skipped or name in _WITHOUT_TEXT:
            self._skipped += 1
            return ""
        mark = self._marks.get(self._document.number.get(element, -1))
        marked = "" if mark is None else _of_mark(mark, mark is self._first)
        return _opening(element, name, marked)


def _name(element: etree._Element) -> str:
    """The tag of an element; "" for what is none."""
    return element.tag if isinstance(element.tag, str) else ""


def _shown_as(name: str) -> str:
    """The tag that an element is written with."""
    return _TAGS.get(name, "span")


def _opening(element: etree._Element, name: str, marked: str) -> str:
    """The start of an element, with what it says if it shows nothing, and its text."""
    kept = filter(element.attrib.__contains__, sorted(_ATTRIBUTES))
    attributes = "".join(
        f' {key}="{escape(element.attrib[key][:_PLAIN])}"' for key in kept
    )
    start = f"<{_shown_as(name)}{attributes}{marked}{_stated(element, name)}>"
    return start + _text(element.text)


def _stated(element: etree._Element, name: str) -> str:
    """A picture or a field of a form in words, which are no text of the page."""
    if name not in _TELLING:
        return ""
    said = next(filter(None, map(element.get, _STATED)), "")
    return f' data-shows="{escape(f"[{name}: {said[:_MOST_CHARS]}]")}"'


def _closing(name: str) -> str:
    """The end of an element; some have none."""
    return "" if name in _VOID else f"</{_shown_as(name)}>"


def _text(text: str | None) -> str:
    """Text, of which nothing is markup."""
    return escape(text or "", quote=False)
