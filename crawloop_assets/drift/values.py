"""Values as the checks compare them."""

from decimal import Decimal, InvalidOperation
from typing import Any

EMPTY: tuple[Any, ...] = (None, "", [])
"""What a field that was not filled holds."""


def as_number(value: Any) -> float | None:
    """A finite number, None for anything else (a crawler may return whatever it
    likes)."""
    if isinstance(value, bool | list | dict) or value is None:
        return None
    try:
        number = float(Decimal(str(value)))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def as_positive(value: Any) -> float | None:
    """A finite number above zero."""
    number = as_number(value)
    return number if number is not None and number > 0 else None
