"""The page as a model is shown it: what a reader sees, line by line, with little around
it.

Wrappers, scripts, styles and what is hidden are left out. Titles, what the head says of
the page, pictures in every form and dates in attributes are kept, since values stand
there. Where that is too long, lines lose their markup before any line goes, the least
telling first: what a family's pages have alike (navigation, foot), then what is far
from all that is looked for.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from operator import attrgetter

from lxml import etree

from crawloop_assets.document.hidden import Hidden
from crawloop_assets.document.trim import Sought, sought_forms
from crawloop_assets.values.model_tokens import model_tokens
from crawloop_assets.values.text import letters, word_set

_NOISE = word_set(
    "script style noscript template svg canvas iframe object embed base track"
)
_INLINE = word_set(
    "a abbr acronym b bdi bdo big cite code data dfn em font i img ins kbd label mark picture q samp small source "
    "span strong sub sup time tt u var wbr s strike del"
)
_NAMED = word_set(
    "a img source time data s strike del h1 h2 h3 h4 h5 h6 li dt dd td th caption option title video"
)
"""Tags that say what their text is; of others only the text is shown."""
_MEANT = word_set("time data s strike del h1 h2 h3 title")
"""Tags that are shown also where there is little room."""
_EMPTY = word_set("img source meta link")
_URLS = word_set("href src srcset data-src data-srcset data-original poster background")
_KEPT = _URLS | word_set(
    "alt title content datetime value itemprop aria-label data-price data-value data-date data-time"
)
_PROPERTIES = word_set("image_src canonical")
"""Links of the head that say something of the page."""
_SAYING = word_set("alt title aria-label")
"""Attributes that mostly say again what the text says."""
_BOILER_TAGS = word_set("nav footer")
_BOILER_ROLES = word_set("navigation contentinfo search")
_HEAD_NOISE = word_set(
    "viewport generator robots theme-color referrer format-detection google-site-verification msvalidate.01 charset "
    "csrf-token csrf-param apple-mobile-web-app-capable fb:app_id fb:pages"
)
_URL = re.compile(r"url\(\s*['\"]?([^'\"()\s][^'\"()]*)")
_WORD_CLASS = re.compile(r"[A-Za-z][A-Za-z_-]{2,23}$")
_HEAD = ("<h1", "<title", "<meta", "<link")
_LINK = re.compile(r"(?:<li>)?<a\b")
_ATTRIBUTE_CHARS = 600
_NEAR = 40
"""Lines around one that is looked for that are shown with it."""
_LABEL = 40
_TEXT = 60
"""Letters from which on a line is a sentence."""
_CUT = "[…]"
_MARKED = 4
"""One part in so many of the room is for the markup of the most telling lines."""
_CHARS_PER_TOKEN = 4
_MOST_DIGITS = 5
"""Of the number a list starts with."""


@dataclass(frozen=True)
class _Line:
    """A line with all that is shown of it, with little of its markup, and whether it is
    of navigation or foot."""

    full: str
    lean: str
    boiler: bool


@dataclass
class _Lines:
    """The lines that are made. `links`: whether addresses are shown."""

    hidden: Hidden
    links: bool
    done: list[_Line] = field(default_factory=list)
    _items: dict[etree._Element, int] = field(default_factory=dict)
    _full: list[str] = field(default_factory=list)
    _lean: list[str] = field(default_factory=list)

    def add(self, full: str | None, lean: str | None) -> None:
        """More of the line that is being made."""
        self._full.append(full or "")
        self._lean.append(lean or "")

    def end(self, *, boiler: bool) -> None:
        """The line ends; one without text is none."""
        full, lean = (
            " ".join("".join(parts).split()) for parts in (self._full, self._lean)
        )
        self._full.clear()
        self._lean.clear()
        if full:
            self.done.append(_Line(full, lean, boiler))

    def number(self, element: etree._Element) -> str:
        """What stands before an item of an ordered list, "" before anything else."""
        holder = element.getparent()
        if element.tag != "li" or holder is None or holder.tag != "ol":
            return ""
        first = holder.get("start") or ""
        is_number = first.isascii() and first.isdigit() and len(first) <= _MOST_DIGITS
        place = self._items.get(holder, int(first) if is_number else 1)
        self._items[holder] = place + 1
        return f"{place}. "

    def left_out(self, element: etree._Element) -> bool:
        """Whether nothing of an element is shown."""
        return element.tag in _NOISE or self.hidden.hides(element)


def shown_page(
    root: etree._Element,
    sought: Sequence[Sought],
    chars: int,
    *,
    most_chars: int = 0,
    links: bool = True,
    others: Sequence[etree._Element] = (),
) -> tuple[str, bool]:
    """The lines of a page in at most so many characters of plain English (see `_size`),
    and whether any was left out or lost something.

    Where there is more to read, text goes on to `most_chars`. Without `links` no
    address is shown, for records that have none. `others` are other pages of the
    family: what they say too goes first where there is too little room.
    """
    lines = _lines(root, links=links)
    if sum(map(_size, map(attrgetter("full"), lines))) <= chars:
        return "\n".join(map(attrgetter("full"), lines)), False
    common = _common(lines, others)
    shown = _Room(lines, chars)
    shown.fill(_order(lines, sought, common), max(chars, most_chars))
    is_cut = any(
        line.full != text for line, text in zip(lines, shown.texts, strict=True)
    )
    return "\n".join(_with_gaps(lines, shown.texts)), is_cut


def _common(
    lines: Sequence[_Line], others: Sequence[etree._Element]
) -> Collection[str]:
    """What other pages say, too. One that says nearly the same as this one is no other
    page but the same in another version, and is not counted."""
    found: set[str] = set()
    own = {line.lean for line in lines if _is_sentence(line)}
    for other in others:
        theirs = {line.lean for line in _lines(other, links=False)}
        if len(own & theirs) <= len(own) / 2:
            found |= theirs
    return found


class _Room:
    """What is shown of each line where there is no room for all, "" for nothing."""

    def __init__(self, lines: Sequence[_Line], chars: int):
        """Nothing is shown yet."""
        self.texts = [""] * len(lines)
        self._lines = lines
        self._chars = chars
        self._taken = 0

    def fill(self, order: Sequence[int], most: int) -> None:
        """Show the most telling lines in full, as many others as fit with little markup,
        more of it where room is left, and other text of this page beyond."""
        for number in order:
            self._show(number, self._lines[number].full, self._chars // _MARKED)
        for number in order:
            if not self.texts[number]:
                self._show(number, self._lines[number].lean, self._chars)
        for number in order:
            self._show(number, self._lines[number].full, self._chars)
        for number in order:
            if not self.texts[number] and _is_plain(self._lines[number]):
                self._show(number, self._lines[number].lean, most)

    def _show(self, number: int, text: str, most: int) -> None:
        """Show a line this way, if then no more than `most` is taken."""
        taken = self._taken + _size(text) - _size(self.texts[number])
        if taken <= most:
            self.texts[number] = text
            self._taken = taken


def _lines(root: etree._Element, *, links: bool) -> list[_Line]:
    """All lines of a page, in order. Without recursion: pages nest as deep as they
    like."""
    lines, depth = _Lines(Hidden(root), links), 0
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event in ("comment", "pi"):
            lines.add(element.tail, element.tail)
        elif event == "end":
            depth -= _close(lines, element, depth)
        elif lines.left_out(element):
            walk.skip_subtree()
        else:
            depth += _open(lines, element, depth)
    lines.end(boiler=False)
    return lines.done


def _open(lines: _Lines, element: etree._Element, depth: int) -> int:
    """The start of an element; 1 if it is navigation or foot."""
    if element.tag not in _INLINE:
        lines.end(boiler=depth > 0)
    lines.add(*_opened(element, links=lines.links))
    number = lines.number(element)
    lines.add(number, number)
    lines.add(element.text, element.text)
    return _is_boiler(element)


def _close(lines: _Lines, element: etree._Element, depth: int) -> int:
    """The end of an element: its line, and what stands behind it; 1 if it was
    navigation or foot."""
    is_out = lines.left_out(element)
    if not is_out and element.tag not in _EMPTY:
        opened = _opened(element, links=lines.links)
        end = f"</{element.tag!s}>"
        lines.add(*(end if one else "" for one in opened))
    if element.tag not in _INLINE:
        lines.end(boiler=depth > 0)
    lines.add(element.tail, element.tail)
    return _is_boiler(element) and not is_out


def _is_boiler(element: etree._Element) -> bool:
    """Whether an element says of itself that it is the same on every page."""
    return element.tag in _BOILER_TAGS or element.get("role") in _BOILER_ROLES


def _opened(element: etree._Element, *, links: bool) -> tuple[str, str]:
    """The start of an element, and the same with little markup; "" where it says
    nothing."""
    if element.tag in ("meta", "link"):
        return (_meta(element, links=links),) * 2
    said = _attributes(element, links=links)
    full = "".join(said.values())
    if (said or not len(element)) and (words := _classes(element)):
        full = f' class="{words}"{full}'
    is_named = element.tag in _NAMED and (links or element.tag != "a")
    if not full and not is_named:
        return "", ""
    return f"<{element.tag!s}{full}>", _lean(element, said)


def _lean(element: etree._Element, said: dict[str, str]) -> str:
    """The start of an element without addresses, "" where no more than its text is
    meant."""
    if element.tag not in _MEANT and said.keys() <= _URLS | _SAYING:
        return ""
    return f"<{element.tag!s}{''.join(_without_urls(said).values())}>"


def _background(style: str) -> str:
    """The address of the picture behind an element; "" if it has none."""
    for part in style.split(";"):
        if "background" in part and (found := _URL.search(part)):
            return str(found[1])
    return ""


def _attributes(element: etree._Element, *, links: bool) -> dict[str, str]:
    """The attributes in which values stand, as they are written, by name."""
    values = {name: str(value) for name, value in element.items() if name in _KEPT}
    if picture := _background(str(element.get("style") or "")):
        values["background"] = picture
    if not links:
        values = _without_urls(values)
    return {
        name: f' {name}="{value[:_ATTRIBUTE_CHARS]}"'
        for name, value in values.items()
        if _is_telling(value)
    }


def _without_urls(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes that are no addresses."""
    return {name: said for name, said in attributes.items() if name not in _URLS}


def _is_telling(value: str) -> bool:
    """Whether an attribute says something that is not the data of a picture."""
    return bool(value.strip()) and not value.startswith("data:")


def _classes(element: etree._Element) -> str:
    """At most two classes that are words."""
    words = filter(_WORD_CLASS.match, (element.get("class") or "").split())
    return " ".join(list(words)[:2])


def _meta(element: etree._Element, *, links: bool) -> str:
    """What the head says of the page, on a line of its own."""
    if element.tag == "link":
        name, content = element.get("rel") or "", element.get("href")
        is_said = links and name in _PROPERTIES
    else:
        names = map(element.get, ("property", "name", "itemprop"))
        name = next(filter(None, names), "")
        content = element.get("content") or element.get("value")
        is_said = bool(name) and name.lower() not in _HEAD_NOISE
    if not is_said or not content:
        return ""
    return f'<{element.tag!s} {name}="{content[:_ATTRIBUTE_CHARS]}"> '


def _order(
    lines: Sequence[_Line], sought: Sequence[Sought], common: Collection[str]
) -> list[int]:
    """The numbers of the lines, the most telling first."""
    values, words = sought_forms(sought)
    scores = [_score(line.full, values, words) for line in lines]
    near = [0.0] * len(scores)
    for number, score in enumerate(scores):
        for at in range(max(0, number - 1), min(len(near), number + _NEAR)):
            near[at] = max(near[at], score / 2)
    weights = [
        max(score, beside) + _plainness(line) - 3 * (line.boiler or line.lean in common)
        for score, beside, line in zip(scores, near, lines, strict=True)
    ]
    return sorted(range(len(weights)), key=weights.__getitem__, reverse=True)


def _plainness(line: _Line) -> float:
    """What is text is shown rather than what leads elsewhere."""
    if _is_sentence(line):
        return 1.0
    return -1.5 if _LINK.match(line.full) else 0.5


def _is_plain(line: _Line) -> bool:
    """Whether a line is text of the page itself that leads nowhere."""
    return not line.boiler and _plainness(line) > 0


def _is_sentence(line: _Line) -> bool:
    """Whether a line is long enough for one."""
    return len(letters(line.lean)) >= _TEXT


def _score(text: str, values: set[str], words: set[str]) -> float:
    """How likely a line holds something that is looked for: a known value, a heading, a
    field's name as a label or a name in an attribute."""
    form = letters(text)
    has_value = any(map(form.__contains__, values))
    is_head = text.startswith(_HEAD)
    is_named = any(map(form.__contains__, words)) * (1.0 if len(form) > _LABEL else 2.0)
    return 4.0 * has_value + 3.0 * is_head + is_named


def _with_gaps(lines: Sequence[_Line], texts: Sequence[str]) -> Iterator[str]:
    """What is shown in order, with a mark where lines with text are left out."""
    is_gap = False
    for line, text in zip(lines, texts, strict=True):
        if text and is_gap:
            yield _CUT
        if text:
            yield text
        is_gap = not text and (is_gap or bool(line.lean))
    yield from repeat(_CUT, is_gap)


@lru_cache(maxsize=32_768)
def _size(text: str) -> int:
    """What a line takes, in characters of plain English: four for each token of a
    model, so that signs, digits and other scripts count for more."""
    return _CHARS_PER_TOKEN * (model_tokens(text) + 1) if text else 0
