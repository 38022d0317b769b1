"""What a quote means where its words are no value yet: a choice, a yes or no, a date.

A model writes the words of the page, an arrow, and what they mean:
`Auf Lager => InStock`. Code reads the words itself where it can, and then the two have
to agree; where it cannot, what is said of a date has to be made of the numbers in its
words. Words that stand apart are parted by ` | `: `7 March | 2019 => 2019-03-07`.
"""

import re
from collections.abc import Set
from datetime import datetime

from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_ARROW, _APART = " => ", " | "
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"[^\W\d_]{3,}")
_NOON = 12
_CENTURY = 100
_HOW = {
    FieldKind.CHOICE: "the page's words => the choice they mean",
    FieldKind.BOOLEAN: "the page's words => true or false",
    FieldKind.DATE: "the page's words => YYYY-MM-DD",
    FieldKind.DATETIME: "the page's words => YYYY-MM-DDTHH:MM",
    FieldKind.URL: "one address, whole, as it stands in an attribute or in the JSON",
    FieldKind.NUMBER: "the number as it is written",
    FieldKind.INTEGER: "the number as it is written",
    FieldKind.MINUTES: "the duration with its units, as it is written",
}


def how_to_quote(spec: FieldSpec) -> str:
    """What a model is told to write for a field; "" where it just copies a text."""
    return _HOW.get(spec.kind, "")


def quoted_parts(text: str, spec: FieldSpec) -> list[str]:
    """The words of a quote that have to stand on the page."""
    words, _ = _halves(text, spec)
    return words.split(_APART) if spec.kind in _MAPPED else [words]


def meant_value(text: str, spec: FieldSpec, url: str) -> Value | None:
    """The typed value of a quote, None if it has none or means something else than it
    says."""
    words, meaning = _halves(text, spec)
    if spec.kind in _MAPPED:
        words = words.replace(_APART, " ")
    read = parse_value(words, spec, url)
    if not meaning:
        return read
    meant = parse_value(meaning, spec, url)
    if meant is None or meant == read:
        return meant
    return meant if _may_mean(words, meant, read, spec) else None


def _halves(text: str, spec: FieldSpec) -> tuple[str, str]:
    """The words of a quote, and what they are said to mean, "" if nothing is said."""
    if spec.kind not in _MAPPED or _ARROW not in text:
        return text, ""
    words, _, meaning = text.rpartition(_ARROW)
    return words.strip(), meaning.strip()


def _may_mean(words: str, meant: Value, read: Value | None, spec: FieldSpec) -> bool:
    """Whether words may mean what is said and code does not read in them: any choice
    where they name none, a date of their numbers in an order nobody declared."""
    if spec.kind not in _DATED:
        return read is None
    is_declared = None not in (read, spec.date_order)
    return not is_declared and _is_made_of(words, datetime.fromisoformat(str(meant)))


def _is_made_of(words: str, moment: datetime) -> bool:
    """Whether the numbers of a date stand in its words; the month may be a name, the
    hour one of twelve."""
    numbers = set(map(int, _NUMBER.findall(words)))
    has_year = not numbers.isdisjoint({moment.year, moment.year % _CENTURY})
    has_month = moment.month in numbers or _NAME.search(words) is not None
    has_day = moment.day in numbers
    return has_year and has_month and has_day and _has_time(numbers, moment)


def _has_time(numbers: Set[int], moment: datetime) -> bool:
    """Whether the hour and the minute are among some numbers; midnight need not be, nor
    a full hour's minute."""
    if moment.time() == datetime.min.time():
        return True
    has_hour = not numbers.isdisjoint({moment.hour, moment.hour % _NOON or _NOON})
    return has_hour and moment.minute in {0, *numbers}


_DATED = frozenset({FieldKind.DATE, FieldKind.DATETIME})
_MAPPED = _DATED | {FieldKind.CHOICE, FieldKind.BOOLEAN}
