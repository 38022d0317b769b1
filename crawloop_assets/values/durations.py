"""Durations as people and machines write them."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.short_texts import remembered

_PART = r"\d{1,9}(?:[.,]\d{1,9})?"
_ISO_DURATION = re.compile(
    rf"^\s*-?P(?:(?P<w>{_PART})W)?(?:(?P<d>{_PART})D)?"
    rf"(?:T(?:(?P<h>{_PART})H)?(?:(?P<m>{_PART})M)?(?:(?P<s>{_PART})S)?)?\s*$",
    re.IGNORECASE,
)
_TABLE = Path(__file__).with_name("durations.txt")
"""The words of CLDR in some fifty languages, a line a unit: `checks/durations.py`."""
_OWN = """
1440 d day days tag tage tagen dag dagen dni den dny
60 h hr hrs hour hours std stdn ora ore óra órák uur uren tim hod ч saat 時間
1 m min mins mn dk 分
0 s sec secs
"""
"""What people write beside those, and the short words that are units in any text."""
_ABBREVIATED = "1 p"
"""Minutes in Hungarian, and points, pints or pounds elsewhere."""
_LONG = 3
"""Letters; a word of Latin letters that is no longer may be another thing in the next language."""
_PLACES = 6
"""Of minutes: so that sixtieths of an hour are whole ones."""
_NO_UNIT = 1441
"""More minutes than any unit has."""


def _minutes_of(table: str) -> dict[str, int]:
    """The words of a table, and how many minutes each is."""
    found: dict[str, int] = {}
    for line in table.casefold().strip().splitlines():
        minutes, *words = line.split()
        found.update(dict.fromkeys(words, int(minutes)))
    return found


_IN_ANY_TEXT = _minutes_of(_OWN)
_MINUTES_OF = _minutes_of(_TABLE.read_text(encoding="utf-8") + _ABBREVIATED)
_MINUTES_OF |= _IN_ANY_TEXT
_AMOUNT_UNIT = re.compile(
    rf"(?<!\d)(?<!\d[.,:])(?P<n>\d{{1,2}}:\d{{2}}(?![\d:])|{_PART}(?:\s?[½¼¾⅓⅔])?|[½¼¾]|\d{{1,9}}\s\d/\d|\d/\d)"
    rf"(?:\s?(?:-|–|to|bis|à)\s?(?P<n2>{_PART}))?\s*+[-.]?\s*+"
    r"(?P<unit>[^\W\d_]+)\.?",
    re.IGNORECASE,
)
_HOUR_MINUTE = re.compile(r"(?<![\w.,])(\d{1,2})\s?h\s?(\d{2})(?!\d)")
_BARE_HOUR_MINUTE = re.compile(_HOUR_MINUTE.pattern + r"(?!\w)")
_CLOCK = re.compile(r"(?<![\d:T])(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])")
_BARE_MINUTES = re.compile(r"[0-9]{1,5}")


@remembered(16_384)
def parse_minutes(text: str) -> int | None:
    """Whole minutes of a duration: "PT1H30M", "1 hr 30 mins", "1:30", "1:30:00",
    "45".

    A range counts by its upper end. Units of one duration get smaller: of "10 min, then
    20 min" this is the first. Seconds do not count. A bare number is minutes, of at
    most five digits. None if the text holds no duration.
    """
    iso = _ISO_DURATION.match(text)
    if iso and any(iso.groups()):
        return _iso_minutes(iso)
    folded = text.casefold()
    short = _HOUR_MINUTE.search(folded)
    if short:
        return _hours_and_minutes(short)
    minutes = _worded_minutes(folded)
    return _unworded_minutes(text) if minutes is None else minutes


def _unworded_minutes(text: str) -> int | None:
    """Minutes of a text that names no unit: as on a clock, "1:30", or a number only. A
    clock is looked for anywhere in the text, a number has to be all of it."""
    clock = _CLOCK.search(text)
    return _hours_and_minutes(clock) if clock else _bare_minutes(text.strip())


def unit_minutes(word: str) -> int | None:
    """The minutes of a unit of time, in any language; None for a word that may be another
    thing in the next one."""
    folded = word.casefold()
    return _MINUTES_OF.get(folded) if _is_meant(folded, word) else None


def with_units(text: str) -> str:
    """The text with the minutes of "1h45" named: "1 h 45 min"."""
    return _BARE_HOUR_MINUTE.sub(r"\1 h \2 min", text)


def has_unit(text: str) -> bool:
    """True if the text itself says that it is a duration."""
    if _ISO_DURATION.match(text):
        return True
    return next(_amounts(text.casefold()), None) is not None


def _iso_minutes(iso: re.Match[str]) -> int:
    """Minutes of an ISO 8601 duration."""
    part = {
        key: Decimal(value.replace(",", "."))
        for key, value in iso.groupdict(default="0").items()
    }
    days = part["w"] * 10080 + part["d"] * 1440
    return int(days + part["h"] * 60 + part["m"] + part["s"] / 60)


def _hours_and_minutes(match: re.Match[str]) -> int:
    """Minutes of a match with one group of hours and one of minutes."""
    return int(match[1]) * 60 + int(match[2])


def _worded_minutes(folded: str) -> int | None:
    """Minutes of the first duration in words; None if there is none."""
    total, smallest = Decimal(0), _NO_UNIT
    for amount, unit in _amounts(folded):
        if unit >= smallest:
            break  # "prep 10 min, cook 20 min" are two durations
        total += amount * unit
        smallest = unit
    return None if smallest == _NO_UNIT else int(round(total, _PLACES))


def _amounts(folded: str) -> Iterator[tuple[Decimal, int]]:
    """The amounts with a unit of time in a text, and the minutes of the unit; of a range
    its upper end."""
    for match in _AMOUNT_UNIT.finditer(folded):
        unit = _MINUTES_OF.get(match["unit"])
        if unit is None or not _is_meant(match["unit"], folded):
            continue
        amount = _amount(match["n2"] or match["n"])
        if amount is not None:
            yield amount, unit


def _is_meant(word: str, folded: str) -> bool:
    """False for a short word of some language in a text that says more than amounts:
    "2 jam" are hours, "2 jam jars" are none."""
    if word in _IN_ANY_TEXT or len(word) > _LONG or len(word.encode()) > len(word) > 1:
        return True
    return not _AMOUNT_UNIT.sub("", folded).strip()


def _bare_minutes(text: str) -> int | None:
    """A number of minutes without a unit; more digits than five are an identifier."""
    return int(text) if _BARE_MINUTES.fullmatch(text) else None


def _amount(text: str) -> Decimal | None:
    """The number of "20", "1½", "1/2", "1 1/2", or of "1:30", whose second part are sixtieths; None for a division by
    zero."""
    if clock := _CLOCK.fullmatch(text):
        return Decimal(_hours_and_minutes(clock)) / 60
    if "/" not in text:
        return parse_number(text)
    whole, _, fraction = text.rpartition(" ")
    numerator, denominator = fraction.split("/")
    if not int(denominator):
        return None
    return Decimal(whole or 0) + Decimal(numerator) / Decimal(denominator)
