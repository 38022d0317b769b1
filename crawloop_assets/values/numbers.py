"""Numbers and durations as people and machines write them."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

_GROUP = " .,'’`´\u00a0\u2009\u202f"
_NUMBER = re.compile(
    rf"(?<!\w)(?<!\d[.,])(?P<sign>[-−+])?\s?(?P<currency>[^\W\d_]{{2,3}}|[$€£¥₹₽₩₺฿₫₴₪])?\s?"
    rf"(?P<body>\d{{1,3}}(?:[{_GROUP}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?|[.,]\d+)"
)
_VULGAR = {"½": ".5", "¼": ".25", "¾": ".75", "⅓": ".3333", "⅔": ".6667", "⅛": ".125"}
_VULGAR_AT = re.compile(r"(\d*)\s?([½¼¾⅓⅔⅛])")
_HAS_NUMBER = re.compile(r"[\d½¼¾⅓⅔⅛]")


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
    found = list(numbers(text, decimal))
    return found[index].value if -len(found) <= index < len(found) else None


def numbers(text: str, decimal: str = "") -> Iterator[Number]:
    """All numbers of a text in order."""
    if _HAS_NUMBER.search(text):
        yield from _numbers(text, decimal)


@lru_cache(
    maxsize=4_096
)  # every numeric field of a schema looks through the same texts of a page
def _numbers(text: str, decimal: str) -> tuple[Number, ...]:
    return tuple(_found(text, decimal))


def _found(text: str, decimal: str) -> Iterator[Number]:
    if not text.isascii() and _VULGAR_AT.search(text):
        text = _VULGAR_AT.sub(lambda match: (match[1] or "0") + _VULGAR[match[2]], text)
    for match in _matches(text):
        value = _decimal(match["body"], decimal)
        if value is None:
            continue
        negative = (
            match["sign"] in ("-", "−")
            and not text[match.end() : match.end() + 1].isalpha()
        )
        yield Number(
            -value if negative else value, match.start("body"), match.end("body")
        )


def _matches(text: str) -> Iterator[re.Match[str]]:
    """What `_NUMBER` finds from left to right, looking only where a digit is near:
    prose has few."""
    at = 0
    while digit := _DIGIT.search(text, at):
        match = _NUMBER.search(text, max(at, digit.start() - _LEAD))
        if match is None:
            return
        yield match
        at = match.end()


_DIGIT = re.compile(r"\d")
_LEAD = 7  # so much a number may have before its first digit: a sign, a space, three letters of currency, a space, a point
_MACHINE = re.compile(r"\s*[-+]?\d+\.\d{3}\s*")


def plain(text: str) -> str:
    """A number written by a machine, so that it reads back as itself: "4.333" is no
    grouped thousand there."""
    return f"{text.strip()}0" if _MACHINE.fullmatch(text) else text


def _decimal(body: str, decimal: str) -> Decimal | None:
    if body.isascii() and body.isdecimal():
        return Decimal(body)
    point = decimal or _point(body)
    digits = "".join(
        char if char.isdigit() else "." if char == point else "" for char in body
    )
    try:
        return Decimal(digits) if digits.count(".") <= 1 else None
    except InvalidOperation:
        return None


def _point(body: str) -> str:
    """Which character is the decimal point of this number, "" if none."""
    marks = [char for char in body if not char.isdigit()]
    if not marks or marks[-1] not in ".,":
        return ""
    last = marks[-1]
    if marks.count(last) > 1:
        return ""
    tail = len(body) - body.rindex(last) - 1
    lead = body[: body.index(marks[0])]
    if tail == 3 and len(marks) == 1 and lead not in ("", "0") and len(lead) <= 3:
        return ""
    return last


_ISO = re.compile(
    r"^\s*-?P(?:(?P<w>[\d.,]+)W)?(?:(?P<d>[\d.,]+)D)?(?:T(?:(?P<h>[\d.,]+)H)?(?:(?P<m>[\d.,]+)M)?(?:(?P<s>[\d.,]+)S)?)?\s*$",
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
_UNIT = {word: minutes for minutes, words in _UNITS for word in words.split()}
_WORDED = re.compile(
    r"(?P<n>\d+(?:[.,]\d+)?(?:\s?[½¼¾⅓⅔])?|[½¼¾]|\d+\s\d/\d|\d/\d)(?:\s?(?:-|–|to|bis|à)\s?(?P<n2>\d+(?:[.,]\d+)?))?\s*[-.]?\s*"
    r"(?P<unit>[^\W\d_]+)\.?",
    re.IGNORECASE,
)
_HOUR_MINUTE = re.compile(r"(?<![\w.,])(\d{1,2})\s?h\s?(\d{2})(?!\d)")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?![\d:])")


@lru_cache(maxsize=16384)
def parse_minutes(text: str) -> int | None:
    """Whole minutes of a duration: "PT1H30M", "1 hr 30 mins", "1:30", "45".

    A range counts by its upper end. Units of one duration get smaller: of "10 min, then
    20 min" this is the first.
    """
    iso = _ISO.match(text)
    if iso and any(iso.groups()):
        return _iso_minutes(iso)
    short = _HOUR_MINUTE.search(text.casefold())
    if short:
        return int(short[1]) * 60 + int(short[2])
    total, last = Decimal(0), None
    for match in _WORDED.finditer(text.casefold()):
        factor = _UNIT.get(match["unit"])
        amount = None if factor is None else _amount(match["n2"] or match["n"])
        if factor is None or amount is None:
            continue
        if last is not None and factor >= last:
            break  # "prep 10 min, cook 20 min" are two durations
        total, last = total + amount * factor, factor
    if last is not None:
        return int(total)
    clock = _CLOCK.search(text)
    if clock:
        return int(clock[1]) * 60 + int(clock[2])
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) <= 5 else None


def has_unit(text: str) -> bool:
    """True if the text itself says that it is a duration."""
    return bool(_ISO.match(text)) or any(
        match["unit"] in _UNIT for match in _WORDED.finditer(text.casefold())
    )


def _iso_minutes(iso: re.Match[str]) -> int:
    part = {
        key: Decimal(value.replace(",", ".")) if value else Decimal(0)
        for key, value in iso.groupdict().items()
    }
    return int(
        part["w"] * 10080
        + part["d"] * 1440
        + part["h"] * 60
        + part["m"]
        + part["s"] / 60
    )


def _amount(text: str) -> Decimal | None:
    if "/" in text:
        whole, _, fraction = text.rpartition(" ")
        above, below = fraction.split("/")
        return (
            Decimal(whole or 0) + Decimal(above) / Decimal(below)
            if below != "0"
            else None
        )
    found = next(numbers(text), None)
    return found.value if found else None
