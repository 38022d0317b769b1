"""What is there, of values that may be missing."""

from collections.abc import Iterable
from typing import TypeVar

_T = TypeVar("_T")


def present(values: Iterable[_T | None]) -> list[_T]:
    """Those of some values that are not None, in their order."""
    return [value for value in values if value is not None]
