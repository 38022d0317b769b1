"""What single texts tell of a notation: the decimal point of numerals that can have no
other, the order of dates that can be read in no other."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain
from operator import itemgetter

from crawloop_assets.values.currencies import currency_code
from crawloop_assets.zones import in_zone

_FEWEST = 2
"""Texts that have to say the same, and none another thing."""
_LONGEST = 160
_DIGIT = re.compile(r"\d")
_BOTH_MARKS = re.compile(
    r"(?<![\d.,])\d{1,3}([.,])\d{3}(?:\1\d{3})*(?!\1)([.,])\d{1,2}(?![.,]?\d)"
)
_HUNDREDTHS = re.compile(r"(?<![\d.,])(\d+)([.,])\d\d(?![.,]?\d)")
_THOUSAND = re.compile(r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![.,]?\d)")
_POINT = itemgetter(2)
"""What both find: the decimal point."""
_DAY = r"(3[01]|[12]\d|0?[1-9])"
_DATE = re.compile(rf"(?<!\d){_DAY}([/.-]){_DAY}\2(?:\d{{4}}|\d\d)(?!\d)")
_ISO_DAY = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
_WRITTEN = {
    "DMY": r"(?<!\d)0?{day}([/.-])0?{month}\1(?:{year}|{short})(?!\d)",
    "MDY": r"(?<!\d)0?{month}([/.-])0?{day}\1(?:{year}|{short})(?!\d)",
}
"""Patterns of a day by numbers."""
_ORDERS = {(True, False): "DMY", (False, True): "MDY"}
"""By whether the first and the second number can only be a day."""


def telling(texts: Iterable[str]) -> list[str]:
    """The short texts with a digit: of others nothing is said."""
    return [text for text in filter(_DIGIT.search, texts) if len(text) <= _LONGEST]


def decimal_point(texts: Iterable[str]) -> str:
    """The decimal point that texts agree on; "" if they do not.

    A numeral with both marks ("1.299,00") and a price with two decimals tell it.
    """
    return _agreed(chain.from_iterable(map(_points, texts)))


def date_order(texts: Iterable[str]) -> str:
    """The order of dates that texts agree on, "DMY" or "MDY"; "" if they do not.

    A date with a day above twelve tells it.
    """
    return _agreed(chain.from_iterable(map(_date_orders, texts)))


def orders_of_day(value: str, body: bytes) -> list[str]:
    """The orders in which a date stands by numbers anywhere in the bytes of a page; of
    one that reads alike in both nothing is said."""
    match = _ISO_DAY.match(value)
    if match is None or match["month"] == match["day"]:
        return []
    parts = {name: part.lstrip("0") for name, part in match.groupdict().items()}
    found = partial(re.search, string=body)
    return [
        order
        for order, written in _WRITTEN.items()
        if found(written.format(**parts, short=parts["year"][2:]).encode())
    ]


def day_first(value: str, zone: str) -> str:
    """A day, or a moment by the clocks of a time zone ("" for none), that was read with
    its month first, read with the day first: clocks differ from one day to the other."""
    moved = _ISO_DAY.sub(r"\g<year>-\g<day>-\g<month>", value, count=1)
    if not zone:
        return moved
    by_clock = datetime.fromisoformat(moved).replace(tzinfo=None)
    return in_zone(by_clock, zone).isoformat()


def has_open_point(text: str) -> bool:
    """Whether a text has a number like "1.234", a thousand here and a fraction there."""
    return _THOUSAND.search(text) is not None


def has_open_order(text: str) -> bool:
    """Whether a text has a date like 03/04/2021, in March here and in April there."""
    return any(
        match[1] != match[3] and not order
        for match, order in zip(_DATE.finditer(text), _date_orders(text), strict=True)
    )


def _agreed(answers: Iterable[str]) -> str:
    """What enough say and nobody contradicts; "" if there is nothing like that."""
    said = list(filter(None, answers))
    if len(said) < _FEWEST or len(set(said)) > 1:
        return ""
    return said[0]


def _points(text: str) -> Iterator[str]:
    """The decimal points of numerals that can have no other."""
    matches = _BOTH_MARKS.finditer(text)
    if currency_code(text):
        matches = chain(matches, _HUNDREDTHS.finditer(text))
    return map(_POINT, matches)


def _date_orders(text: str) -> Iterator[str]:
    """The order of each date of a text, "" where it can be read in two."""
    for match in _DATE.finditer(text):
        yield _ORDERS.get((int(match[1]) > 12, int(match[3]) > 12), "")
