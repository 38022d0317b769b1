"""Moments as programs count them: seconds or milliseconds since 1970.

Ten digits are a telephone number as well, so nothing reads a date there unless known
moments prove that it is one.
"""

import re
from datetime import UTC, datetime

_COUNTED = re.compile(r"[0-9]{10}(?:[0-9]{3})?")
_DIGITS = 10
"""Of the seconds, from 2001 to 2286; three more are of a second."""
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)
_LAST = datetime(2100, 1, 1, tzinfo=UTC)


def counted_moment(text: str) -> datetime | None:
    """The moment in UTC, to the second, of a text that is nothing but ten digits, or
    thirteen; None for any other text and for what is not of this century."""
    if not _COUNTED.fullmatch(text.strip()):
        return None
    moment = datetime.fromtimestamp(int(text.strip()[:_DIGITS]), UTC)
    return moment if _FIRST <= moment < _LAST else None
