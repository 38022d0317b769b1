"""Dates as pages write them.

Only absolute dates: "yesterday" would depend on the clock.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Literal, NamedTuple

from crawloop_assets.values.months import MONTH_WORD, month_number

_Order = Literal["DMY", "MDY", "YMD"] | None
"""The order of day, month and year that a family declares; None if it does not."""

# Groups end in the number of their form: y1, m1 and d1 are year, month and day of ISO.
_NAME = rf"(?P<{{0}}>{MONTH_WORD.replace('{', '{{').replace('}', '}}')})\.?"
_ISO = r"(?P<y1>\d{4})(?:[-/.]|\.\s)(?P<m1>\d{1,2})(?:[-/.]|\.\s)(?P<d1>\d{1,2})(?!\d)"
_NUMERIC = (
    r"(?P<a>\d{1,2})\s?[-/.]\s?(?P<b>\d{1,2})\s?[-/.]\s?(?P<y2>\d{4}|\d{2})(?!\d)"
)
_DAY_NAME_YEAR = (
    rf"(?P<d3>\d{{1,2}})(?:st|nd|rd|th|\.|er|º|ª)?[\s\-]+(?:de\s+|of\s+|day\s+of\s+)?{_NAME.format('n3')}[,\s\-]+(?:de\s+|del\s+)?"
    r"(?P<y3>\d{4})"
)
_NAME_DAY_YEAR = rf"{_NAME.format('n4')}[\s\-]+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+(?:,\s+)?|,\s*|-)(?P<y4>\d{{4}})"
_YEAR_NAME_DAY = rf"(?<!-)(?P<y7>(?:19|20)\d{{2}})\.?\s(?:m\.\s)?{_NAME.format('n7')}\s(?P<d7>\d{{1,2}})(?!\d|,?\s?\d{{4}})"
_CJK = r"(?P<y5>\d{4})\s?[年년]\s?(?P<m5>\d{1,2})\s?[月월]\s?(?P<d5>\d{1,2})\s?[日일]"
_COMPACT = (
    r"(?P<y6>(?:19|20)\d{2})(?P<m6>0[1-9]|1[0-2])(?P<d6>0[1-9]|[12]\d|3[01])(?=T|\b)"
)
_DATE = re.compile(
    rf"(?<!\d)(?:{_ISO}|{_CJK}|{_NUMERIC}|{_DAY_NAME_YEAR}|{_COMPACT}|{_YEAR_NAME_DAY})|{_NAME_DAY_YEAR}",
    re.IGNORECASE,
)
_NAMED_DAY = re.compile(rf"\W*(?:{_DAY_NAME_YEAR}|{_NAME_DAY_YEAR})\W*", re.IGNORECASE)
_SHORTEST_NAMED = 10
"""Characters of "1 May 2025", with which no shorter text is compared."""
_BEFORE = r"(?:(?P<{0}>午前|午後|上午|下午|오전|오후)\s*)?"
_BEHIND = r"(?P<{0}>[ap]\.?\s?m\b\.?|[πμ]\.?\s?μ\b\.?|مساءً?|صباحًا|صباحا|[مص]\b)"
HOUR_FOLLOWS = r"\b(?:klokken|klockan|klo|kl|godz|ore|saat)\b\.?\s?"
"""Words before an hour, whatever follows it."""
_HOUR_BEFORE = (
    r"\s?(?:hs|hrs|h|heures?|horas?|uhr|uur|u|hodin|óra|val|часов|годин|giờ)\b\.?"
)
"""Words behind an hour, but for those that are mostly a duration ("3 hours")."""
_TIME = re.compile(
    rf"{_BEFORE.format('before')}(?P<h>\d{{1,2}})(?:[:：hu.](?P<m>\d{{2}}))(?::(?P<s>\d{{2}})(?:[.,]\d+)?)?"
    rf"\s*{_BEHIND.format('half')}?\s*(?P<zone>Z|UTC|GMT|[+-]\d{{2}}:?\d{{2}})?"
    rf"|(?P<h2>\d{{1,2}})\s*{_BEHIND.format('half2')}"
    rf"|{_BEFORE.format('before3')}(?P<h3>\d{{1,2}})\s?[時时點点시](?:\s?(?P<m3>\d{{1,2}})\s?[分분]|\s?(?P<past>[半반]))?"
    rf"|(?<![\d.,:])(?P<h4>\d{{1,2}}){_HOUR_BEFORE}(?:\s?(?P<m4>[0-5]\d)(?!\d|[.,]\d|\s?[/%€$£]))?"
    rf"|{HOUR_FOLLOWS}(?P<h5>\d{{1,2}})(?:,(?P<m5>[0-5]\d))?(?!\d|[:：hu.]\d)",
    re.IGNORECASE,
)
_HOURS, _MINUTES = ("h", "h2", "h3", "h4", "h5"), ("m", "m3", "m4", "m5")
"""The groups of the forms that a time has, of which one is written."""
_SECOND_HALVES = ("p", "μ", "م", "午後", "下午", "오후")
"""How the halves begin that are after noon, whatever the language."""
_HALF_AN_HOUR = 30


class _Reading(NamedTuple):
    """What the text does not say."""

    order: _Order
    language: str


class Dated(NamedTuple):
    """One date in a text and where it stands."""

    day: date
    start: int
    end: int


def parse_date(
    text: str, order: _Order = None, index: int = 0, language: str = ""
) -> date | None:
    """The index-th date in a text (from 0; negative from the end), or None.

    An ambiguous 03/04/2021 follows `order`, month first by default; names of months are
    read in `language`, see `month_number`.
    """
    if index >= 0:  # the usual case, and a text may hold hundreds
        dated = next(islice(dates(text, order, language), index, None), None)
        return dated.day if dated else None
    days = list(map(attrgetter("day"), dates(text, order, language)))
    return days[index] if -len(days) <= index else None


@lru_cache(maxsize=8192)
def parse_datetime(
    text: str, order: _Order = None, index: int = 0, language: str = ""
) -> datetime | None:
    """The index-th date in a text (from 0; negative from the end) with its time.

    That is the first time between the date and the next one, else the first one before
    the date, else midnight. Naive if no zone is written. None if there is no such date.
    """
    all_dates = list(dates(text, order, language))
    if not -len(all_dates) <= index < len(all_dates):
        return None
    dated = all_dates[index]
    following = all_dates[index % len(all_dates) + 1 :]
    next_date = following[0].start if following else len(text)
    clock = _time_beside(text, dated, next_date)
    return datetime.combine(dated.day, clock or time())


def is_clock(text: str) -> bool:
    """Whether a text is a time of a day, and nothing else."""
    match = _TIME.match(text)
    if match is None or text[match.end() :].strip():
        return False
    return _clock(match) is not None


def is_day(text: str) -> bool:
    """Whether a text says one day, and no time."""
    days = list(islice(dates(text), 2))
    return len(days) == 1 and _TIME.search(text[days[0].end :]) is None


def is_named_day(text: str) -> bool:
    """Whether a text is one day whose month is named, and nothing else: "8 March 2025"."""
    if len(text) < _SHORTEST_NAMED:
        return False
    match = _NAMED_DAY.fullmatch(text)
    return match is not None and month_number(match["n3"] or match["n4"]) is not None


def _time_beside(text: str, dated: Dated, until: int) -> time | None:
    """The first time behind a date, up to `until`, else the first before it; None also
    for what no clock shows, such as 25:10."""
    match = _TIME.search(text, dated.end, until)
    match = match or _TIME.search(text, 0, dated.start)
    return _clock(match) if match else None


def dates(text: str, order: _Order = None, language: str = "") -> Iterator[Dated]:
    """All absolute dates of a text, in order.

    Read are ISO 8601, numbers with points, slashes or dashes, names of months in some
    fifty languages, Chinese, Japanese and Korean dates and eight digits. `order` says
    how 03/04/2021 is meant, `language` what a name means, see `parse_date`.
    """
    for match in _DATE.finditer(text):
        day = _day(match, order, language)
        if day:
            yield Dated(day, match.start(), match.end())


def _day(match: re.Match[str], order: _Order, language: str) -> date | None:
    """The day a match of `_DATE` means; None if there is no such day."""
    form = next(form for form in _FORMS if match[f"y{form}"])
    try:
        return _FORMS[form](match, form, _Reading(order, language))
    except ValueError:  # such as 31 February
        return None


def _from_digits(match: re.Match[str], form: str, _as: _Reading) -> date:
    """A form that says which number is the year, the month and the day."""
    year, month, day = match[f"y{form}"], match[f"m{form}"], match[f"d{form}"]
    return date(int(year), int(month), int(day))


def _from_month_name(match: re.Match[str], form: str, as_: _Reading) -> date | None:
    """A form with a word for the month; None if the word is no month."""
    month = month_number(match[f"n{form}"], as_.language)
    if month is None:
        return None
    return date(int(match[f"y{form}"]), month, int(match[f"d{form}"]))


def _from_ambiguous(match: re.Match[str], _form: str, as_: _Reading) -> date:
    """Two numbers and a year of two or four digits, whose order is not written."""
    order = as_.order
    first, second, year = int(match["a"]), int(match["b"]), int(match["y2"])
    if len(match["y2"]) == 2:
        if order == "YMD":
            return date(_in_century(first), second, year)
        year = _in_century(year)
    if _is_day_first(first, second, match[0], order):
        return date(year, second, first)
    return date(year, first, second)


def _in_century(year: int) -> int:
    """The full year that two digits mean: 1970 to 2069."""
    return year + (2000 if year < 70 else 1900)


def _is_day_first(first: int, second: int, text: str, order: _Order) -> bool:
    """A number above twelve is no month, whatever the declared order; points are
    written between day and month where the day comes first."""
    is_no_month = first > 12
    by_order = {
        "DMY": True,
        "MDY": is_no_month,
        "YMD": False,
        None: is_no_month or "." in text,
    }
    return second <= 12 and by_order[order]


# How each form of `_DATE` is read, by the number its groups end in.
_FORMS: dict[str, Callable[[re.Match[str], str, _Reading], date | None]] = {
    "1": _from_digits,
    "5": _from_digits,
    "6": _from_digits,
    "3": _from_month_name,
    "4": _from_month_name,
    "7": _from_month_name,
    "2": _from_ambiguous,
}


def _clock(match: re.Match[str]) -> time | None:
    """The time a match of `_TIME` means; None for what only looks like one.

    One form of it is written: "4:30 pm", "4 pm", "午後4時30分", "16 h 30" or "ore 16".
    """
    part = match.groupdict(default="")
    half = part["before"] + part["half"] + part["half2"] + part["before3"]
    hour = _hour_of_day(int("".join(map(part.__getitem__, _HOURS))), half.casefold())
    minute, second = (
        int("".join(map(part.__getitem__, _MINUTES)) or 0),
        int(part["s"] or 0),
    )
    minute += _HALF_AN_HOUR * bool(part["past"])
    try:
        return time(hour, minute, second, tzinfo=_zone(part["zone"]))
    except ValueError:  # such as 24:10, 10:00:75 or a zone of +99:99
        return None


def _hour_of_day(hour: int, half: str) -> int:
    """The hour on a clock of 24 hours; `half` is "", or a word for one half of a day, such
    as "am", "p. m." or "午後".

    An hour that fits no half of a day is left as it is: "15 am" is 15.
    """
    is_second = half.startswith(_SECOND_HALVES)
    if is_second and hour < 12:
        return hour + 12
    if half and not is_second and hour == 12:
        return 0
    return hour


def _zone(text: str) -> timezone | None:
    """The zone of "Z", "UTC", "GMT" or an offset such as "+02:00"; None for ""."""
    if not text:
        return None
    if text.upper() in ("Z", "UTC", "GMT"):
        return timezone(timedelta(0))
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
