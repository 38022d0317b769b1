"""Numbers and durations as people and machines write them."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

_GROUP = " .,'’`´\u00a0\u2009\u202f"
_NUMBER = re.compile(
    rf"(?<!\w)(?<!\d[.,])(?P<sign>[-−+])?\s?(?P<currency>[^\W\d_]{{2,3}}|[$€£¥₹₽₩₺฿₫₴₪])?\s?"
    rf"(?P<body>\d{{1,3}}(?:[{_GROUP}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?|[.,]\d+)"
)
_FRACTIONS = {
    "½": ".5",
    "¼": ".25",
    "¾": ".75",
    "⅓": ".3333",
    "⅔": ".6667",
    "⅛": ".125",
}
_MIXED_FRACTION = re.compile(r"(\d*)\s?([½¼¾⅓⅔⅛])")
_HAS_NUMBER = re.compile(r"[\d½¼¾⅓⅔⅛]")
_DIGIT = re.compile(r"\d")
_LEAD_CHARS = 7
"""So much a number may have before its first digit: a sign, a space, three letters of
currency, a space, a point."""
_THREE_DECIMALS = re.compile(r"\s*[-+]?\d+\.\d{3}\s*")
_THOUSANDS = re.compile(r"(?!0[.,])\d{1,3}[.,]\d{3}")
_LAST_AND_ONLY = re.compile(r"[^.]*(\.)\d*|[^,]*(,)\d*")
_MINUSES = ("-", "−")


class Number(NamedTuple):
    """One number in a text, with where its digits stand."""

    value: Decimal
    start: int
    end: int


def parse_number(text: str, index: int = 0, decimal: str = "") -> Decimal | None:
    """The index-th number of a text (from 0; negative from the end), or None.

    Grouping is recognised for "1,234.50", "1.234,50", "1 234,50" and "1’234.50".
    "1.234" alone is a grouped thousand unless `decimal` names its point.
    """
    in_text = list(numbers(text, decimal))
    if -len(in_text) <= index < len(in_text):
        return in_text[index].value
    return None


def numbers(text: str, decimal: str = "") -> Iterator[Number]:
    """All numbers of a text in order, where their digits stand in it.

    "½" and its like count as decimals: from the first of them on positions are those
    in the text with "1½" written as "1.5". `decimal`: see `parse_number`.
    """
    if _HAS_NUMBER.search(text):
        yield from _numbers(text, decimal)


@lru_cache(maxsize=4_096)
def _numbers(text: str, decimal: str) -> tuple[Number, ...]:
    """Remembered: every numeric field of a schema looks through the same texts of a
    page."""
    if not text.isascii() and _MIXED_FRACTION.search(text):
        text = _MIXED_FRACTION.sub(_as_decimal_text, text)
    in_text: list[Number] = []
    for match in _matches(text):
        value = _decimal(match["body"], decimal)
        if value is None:
            continue
        if _is_negative(match):
            value = -value
        in_text.append(Number(value, *match.span("body")))
    return tuple(in_text)


def _is_negative(match: re.Match[str]) -> bool:
    """Whether the sign of a number is a minus: before a number with a unit ("-5cm") it
    is a dash."""
    following = match.string[match.end() : match.end() + 1]
    return match["sign"] in _MINUSES and not following.isalpha()


def _as_decimal_text(fraction: re.Match[str]) -> str:
    """Of "1 ½" it makes "1.5"."""
    return (fraction[1] or "0") + _FRACTIONS[fraction[2]]


def _matches(text: str) -> Iterator[re.Match[str]]:
    """What `_NUMBER` finds from left to right, looking only where a digit is near:
    prose has few."""
    start = 0
    while digit := _DIGIT.search(text, start):
        match = _NUMBER.search(text, max(start, digit.start() - _LEAD_CHARS))
        if match is None:
            return
        yield match
        start = match.end()


def plain(text: str) -> str:
    """A number written by a machine, so that it reads back as itself: "4.333" is no
    grouped thousand there. Any other text as it is."""
    return f"{text.strip()}0" if _THREE_DECIMALS.fullmatch(text) else text


def _decimal(body: str, decimal: str) -> Decimal | None:
    """The value of digits with their grouping; None for more than one point.

    `decimal` is the character of the decimal point, "" where it has to be guessed.
    """
    if body.isascii() and body.isdecimal():
        return Decimal(body)
    point = decimal or _decimal_point(body)
    digits = ""
    for char in body:
        if char.isdigit():
            digits += char
        elif char == point:
            digits += "."
    if digits.count(".") > 1:
        return None
    return Decimal(digits)


def _decimal_point(body: str) -> str:
    """Which character is the decimal point of this number, "" if none.

    The last mark is, if it is written once: of "1.234,50" the comma, of "1.234.567"
    none. "1.234" is a grouped thousand, but "0.234" is not.
    """
    if _THOUSANDS.fullmatch(body):
        return ""
    match = _LAST_AND_ONLY.fullmatch(body)
    return match[match.lastindex or 0] if match else ""


_PART = r"\d{1,9}(?:[.,]\d{1,9})?"
_ISO_DURATION = re.compile(
    rf"^\s*-?P(?:(?P<w>{_PART})W)?(?:(?P<d>{_PART})D)?"
    rf"(?:T(?:(?P<h>{_PART})H)?(?:(?P<m>{_PART})M)?(?:(?P<s>{_PART})S)?)?\s*$",
    re.IGNORECASE,
)
_UNITS = (
    (
        1440,
        "day days d tag tage tagen jour jours día dias días dia giorno giorni dag dagar dagen dage dni dzień den dny",
    ),
    (
        60,
        "hours hour hrs hr h std stunde stunden stdn heure heures hora horas ora ore uur uren timme timmar tim time "
        "timer godz godzina godziny godzin hod hodina hodiny hodin ч час часа часов tunti tuntia saat óra "
        "órák ώρα ώρες 時間",
    ),
    (
        1,
        "minutes minute mins min m minuten minuti minuto minutos minut minuter minuutti minuuttia minuta minuty minuut "
        "minutter мин минут минуты минута dk dakika perc λεπτά 分 分鐘 分钟 mn",
    ),
    (0, "seconds second secs sec s sekunden sekunder secondes segundos secondi"),
)
_NO_UNIT = 1441
"""More minutes than any unit has."""
_MINUTES_OF = {word: minutes for minutes, words in _UNITS for word in words.split()}
_AMOUNT_UNIT = re.compile(
    rf"(?<!\d)(?<!\d[.,])(?P<n>{_PART}(?:\s?[½¼¾⅓⅔])?|[½¼¾]|\d{{1,9}}\s\d/\d|\d/\d)"
    rf"(?:\s?(?:-|–|to|bis|à)\s?(?P<n2>{_PART}))?\s*[-.]?\s*"
    r"(?P<unit>[^\W\d_]+)\.?",
    re.IGNORECASE,
)
_HOUR_MINUTE = re.compile(r"(?<![\w.,])(\d{1,2})\s?h\s?(\d{2})(?!\d)")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?![\d:])")
_BARE_MINUTES = re.compile(r"[0-9]{1,5}")


@lru_cache(maxsize=16384)
def parse_minutes(text: str) -> int | None:
    """Whole minutes of a duration: "PT1H30M", "1 hr 30 mins", "1:30", "45".

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
    if minutes is not None:
        return minutes
    clock = _CLOCK.search(text)
    return _hours_and_minutes(clock) if clock else _bare_minutes(text.strip())


def has_unit(text: str) -> bool:
    """True if the text itself says that it is a duration."""
    if _ISO_DURATION.match(text):
        return True
    amounts = _AMOUNT_UNIT.finditer(text.casefold())
    return any(amount["unit"] in _MINUTES_OF for amount in amounts)


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
    return None if smallest == _NO_UNIT else int(total)


def _amounts(folded: str) -> Iterator[tuple[Decimal, int]]:
    """The amounts with a unit of time in a text, and the minutes of the unit; of a range
    its upper end."""
    for match in _AMOUNT_UNIT.finditer(folded):
        unit = _MINUTES_OF.get(match["unit"])
        if unit is None:
            continue
        amount = _amount(match["n2"] or match["n"])
        if amount is not None:
            yield amount, unit


def _bare_minutes(text: str) -> int | None:
    """A number of minutes without a unit; more digits than five are an identifier."""
    return int(text) if _BARE_MINUTES.fullmatch(text) else None


def _amount(text: str) -> Decimal | None:
    """The number of "20", "1½", "1/2" or "1 1/2"; None for a division by zero."""
    if "/" not in text:
        number = next(numbers(text), None)
        return number.value if number else None
    whole, _, fraction = text.rpartition(" ")
    numerator, denominator = fraction.split("/")
    if not int(denominator):
        return None
    return Decimal(whole or 0) + Decimal(numerator) / Decimal(denominator)
