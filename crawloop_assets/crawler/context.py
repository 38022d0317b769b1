"""What stands around a number where it was read: a price beside "/ kg" is another price,
and a date beside "Departed:" another date.

Small enough to leave the worker with every value: a few words and a count. The drift
checks learn per version what it usually is.
"""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import compress
from typing import Any

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import ReaderTexts, Scope, select
from crawloop_assets.crawler.transforms import Op, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import join_path, parse_path
from crawloop_assets.values.dates import dates
from crawloop_assets.values.numbers import (
    DIGITS_FOR_MANY,
    NUMERAL_MARKS,
    parse_number,
    plainly,
)
from crawloop_assets.values.value import Value

_NUMERAL = re.compile(
    rf"\d++(?:[{NUMERAL_MARKS}'’\s{DIGITS_FOR_MANY}]++\d++)*+[{DIGITS_FOR_MANY}]*+"
)
_NEAR = 3
"""So many words before and after a number are its own."""

_OF_DAY = len("2026-11-26")
_LOOKED_AT = 64
"""Characters before and after a number in which they are looked for."""

_BESIDE = 80
"""A parent of more characters says nothing of the number in particular."""

_MOST_TEXTS = 24
"""Of an element that is looked at as a whole."""

_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MOST_NAMES = 12
_TELLING = (Op.AFTER, Op.REGEX)
"""Steps that leave nothing of a text without what they ask for."""
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,4})?")
_SPACE = re.compile(rf"[\d\s{NUMERAL_MARKS}'’]+")


class Context(BaseModel):
    """What stands around a number.

    `words`: the text right before and after it in its own element, "from", "/ kg",
    without digits; `beside`: the other words of the element around that one if they are
    few, in JSON the names of the other numbers of the same object; `places`: how many
    places the reader finds in its record; `hidden`: the page does not show it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: str = ""
    beside: str = ""
    places: int = 1
    hidden: bool = False


def context_of(
    reading: ReaderTexts, scope: Scope, value: Value, *, is_date: bool = False
) -> Context:
    """The context of a number, or of a date, that a reader has read in a scope."""
    reader, texts = reading
    if reader.src is Source.JSON:
        return _in_json(reader, scope)
    elements = select(scope, reader.at) if reader.src is Source.CSS else []
    if len(elements) == len(texts) > 1:
        # Of items that begin with a label it is the one with the label.
        held = _with_label(reader, texts)
        texts, elements = list(compress(texts, held)), list(compress(elements, held))
    words = next((_words(text, value, is_date) for text in texts), "")
    if reader.src is not Source.CSS:
        return Context(words=words, places=len(texts))
    return _around(elements, scope, words)


def _with_label(reader: Reader, texts: Sequence[str]) -> list[bool]:
    """Which of several texts have the label that a reader begins with, or the words that it
    asks for around its value; all of them where it begins with neither."""
    first = reader.pipe[:1]
    if not first or first[0].op not in _TELLING:
        return [True] * len(texts)
    return [bool(apply(first, [text])) for text in texts]


def _around(elements: Sequence[int], scope: Scope, words: str) -> Context:
    """The context of a value in the first of the elements that a selector leads to; the
    more there are, the less it says that this is the place of the value."""
    if not elements:
        return Context(words=words, places=0)
    return Context(
        words=words,
        beside=_beside(scope.document, elements[0]),
        places=len(elements),
        hidden=_is_hidden(scope.document, elements[0]),
    )


def _in_json(reader: Reader, scope: Scope) -> Context:
    """The names of the numbers of the object that has the value."""
    objects = scope.document.json_nodes(path_around(reader.at), scope.data)
    item = next((item for item in objects if isinstance(item, dict)), {})
    return Context(beside=" ".join(_names_of_numbers(item)))


@lru_cache(maxsize=1_024)
def path_around(path: str) -> str:
    """The path of the object that a path leads into."""
    root, segments = parse_path(path)
    return join_path(root, segments[:-1])


def _names_of_numbers(item: dict[str, Any]) -> list[str]:
    """The keys under which an object has a number, in their order; the first twelve."""
    names = [name for name, value in item.items() if _is_number(value)]
    return sorted(names)[:_MOST_NAMES]


def _is_number(value: object) -> bool:
    """Whether a value of JSON is a number, or written like one."""
    if isinstance(value, str):
        return _PLAIN.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _words(text: str, value: Value, is_date: bool) -> str:
    """What a text says right before and after its number or date."""
    start, end = span_of_date(text, value) if is_date else span_of(text, value)
    before = _bare(text[max(0, start - _LOOKED_AT) : start]).split()[-_NEAR:]
    after = _bare(text[end : end + _LOOKED_AT]).split()[:_NEAR]
    return " ".join([*before, "#", *after])


# Asked for once for the words around a number, and again for its currency and unit.
@lru_cache(maxsize=256)
def span_of(text: str, value: Value) -> tuple[int, int]:
    """Where a text has a number, in digits of any script; its first one if none has its
    digits, its end if it has none."""
    is_it = partial(_is_numeral_of, str(value))
    first: tuple[int, int] | None = None
    for match in _NUMERAL.finditer(text):
        if is_it(match[0]):
            return match.span()
        first = first or match.span()
    return first or (len(text), len(text))


def has_number(value: Value, text: str) -> bool:
    """Whether a text has a number, and not only others."""
    start, end = span_of(text, value)
    return _is_numeral_of(str(value), text[start:end])


def _is_numeral_of(number: str, numeral: str) -> bool:
    """Whether a text writes a number: by its digits, of which zeros at the end may be those
    of a thousand ("3.600"), or be said by one digit ("12.8万")."""
    digits, plain = _digits(number), plainly(numeral)
    every = "".join(filter(str.isdigit, plain))
    said = f"{parse_number(plain) or 0:f}"
    return digits in (every, _digits(said)) or _digits(plain).startswith(digits)


def span_of_date(text: str, value: Value) -> tuple[int, int]:
    """Where a text has a date; its first one if none is that, its end if it has none."""
    spans = {one.day.isoformat(): (one.start, one.end) for one in dates(text)}
    first = next(iter(spans.values()), (len(text), len(text)))
    return spans.get(str(value)[:_OF_DAY], first)


def _digits(number: str) -> str:
    """The digits of a number, without zeros that change nothing."""
    whole, _, decimals = number.partition(".")
    kept = decimals.rstrip("0") if decimals.isdigit() else decimals
    return "".join(filter(str.isdigit, whole + kept)).lstrip("0")


# What stands beside a price is the same on page after page.
@lru_cache(maxsize=1_024)
def _bare(text: str) -> str:
    """Words and signs without digits, in small letters."""
    return _SPACE.sub(" ", text).strip().casefold()


def _beside(document: Document, number: int) -> str:
    """The words of the element around an element, without its own."""
    parent = document.parent[number]
    if parent < 0 or _has_many_texts(document, parent):
        return ""
    around = document.text(parent)
    if len(around) > _BESIDE:
        return ""
    return _bare(around.replace(document.text(number), " # ", 1))


def _has_many_texts(document: Document, number: int) -> bool:
    """Whether an element is surely too long: its text need not be put together."""
    return document.last_piece[number] - document.first_piece[number] > _MOST_TEXTS


def _is_hidden(document: Document, number: int) -> bool:
    """Whether an element, or one around it, says that it is not shown."""
    while number >= 0:
        get = document.elements[number].get
        style = get("style")
        if get("hidden") is not None or (style and _HIDDEN.search(style)):
            return True
        number = document.parent[number]
    return False
