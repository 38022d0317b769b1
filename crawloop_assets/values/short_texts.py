"""Results that are remembered for short texts.

Names, labels and numbers come again and again. What a whole value comes to is seldom
asked twice, and a few thousand long ones would fill the memory of a process.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

SHORT_CHARS = 200

_Result = TypeVar("_Result")
_OfText = Callable[[str], _Result]


def remembered(entries: int) -> Callable[[_OfText[_Result]], _OfText[_Result]]:
    """Keep so many results of a function of a text, those used last; for a text of more
    than `SHORT_CHARS` characters it is called each time."""

    def keeping(function: _OfText[_Result]) -> _OfText[_Result]:
        kept = lru_cache(entries)(function)

        @wraps(function)
        def asked(text: str) -> _Result:
            return kept(text) if len(text) <= SHORT_CHARS else function(text)

        return asked

    return keeping
