"""Forms: how the values that stand on a page are looked up.

A page has a thousand short texts. They are brought into form together, not one by one, and what pages repeat (menus,
dates, stars) is remembered.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import filterfalse

from crawloop_assets.crawler.document import Document, clean_markup
from crawloop_assets.crawler.numbers import numbers
from crawloop_assets.crawler.text import letters, letters_of_each

_UNREAD = frozenset(
    ("class", "id", "style", "href", "src", "srcset", "sizes", "width", "height", "d", "target", "rel", "for")
)
_SHORT, _LONGEST = 300, 3_000
_FEW_PIECES = 12
_NEAR = 60
_NET = re.compile(
    r"\b(?:excl?\b|exkl|(?:without|before|plus|hors|ohne|zzgl|sans|sin|bez|uden|utan)\b.{0,12}"
    r"\b(?:tax|vat|gst|taxe|taxes|mwst|ust|iva|tva|dph|moms)|net(?:to)?\b|\bht\b|\+ ?(?:vat|gst|tax))",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"[1-9]\d{0,2}(?:\.\d{1,2})?")


def text_form(text: str) -> str:
    """How a text is looked up with `PageFacts.holds`."""
    return letters(text)


def number_form(number: object) -> str:
    """How a number is looked up."""
    text = str(number)
    return "#" + (text.rstrip("0").rstrip(".") if "." in text else text)


def net_form(number: object) -> str:
    """How a number next to words like "excl. tax" is looked up."""
    return "net" + number_form(number)


def page_forms(document: Document) -> set[str]:
    """Forms of every short text of a page: its text nodes, small elements, attributes and JSON leaves."""
    pieces = document.columns
    texts = list(filterfalse(str.isspace, pieces.texts))  # gaps are space
    shown = set(texts)
    small = {
        "".join(pieces.texts[first:last])
        for first, last in zip(pieces.first, pieces.last, strict=True)
        if 1 < last - first <= _FEW_PIECES
    }
    shown.update([value for attributes in document.attributes for name, value in attributes if name not in _UNREAD])
    for values in document.leaves.values():
        shown.update(values)
    return value_forms(shown).union(_small_forms(small), _net_forms(texts))


def _small_forms(texts: set[str]) -> set[str]:
    """The forms of texts of several nodes as they read on one line. Only for the few with a number in them does it
    matter how much space is between."""
    plain = [text for text in texts if text.isascii() and len(text) <= _LONGEST]
    found = letters_of_each(plain)
    numbered = [text for text, form in zip(plain, found, strict=True) if form and not form.isalpha()]
    forms = value_forms(map(clean_markup, texts - set(plain)))
    forms.update(found, *_numbers_in(" ".join(text.split()) for text in numbered))
    forms.discard("")
    return forms


def value_forms(texts: Iterable[str]) -> set[str]:
    """The text form of each text that is not too long, and the numbers in each that is short."""
    unlike = set(texts)
    plain = [text for text in unlike if text.isascii() and len(text) <= _LONGEST]
    found = letters_of_each(plain)
    # What has letters only has no number in it, and that is most of what a page says.
    numbered = [text for text, form in zip(plain, found, strict=True) if form and not form.isalpha()]
    other = [text for text in unlike if not text.isascii()]
    found += letters_of_each([text for text in other if len(text) <= _LONGEST])
    numbered += filter(_DIGIT.search, other)
    forms = set(found)
    forms.update(*_numbers_in(numbered))
    forms.discard("")
    return forms


def _numbers_in(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    return (_value_numbers(text) for text in texts if len(text) <= _SHORT)


def _value_numbers(text: str) -> tuple[str, ...]:
    return (number_form(text),) if _PLAIN.fullmatch(text) else _numbers(text)


@lru_cache(maxsize=16_384)
def _numbers(text: str) -> tuple[str, ...]:
    return tuple(number_form(found.value) for found in numbers(text))


def _net_forms(texts: Sequence[str]) -> Iterator[str]:
    """The numbers that have words like "excl. tax" beside them, in the same text or in the one before or after."""
    for at, text in enumerate(texts):
        if len(text) > _SHORT or not _DIGIT.search(text):
            continue
        before, after = texts[at - 1] if at else "", texts[at + 1] if at + 1 < len(texts) else ""
        if _is_net(text) or _is_net(before[-_NEAR:]) or _is_net(after[:_NEAR]):
            yield from (f"net{form}" for form in _numbers(text))


@lru_cache(maxsize=16_384)
def _is_net(text: str) -> bool:
    if text.isascii():
        small = text.lower()
        if not any(word in small for word in _NET_WORDS):
            return False
    return _NET.search(text) is not None


_NET_WORDS = ("net", "ht", "exc", "exk", "tax", "vat", "gst", "mwst", "ust", "iva", "tva", "dph", "moms")
"""One of these is in whatever `_NET` finds, and asking for them costs a fifth."""
