"""Spans of days as pages write them: "12–14 June 2026", "28 May to 2 June 2026"."""

import re
from datetime import date

from crawloop_assets.values.months import month_number

_LONGEST = 2_000  # characters of a text that is looked through
_BETWEEN = r"\s?(?:[-–—−~〜～]|\bto\b|\btill?\b|\buntil\b|\bthrough\b|\bbis\b|\bau\b|\bal?\b|\btot\b|\bt/m\b|\bdo\b)\s?"
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?"
_NAME = r"(?P<{0}>[^\W\d_]{{3,12}})\.?"
_OF = r"\s(?:de\s)?"
_YEAR = r"(?P<{0}>(?:19|20)\d{{2}})(?!\d)"
_DAY_FIRST = (
    rf"(?<![\d.,/]){_DAY.format('d1')}(?:{_OF}{_NAME.format('n1')})?{_BETWEEN}"
    rf"(?:[^\W\d_]{{2,10}}\.?\s)?{_DAY.format('e1')}{_OF}{_NAME.format('m1')},?\s(?:de\s)?{_YEAR.format('y1')}"
)
_MONTH_FIRST = (
    rf"\b{_NAME.format('n2')}\s{_DAY.format('d2')}{_BETWEEN}"
    rf"(?:{_NAME.format('m2')}\s)?{_DAY.format('e2')},?\s{_YEAR.format('y2')}"
)
_DOTTED = (
    rf"(?<![\d.,/])(?P<d3>\d{{1,2}})\.(?:(?P<n3>\d{{1,2}})\.)?{_BETWEEN}"
    rf"(?P<e3>\d{{1,2}})\.(?P<m3>\d{{1,2}})\.{_YEAR.format('y3')}"
)
_CJK = (
    r"(?P<y4>\d{4})\s?[年년]\s?(?P<n4>\d{1,2})\s?[月월]\s?(?P<d4>\d{1,2})\s?[日일]\s?[-–—~〜～]\s?"
    r"(?:(?P<m4>\d{1,2})\s?[月월]\s?)?(?P<e4>\d{1,2})\s?[日일]"
)
_SPAN = re.compile("|".join((_DAY_FIRST, _MONTH_FIRST, _DOTTED, _CJK)), re.IGNORECASE)


def spelled_out(text: str) -> str:
    """A text with both days of each span written in full, as ISO 8601 has them: of
    "12–14 June 2026" the first day alone is none that could be read. What is no span
    stays as it is."""
    return _SPAN.sub(_both_days, text[:_LONGEST]) + text[_LONGEST:]


def _both_days(match: re.Match[str]) -> str:
    """The first and the last day; what is matched if one is none, or the last is the
    earlier one."""
    try:
        start, end = _days_of(match)
    except ValueError:  # such as 31 February
        return match[0]
    return f"{start} – {end}" if start < end else match[0]


def _days_of(match: re.Match[str]) -> tuple[date, date]:
    """The first and the last day of a span, in the year that it names: of two months the
    later one may be of the year before. ValueError for what is no day."""
    form = (match.lastgroup or "")[-1:]
    first_day, first_month, day, month, year = (
        match[f"{part}{form}"] for part in "dnemy"
    )
    # The month may be said of one of the days alone.
    start, end = _month(first_month or month), _month(month or first_month)
    years = int(year) - (start > end), int(year)
    return date(years[0], start, int(first_day)), date(years[1], end, int(day))


def _month(name: str) -> int:
    """The month that a name or a number is; 0 for what is none, in which no day is."""
    return int(name) if name.isdigit() else month_number(name) or 0
