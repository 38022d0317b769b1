"""Durations as people and machines write them."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from crawloop_assets.values.numbers import parse_number

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
    rf"(?:\s?(?:-|–|to|bis|à)\s?(?P<n2>{_PART}))?\s*+[-.]?\s*+"
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
    return _unworded_minutes(text) if minutes is None else minutes


def _unworded_minutes(text: str) -> int | None:
    """Minutes of a text that names no unit: as on a clock, "1:30", or a number only. A
    clock is looked for anywhere in the text, a number has to be all of it."""
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
        return parse_number(text)
    whole, _, fraction = text.rpartition(" ")
    numerator, denominator = fraction.split("/")
    if not int(denominator):
        return None
    return Decimal(whole or 0) + Decimal(numerator) / Decimal(denominator)
