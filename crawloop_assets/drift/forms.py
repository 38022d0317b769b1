"""Forms in which values are looked up on a page, and the forms that a text of a page
holds: "copper kettle" -> "copperkettle", "12.50" -> "#12.5"."""

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from crawloop_assets.document.crossed_out import CROSSING_OUT
from crawloop_assets.document.price_names import (
    is_before,
    words_of_name,
    words_of_path,
)
from crawloop_assets.values.numbers import numbers, plain
from crawloop_assets.values.short_texts import remembered
from crawloop_assets.values.text import letters

UNREAD = frozenset(
    (
        "class",
        "id",
        "style",
        "href",
        "src",
        "srcset",
        "sizes",
        "width",
        "height",
        "d",
        "target",
        "rel",
        "for",
    )
)
"""Attributes that say nothing to a reader."""

LONGEST = 3_000
"""Whole texts are compared up to so many letters."""

_SHORT = 300
"""Numbers are read in texts of at most so many characters."""

FEW_PIECES = 12
"""An element of so many text nodes and gaps is also read as one text."""

NEAR = 60
"""So many characters from its end, or its beginning, a text may say that the number
next to it is net."""

_NET = re.compile(
    r"\b(?:excl?\b|exkl|(?:without|before|plus|hors|ohne|zzgl|sans|sin|bez|uden|utan)\b.{0,12}"
    r"\b(?:tax|vat|gst|taxe|taxes|mwst|ust|iva|tva|dph|moms)|net(?:to)?\b|\bht\b|\+ ?(?:vat|gst|tax))",
    re.IGNORECASE,
)
_OF_DAY = len("2026-11-26")
Points = tuple[str, ...]
"""The decimal points of the fields that are looked up, "" for one that is not known."""

ANY_POINT: Points = ("",)
_COMMA: Points = (",",)
SOMEWHERE = ("date#", "link#", "inside#", "part#")
"""How forms begin that are looked up in everything a page has."""
SHOWN_TEXT = "shown@"
"""How the form of a text begins that is looked up in what people see."""
_PLAIN_NUMBER = re.compile(r"[1-9]\d{0,2}(?:\.\d{1,2})?")


def text_form(text: str) -> str:
    """How a text is looked up with `PageFacts.holds`."""
    return letters(text)


def numeral_form(number: object) -> str:
    """How a number is looked up."""
    digits = str(number)
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "#" + digits


def net_form(number: object) -> str:
    """How a number next to words for "without tax" is looked up."""
    return "net" + numeral_form(number)


def shown_form(number: object) -> str:
    """How a number is looked up in what people see of a page, and not in its JSON."""
    return "shown" + numeral_form(number)


def shown_text_form(text: str) -> str:
    """How a text is looked up in what people see of a page, and not in its JSON."""
    return f"{SHOWN_TEXT}{letters(text)}"


def struck_form(number: object) -> str:
    """How a number that is crossed out, or said to be the former one, is looked up."""
    return "struck" + numeral_form(number)


def list_form(items: Iterable[object]) -> str:
    """How a list is looked up, as the page's JSON states it: just these items, in any
    order. Ends with how many they are."""
    texts = sorted(letters(str(item)) for item in items)
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    return f"list#{digest[:16]}#{len(texts)}"


def date_form(day: str) -> str:
    """How a day is looked up, however a page writes it; of a moment its day."""
    return f"date#{day[:_OF_DAY]}"


def link_form(url: str) -> str:
    """How an address is looked up in the links of a page, without its scheme and host."""
    parts = urlsplit(url)
    return f"link#{parts._replace(scheme='', netloc='', fragment='').geturl()}"


def inside_form(text: str) -> str:
    """How a text is looked up where it may be part of a longer one."""
    return f"inside#{letters(text)}"


def as_part(inside: str) -> str:
    """How a text that is looked up inside others is looked up where signs part it from
    the rest: "Zinnia elegans" in "Zinnia elegans, 80 cm"; other forms as they are."""
    return inside.replace("inside#", "part#", 1)


def numeral_forms(text: str, points: Points = ANY_POINT) -> tuple[str, ...]:
    """The forms of all numbers in a text, none if it is longer than 300 characters.

    "12.50 or 7" -> ("#12.5", "#7"); "1.234 kg" -> ("#1.234",) by the point ".", and
    ("#1234",) by ",".
    """
    if len(text) > _SHORT:
        return ()
    if points != _COMMA and _PLAIN_NUMBER.fullmatch(text):
        return (numeral_form(text),)
    return _numeral_forms(text, points)


@lru_cache(maxsize=16_384)
def _numeral_forms(text: str, points: Points) -> tuple[str, ...]:
    """The forms of all numbers in a text, however they are written."""
    found = (
        numeral_form(one.value) for point in points for one in numbers(text, point)
    )
    return tuple(dict.fromkeys(found))


def stated_forms(text: str) -> tuple[str, ...]:
    """The forms of all numbers in what is stated for machines: "1.234" may be a number
    as they write it, or a text for people."""
    as_written = plain(text)
    found = numeral_forms(text)
    return found if as_written == text else (*found, *numeral_forms(as_written))


# The elements around a price are called the same on page after page.
@lru_cache(maxsize=1_024)
def is_struck(tag: str, classes: str) -> bool:
    """Whether an element crosses out what is in it, or is called a former or usual price."""
    return tag in CROSSING_OUT or is_before(words_of_name(classes))


def is_called_former(path: str) -> bool:
    """Whether a path into JSON calls what is there a former or usual price."""
    return is_before(words_of_path(path))


@remembered(16_384)
def is_net(text: str) -> bool:
    """Whether a text says that an amount is without tax.

    In English, German, French, Spanish, Italian, Czech, Polish and the Scandinavian
    languages.
    """
    if text.isascii() and not _has_net_word(text.lower()):
        return False
    return _NET.search(text) is not None


def _has_net_word(text: str) -> bool:
    """Whether a text in small letters can say that an amount is net at all."""
    return any(word in text for word in _NET_WORDS)


_NET_WORDS = (
    "net",
    "ht",
    "exc",
    "exk",
    "tax",
    "vat",
    "gst",
    "mwst",
    "ust",
    "iva",
    "tva",
    "dph",
    "moms",
)
"""One of these is in whatever `_NET` finds, and asking for them costs a fifth."""
