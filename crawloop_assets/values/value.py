"""A value as it travels between the rooms: JSON, typed by the field it belongs to.

Text and urls are strings, NUMBER a decimal string ("12.50", never a float), INTEGER and
MINUTES int, BOOLEAN bool, DATE "YYYY-MM-DD", DATETIME ISO 8601, lists of those, OBJECT
a dict. A field that no reader filled has no value.
"""

from collections.abc import Iterable
from typing import Any

Value = Any


def as_list(value: Value) -> list[Value]:
    """A list as it is, any other value as the only item of one: pages, packs and models
    leave the brackets out where there is one value. None is an item, too."""
    return value if isinstance(value, list) else [value]


def texts_among(values: Iterable[Value]) -> list[str]:
    """Those of some values that are texts."""
    return [value for value in values if isinstance(value, str)]
