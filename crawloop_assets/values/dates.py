"""Dates as pages write them.

Only absolute dates: "yesterday" would depend on the clock.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

Order = Literal["DMY", "MDY", "YMD"] | None

# Month names by their shortest telling beginnings, in the languages most pages use.
_MONTHS = (
    "jan januar janv enero gennaio ene gen sty stycz led leden tammi ocak янв ian січ ιαν",
    "feb févr fevr febbraio fev lut únor helmi şubat фев лют φεβ",
    "mar mär maart mrt märz mars marzo marzec břez bře maalis март мар бер μαρ",
    "apr avr abr kwi dub huhti nisan апр кві απρ",
    "may mai mei maj mag mayo maggio květ toukok mayıs мая май трав μαι μάι",
    "jun juin juni giu cze červn červen kesä haziran июн черв ιουν",
    "jul juil juli lug lip červenec července heinä temmuz июл лип ιουλ",
    "aug août aout ago sie srp elo ağus авг серп αυγ",
    "sep sept set wrz září syys eyl сен верес σεπ",
    "oct okt ott out paź říj loka ekim окт жовт οκτ",
    "nov list marras kas ноя лист νοε",
    "dec dez déc dic gru pros joulu ara дек груд δεκ",
)
_BY_PREFIX = sorted(
    ((name, month) for month, names in enumerate(_MONTHS, 1) for name in names.split()),
    key=lambda pair: (-len(pair[0]), pair),
)
_NAME = r"(?P<{0}>[^\W\d_]{{3,12}})\.?"
_ISO = r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})"
_NUMERIC = (
    r"(?P<a>\d{1,2})\s?[-/.]\s?(?P<b>\d{1,2})\s?[-/.]\s?(?P<y2>\d{4}|\d{2})(?!\d)"
)
_DAY_NAME_YEAR = (
    rf"(?P<d3>\d{{1,2}})(?:st|nd|rd|th|\.|er|º|ª)?[\s\-]+(?:de\s+|of\s+|day\s+of\s+)?{_NAME.format('n3')}[,\s\-]+(?:de\s+|del\s+)?"
    r"(?P<y3>\d{4})"
)
_NAME_DAY_YEAR = rf"{_NAME.format('n4')}[\s\-]+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*,?\s+|[\-,])(?P<y4>\d{{4}})"
_CJK = r"(?P<y5>\d{4})\s?[年년]\s?(?P<m5>\d{1,2})\s?[月월]\s?(?P<d5>\d{1,2})\s?[日일]"
_COMPACT = (
    r"(?P<y6>(?:19|20)\d{2})(?P<m6>0[1-9]|1[0-2])(?P<d6>0[1-9]|[12]\d|3[01])(?=T|\b)"
)
_DATE = re.compile(
    rf"(?<!\d)(?:{_ISO}|{_CJK}|{_NUMERIC}|{_DAY_NAME_YEAR}|{_COMPACT})|{_NAME_DAY_YEAR}",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?P<h>\d{1,2})(?:[:h.](?P<m>\d{2}))(?::(?P<s>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[ap]\.?m\.?)?\s*"
    r"(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?|(?P<h2>\d{1,2})\s*(?P<half2>[ap]\.?m\.?)",
    re.IGNORECASE,
)


class Dated(NamedTuple):
    """One date in a text and where it stands."""

    day: date
    start: int
    end: int


def parse_date(text: str, order: Order = None, index: int = 0) -> date | None:
    """The index-th date in a text, or None.

    An ambiguous 03/04/2021 follows `order`, month first by default.
    """
    if index >= 0:  # the usual case, and a text may hold hundreds
        return next(
            (found.day for found in islice(dates(text, order), index, None)), None
        )
    days = [found.day for found in dates(text, order)]
    return days[index] if -len(days) <= index else None


@lru_cache(maxsize=8192)
def parse_datetime(text: str, order: Order = None, index: int = 0) -> datetime | None:
    """The index-th date in a text with the time that follows (or precedes) it; naive if
    no zone is written."""
    found = list(dates(text, order))
    if not -len(found) <= index < len(found):
        return None
    chosen = found[index]
    position = index if index >= 0 else len(found) + index
    until = found[position + 1].start if position + 1 < len(found) else len(text)
    match = _TIME.search(text, chosen.end, until) or _TIME.search(text, 0, chosen.start)
    moment = _clock(match) if match else None
    return datetime.combine(chosen.day, moment or time())


def dates(text: str, order: Order = None) -> Iterator[Dated]:
    """All absolute dates of a text, in order."""
    for match in _DATE.finditer(text):
        day = _day(match, order)
        if day:
            yield Dated(day, match.start(), match.end())


def month_number(name: str) -> int | None:
    """The month a (possibly abbreviated) name in any known language means."""
    name = name.casefold()
    return next(
        (month for prefix, month in _BY_PREFIX if name.startswith(prefix)), None
    )


def _day(match: re.Match[str], order: Order) -> date | None:
    part = match.groupdict()
    try:
        for tag in "156":
            if part[f"y{tag}"]:
                return date(
                    int(part[f"y{tag}"]), int(part[f"m{tag}"]), int(part[f"d{tag}"])
                )
        for tag in "34":
            if part[f"y{tag}"]:
                month = month_number(part[f"n{tag}"])
                return (
                    date(int(part[f"y{tag}"]), month, int(part[f"d{tag}"]))
                    if month
                    else None
                )
        return _numeric(int(part["a"]), int(part["b"]), part["y2"], match[0], order)
    except ValueError:
        return None


def _numeric(a: int, b: int, year: str, text: str, order: Order) -> date | None:
    full = int(year) + (0 if len(year) == 4 else 2000 if int(year) < 70 else 1900)
    if order == "YMD" and len(year) == 2:
        return date(a + (2000 if a < 70 else 1900), b, int(year))
    day_first = order == "DMY" or (order is None and (a > 12 or "." in text))
    if order == "MDY" and a > 12:
        day_first = True
    if day_first and b > 12:
        day_first = False
    return date(full, b, a) if day_first else date(full, a, b)


def _clock(match: re.Match[str]) -> time | None:
    hour = int(match["h"] or match["h2"])
    half = (match["half"] or match["half2"] or "").casefold()
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    if hour > 23 or int(match["m"] or 0) > 59:
        return None
    return time(
        hour, int(match["m"] or 0), int(match["s"] or 0), tzinfo=_zone(match["zone"])
    )


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text.upper() in ("Z", "UTC", "GMT"):
        return timezone(timedelta(0))
    sign = -1 if text[0] == "-" else 1
    digits = text[1:].replace(":", "")
    return timezone(sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))
