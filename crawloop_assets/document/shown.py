"""The page as a model is shown it: what a reader sees, line by line, with little around
it.

Wrappers, scripts, styles and what is hidden are left out. Titles, what the head says of
the page, pictures in every form and dates in attributes are kept, since values stand
there. Where the page is still too long, what a family's pages have alike (navigation,
foot) goes first, then what is far from all that is looked for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from crawloop_assets.document.trim import Sought, is_hidden, sought_forms
from crawloop_assets.values.text import letters, word_set

_NOISE = word_set(
    "script style noscript template svg canvas iframe object embed base track link"
)
_INLINE = word_set(
    "a abbr acronym b bdi bdo big cite code data dfn em font i img ins kbd label mark picture q samp small source "
    "span strong sub sup time tt u var wbr s strike del"
)
_NAMED = word_set(
    "a img source time data s strike del h1 h2 h3 h4 h5 h6 li dt dd td th caption option title video"
)
"""Tags that say what their text is; of others only the text is shown."""
_KEPT = word_set(
    "href src srcset data-src data-srcset data-original poster alt title content datetime value itemprop aria-label "
    "data-price data-value data-date data-time"
)
_BOILER_TAGS = word_set("nav footer")
_BOILER_ROLES = word_set("navigation contentinfo search")
_HEAD_NOISE = word_set(
    "viewport generator robots theme-color referrer format-detection google-site-verification msvalidate.01 charset "
    "csrf-token csrf-param apple-mobile-web-app-capable fb:app_id fb:pages"
)
_URL = re.compile(r"url\(\s*['\"]?([^'\"()\s][^'\"()]*)")
_WORD_CLASS = re.compile(r"[A-Za-z][A-Za-z_-]{2,23}$")
_ATTRIBUTE_CHARS = 600
_NEAR = 40
"""Lines around one that is looked for that are shown with it."""
_LABEL = 40
_CUT = "[…]"


@dataclass
class _Lines:
    """The lines that are made, and whether each is of navigation or foot."""

    texts: list[str] = field(default_factory=list)
    boiler: list[bool] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def add(self, text: str | None) -> None:
        """More of the line that is being made."""
        if text:
            self.open.append(text)

    def end(self, *, boiler: bool) -> None:
        """The line ends; one without text is none."""
        text = " ".join("".join(self.open).split())
        self.open.clear()
        if text:
            self.texts.append(text)
            self.boiler.append(boiler)


def shown_page(
    root: etree._Element, sought: Sequence[Sought], chars: int
) -> tuple[str, bool]:
    """The lines of a page in at most so many characters, and whether any was left
    out."""
    lines = _lines(root)
    if _size(lines.texts) <= chars:
        return "\n".join(lines.texts), False
    order = _order(lines, sought)
    kept: set[int] = set()
    for number in order:
        chars -= len(lines.texts[number]) + 1
        if chars < 0:
            break
        kept.add(number)
    return "\n".join(_with_gaps(lines.texts, kept)), True


def _lines(root: etree._Element) -> _Lines:
    """All lines of a page, in order. Without recursion: pages nest as deep as they
    like."""
    lines, depth = _Lines(), 0
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event in ("comment", "pi"):
            lines.add(element.tail)
        elif event == "end":
            depth -= _close(lines, element, depth)
        elif _is_left_out(element):
            walk.skip_subtree()
        else:
            depth += _open(lines, element, depth)
    lines.end(boiler=False)
    return lines


def _open(lines: _Lines, element: etree._Element, depth: int) -> int:
    """The start of an element; 1 if it is navigation or foot."""
    if element.tag not in _INLINE:
        lines.end(boiler=depth > 0)
    lines.add(_opened(element))
    lines.add(element.text)
    return _is_boiler(element)


def _close(lines: _Lines, element: etree._Element, depth: int) -> int:
    """The end of an element: its line, and what stands behind it; 1 if it was
    navigation or foot."""
    is_out = _is_left_out(element)
    if not is_out and _tag(element) and element.tag not in ("img", "source", "meta"):
        lines.add(f"</{element.tag!s}>")
    if element.tag not in _INLINE:
        lines.end(boiler=depth > 0)
    lines.add(element.tail)
    return _is_boiler(element) and not is_out


def _is_left_out(element: etree._Element) -> bool:
    """Whether nothing of an element is shown."""
    return element.tag in _NOISE or is_hidden(element)


def _is_boiler(element: etree._Element) -> bool:
    """Whether an element says of itself that it is the same on every page."""
    return element.tag in _BOILER_TAGS or element.get("role") in _BOILER_ROLES


def _tag(element: etree._Element) -> bool:
    """Whether the tag itself is shown."""
    return element.tag in _NAMED or bool(_attributes(element))


def _opened(element: etree._Element) -> str:
    """The start of an element, "" where it says nothing."""
    if element.tag == "meta":
        return _meta(element)
    if not _tag(element):
        return ""
    return f"<{element.tag!s}{_attributes(element)}>"


def _background(style: str) -> str:
    """The address of the picture behind an element; "" if it has none."""
    for part in style.split(";"):
        if "background" in part and (found := _URL.search(part)):
            return str(found[1])
    return ""


def _attributes(element: etree._Element) -> str:
    """The attributes in which values stand, and two words of its classes."""
    said = [
        f' {name}="{value[:_ATTRIBUTE_CHARS]}"'
        for name, value in element.items()
        if name in _KEPT and value.strip() and not value.startswith("data:")
    ]
    if picture := _background(str(element.get("style") or "")):
        said.append(f' background="{picture}"')
    if (said or not len(element)) and (words := _classes(element)):
        said.insert(0, f' class="{words}"')
    return "".join(said)


def _classes(element: etree._Element) -> str:
    """At most two classes that are words."""
    words = filter(_WORD_CLASS.match, (element.get("class") or "").split())
    return " ".join(list(words)[:2])


def _meta(element: etree._Element) -> str:
    """What the head says of the page, on a line of its own."""
    names = (element.get(name) for name in ("property", "name", "itemprop"))
    name, content = next(filter(None, names), ""), element.get("content") or ""
    if not name or not content or name.lower() in _HEAD_NOISE:
        return ""
    return f'<meta {name}="{content[:_ATTRIBUTE_CHARS]}"> '


def _order(lines: _Lines, sought: Sequence[Sought]) -> list[int]:
    """The numbers of the lines, the most telling first."""
    values, words = sought_forms(sought)
    scores = [_score(text, values, words) for text in lines.texts]
    near = [0.0] * len(scores)
    for number, score in enumerate(scores):
        for at in range(max(0, number - 1), min(len(near), number + _NEAR)):
            near[at] = max(near[at], score / 2)
    weights = [
        max(score, beside) + _plainness(text) - 3 * is_boiler
        for score, beside, text, is_boiler in zip(
            scores, near, lines.texts, lines.boiler, strict=True
        )
    ]
    return sorted(range(len(weights)), key=weights.__getitem__, reverse=True)


def _plainness(text: str) -> float:
    """What is text is shown rather than what leads elsewhere."""
    return -1.5 if text.startswith(("<a ", "<li><a ")) else 0.5


def _score(text: str, values: set[str], words: set[str]) -> float:
    """How likely a line holds something that is looked for: a known value, a heading, a
    field's name as a label or a name in an attribute."""
    form = letters(text)
    has_value = any(map(form.__contains__, values))
    is_head = text.startswith(("<h1", "<title", "<meta"))
    is_named = any(map(form.__contains__, words)) * (1.0 if len(form) > _LABEL else 2.0)
    return 4.0 * has_value + 3.0 * is_head + is_named


def _with_gaps(texts: Sequence[str], kept: set[int]) -> Iterator[str]:
    """The kept lines in order, with a mark where some are left out."""
    last = -1
    for number in sorted(kept):
        if number != last + 1:
            yield _CUT
        yield texts[number]
        last = number


def _size(texts: Sequence[str]) -> int:
    """Characters of lines."""
    return sum(map(len, texts)) + len(texts)
