"""Which texts may label a value on other pages, too."""

import re

from crawloop_assets.values.text import letters

_NUMBERED = re.compile(r"\s*[^\W\d_]{2,}[\s-]?\d{1,2}\s*[:：]\s*")
"""A name that ends in a small number, and says by its colon that it is a label."""
_BARE = re.compile(r"(?<![^\W_])\d|\d{3}")
"""A number that is no end of a word, as that of "CO2" is, or a long one."""


def label_form(text: str, longest: int) -> str | None:
    """The letters of a text that may be a label; None for one that is too short or too
    long, and one with a number that is no part of a name as in "ISBN-13:"."""
    form = letters(text)
    if not 1 < len(form) <= longest:
        return None
    if _BARE.search(text) and not _NUMBERED.fullmatch(text):
        return None
    return form
