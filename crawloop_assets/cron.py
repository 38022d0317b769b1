"""A cron, as a family file says when all of its pages are asked for again.

What Dagster takes and never comes, or comes by chance, is refused as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MACROS = (
    "@hourly",
    "@daily",
    "@midnight",
    "@weekly",
    "@monthly",
    "@yearly",
    "@annually",
)
_LONGEST_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_SPECIAL = re.compile(r"#|\bl")


@dataclass(frozen=True)
class _Part:
    """One of the five: its numbers, the names that stand for them, and what else it may
    be."""

    says: str
    first: int
    last: int
    names: Sequence[str] = ()
    special: re.Pattern[str] = re.compile("(?!)")

    def numbers(self, text: str) -> Iterator[int]:
        """All that the part means; of what is special, none.

        ValueError for what it cannot be.
        """
        for item in text.split(","):
            if not self.special.fullmatch(item):
                yield from self._of(item)

    def _of(self, item: str) -> Iterator[int]:
        """The numbers of one item of the list."""
        match = re.fullmatch(r"(?:\*|(\w+)(?:-(\w+))?)(?:/(\d{1,2}))?", item)
        if match is None:
            raise ValueError(f"{item!r} is no {self.says}")
        start, end, step = match.groups()
        low = self.first if start is None else self._number(start)
        open_end = low if start and not step else self.last
        high = open_end if end is None else self._number(end)
        every = int(step or 1)
        if not 1 <= every <= self.last:
            raise ValueError(f"{item!r} is no {self.says}")
        if high < low:  # fri-mon
            yield from range(self.first, high + 1)
            high = self.last
        yield from range(low, high + 1, every)

    def _number(self, text: str) -> int:
        """A number of this part, or what one of its names stands for."""
        if text in self.names:
            return self.first + self.names.index(text)
        if (
            re.fullmatch(r"\d{1,2}", text, re.A)
            and self.first <= int(text) <= self.last
        ):
            return int(text)
        raise ValueError(f"{text!r} is no {self.says} ({self.first} to {self.last})")


_MINUTE = _Part("minute of a cron", 0, 59)
_HOUR = _Part("hour of a cron", 0, 23)
_DAY = _Part("day of a cron", 1, 31, special=re.compile("l"))
_MONTH = _Part(
    "month of a cron",
    1,
    12,
    (
        "jan",
        "feb",
        "mar",
        "apr",
        "may",
        "jun",
        "jul",
        "aug",
        "sep",
        "oct",
        "nov",
        "dec",
    ),
)
_WEEKDAY = _Part(
    "day of the week of a cron",
    0,
    7,
    ("sun", "mon", "tue", "wed", "thu", "fri", "sat"),
    special=re.compile("[0-6]#[1-4]|l[0-6]"),
)


def cron_of(text: str) -> str:
    """As written; ValueError for what is no cron, or never comes."""
    if text in _MACROS:
        return text
    parts = text.lower().split()
    if len(parts) != 5:
        raise ValueError(
            "a cron has five parts, minute, hour, day, month and day of the week, such as "
            f"0 5 * * *, or is one of {', '.join(_MACROS)}"
        )
    minute, hour, day, month, weekday = parts
    for part, said in ((_MINUTE, minute), (_HOUR, hour), (_WEEKDAY, weekday)):
        tuple(part.numbers(said))
    if _SPECIAL.search(f"{day} {weekday}") and (
        "*" not in (day, weekday) or "," in day + weekday
    ):
        raise ValueError("`L` and `#` are alone, with `*` as the other kind of day")
    days = tuple(_DAY.numbers(day))
    longest = max(_LONGEST_MONTHS[one - 1] for one in _MONTH.numbers(month))
    if days and min(days) > longest:
        raise ValueError(f"no month of {month!r} has a day {day!r}: it never comes")
    return text
