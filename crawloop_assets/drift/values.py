"""Values as the checks compare them."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from math import isfinite
from types import NoneType
from typing import Any

from crawloop_assets.values.absence import says_none
from crawloop_assets.values.short_texts import remembered

EMPTY: tuple[Any, ...] = (None, "", [])
"""What a field that was not filled holds."""

_NO_NUMBERS = (bool, list, dict, NoneType)
_WORD = re.compile(r"[^\W\d_]+")
_SEVERAL_WORDS = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:\s++[^\W\d_]++)+")
_DIGITS = re.compile(r"\d+")
_SHAPE_CHARS = 24
_OF_DAY = len("2026-11-26")


def is_filled(value: Any) -> bool:
    """Whether a field with this value was filled; a list that says that there is none
    may have been published by an earlier version, and nothing is lost with it."""
    return value not in EMPTY and not says_none(value)


def filled_fields(record: Mapping[str, Any]) -> frozenset[str]:
    """The fields of a record that say something."""
    return frozenset(name for name, value in record.items() if is_filled(value))


def as_items(value: Any) -> list[Any]:
    """A list as it is, any other value as a list of one."""
    if isinstance(value, list):
        return value
    return [value]


def as_measure(value: Any) -> float | None:
    """A number, or a day by its number; None for anything else."""
    try:
        return float(date.fromisoformat(str(value)[:_OF_DAY]).toordinal())
    except ValueError:
        return as_number(value)


def as_number(value: Any) -> float | None:
    """A finite number, None for anything else.

    Values are not trusted to be of their field's kind: a crawler may return whatever it
    likes, and numbers are kept as text where they are decimal.
    """
    if isinstance(value, _NO_NUMBERS):
        return None
    try:
        number = float(Decimal(str(value)))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    if not isfinite(number):
        return None
    return number


def as_positive(value: Any) -> float | None:
    """A finite number above zero."""
    number = as_number(value)
    if number is None or number <= 0:
        return None
    return number


# Asked of every text value of a batch, and again for its statistics.
@remembered(4_096)
def value_shape(text: str) -> str:
    """Letters as one "a", several words as "a a", digits as one "9", the first 24
    characters: "SKU-1024" -> "a-9"."""
    few_words = _WORD.sub("a", _SEVERAL_WORDS.sub("a a", text))
    return _DIGITS.sub("9", few_words)[:_SHAPE_CHARS]
