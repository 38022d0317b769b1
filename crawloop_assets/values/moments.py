"""Texts that say a day or a time: the numbers of "kl. 18:00" are no goals."""

import re

from crawloop_assets.values.dates import HOUR_FOLLOWS, dates

_HOUR, _MINUTES = r"\d{1,2}", r"[0-5]\d"
_CLOCK = re.compile(
    rf"(?<![\d:.,])(?:{_HOUR}(?::{_MINUTES}){{1,2}}|{_HOUR}\s?h\s?{_MINUTES}"
    rf"|{_HOUR}(?:\.{_MINUTES})?\s?(?:[ap]\.?m\b|uhr\b|uur\b|hrs\b))(?![\d:]|[.,]\d)"
    rf"|{HOUR_FOLLOWS}{_HOUR}(?!\d)",
    re.IGNORECASE,
)
"""A time with a colon, with an h, before a word for the hour or behind one."""


def has_moment(text: str) -> bool:
    """Whether a text says a day or a time of day, alone or beside other things."""
    return _CLOCK.search(text) is not None or next(dates(text), None) is not None
