"""The pictures of a `srcset`: the same one in several sizes."""

import re
from decimal import Decimal, InvalidOperation

_CANDIDATE = re.compile(  # url, then width or density
    r"(?<![^\s,])([^\s,](?:\S*[^\s,])?)(?:\s++([\d.]++)[wx])?\s*+(?:,|$)"
)


def largest_of_srcset(text: str) -> str | None:
    """The largest image of a srcset."""
    largest = max(_CANDIDATE.finditer(text), key=_image_size, default=None)
    if largest is None:
        return None
    return largest[1]


def _image_size(candidate: re.Match[str]) -> Decimal:
    """Width or density; a candidate that names neither has density 1, and none where
    what it names is no number ("1.2.3x")."""
    try:
        return Decimal(candidate[2] or 1)
    except InvalidOperation:
        return Decimal(0)
