"""Days and times in a text that says other things: "18:00" is no number of goals."""

import re

from crawloop_assets.values.dates import dates

_CLOCK = re.compile(
    r"(?<![\d:.,])\d{1,2}(?:(?::[0-5]\d){1,2}|h[0-5]\d)(?![\d:]|[.,]\d)"
)
_NOTHING = " · "
"""What stands in the place of a moment, so that the numbers beside it do not join."""


def without_moments(text: str) -> str:
    """A text without its days and its times, as clocks with a colon show them; any other
    text as it is."""
    pieces = list[str]()
    end = 0
    for day in dates(text):
        pieces += (text[end : day.start], _NOTHING)
        end = day.end
    return _CLOCK.sub(_NOTHING, "".join((*pieces, text[end:])))
