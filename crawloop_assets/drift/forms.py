"""Forms: how the values that may stand on a page are looked up, and what the texts of a
page hold of them."""

import re
from functools import lru_cache

from crawloop_assets.values.numbers import numbers
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

SHORT, LONGEST = 300, 3_000
"""Numbers are read in texts of so many characters, whole texts compared up to so many
letters."""

FEW_PIECES = 12
"""An element of so many text nodes and gaps is also read as one text."""
NEAR = 60
"""So far from its end, or its beginning, a text may say that the number next to it is
net."""

_NET = re.compile(
    r"\b(?:excl?\b|exkl|(?:without|before|plus|hors|ohne|zzgl|sans|sin|bez|uden|utan)\b.{0,12}"
    r"\b(?:tax|vat|gst|taxe|taxes|mwst|ust|iva|tva|dph|moms)|net(?:to)?\b|\bht\b|\+ ?(?:vat|gst|tax))",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[1-9]\d{0,2}(?:\.\d{1,2})?")


def text_form(text: str) -> str:
    """How a text is looked up with `PageFacts.holds`."""
    return letters(text)


def number_form(number: object) -> str:
    """How a number is looked up."""
    text = str(number)
    return "#" + (text.rstrip("0").rstrip(".") if "." in text else text)


def net_form(number: object) -> str:
    """How a number next to words like "excl.

    tax" is looked up.
    """
    return "net" + number_form(number)


def number_forms(text: str) -> tuple[str, ...]:
    """The forms of all numbers in a text, none if it is long."""
    if len(text) > SHORT:
        return ()
    return (number_form(text),) if _PLAIN.fullmatch(text) else _number_forms(text)


@lru_cache(maxsize=16_384)
def _number_forms(text: str) -> tuple[str, ...]:
    return tuple(number_form(found.value) for found in numbers(text))


@lru_cache(maxsize=16_384)
def is_net(text: str) -> bool:
    """Whether a text says that an amount is without tax."""
    if text.isascii():
        small = text.lower()
        if not any(word in small for word in _NET_WORDS):
            return False
    return _NET.search(text) is not None


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
