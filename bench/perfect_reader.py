"""A reader that knows what a page says and quotes it as it stands there.

It finds the places of a true value on the page by the value alone, not by how the
project reads texts: a date by its numbers and the name of its month, a picture by where
an attribute leads, a choice by usual words for it. What it is shown decides which of the
places it may quote.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property, partial
from urllib.parse import urljoin

from crawloop_assets.document.document import Document
from crawloop_assets.document.hidden import Hidden
from crawloop_assets.llm.evidence import PageText
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.durations import parse_minutes
from crawloop_assets.values.months import month_number
from crawloop_assets.values.numbers import numbers
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_MOST_CHARS = 160
"""Of a text that is quoted for anything but itself."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGITS = re.compile(r"\d+")
_DAY_NUMBERS = re.compile(r"\d{4}|\d+[-/.]\d+[-/.]\d+")
_UNSEEN = ("script", "style", "noscript", "template")
_MEANS = {
    "InStock": "instock available enstock auflager lieferbar addtocart addtobag addtobasket sofortlieferbar disponible "
    "inwinkelwagen onhand dispo pretaexpedier inbag disponibile disponibilitàimmediata aggiungialcarrello ajouteraupanier",
    "OutOfStock": "outofstock soldout unavailable nichtlieferbar ausverkauft notavailable currentlyunavailable "
    "nondisponibile actuellementindisponible indisponible épuisé esaurito",
}
"""Words for a choice, by their letters."""


@dataclass(frozen=True)
class Pieces:
    """What a reader of a page sees, and what stands in attributes: texts, each with the
    address it resolves against."""

    page: Page

    @cached_property
    def texts(self) -> list[str]:
        """Texts of elements, long ones too, and attributes."""
        return list(dict.fromkeys(self._found()))

    @cached_property
    def whole(self) -> str:
        """The letters of everything."""
        return letters(" ".join(self.texts))

    @cached_property
    def links(self) -> Mapping[str, str]:
        """What stands in an attribute, by where it leads."""
        found = {}
        for text in self.texts:
            for one in (text, *text.replace(", ", " ").split()):
                try:
                    found.setdefault(urljoin(self.page.base_url, one), one)
                except ValueError:
                    continue
        return found

    def _found(self) -> Iterator[str]:
        tree = deepcopy(Document(self.page).tree)
        hidden = Hidden(tree)
        for element in list(tree.iter("*")):
            if element.tag in _UNSEEN or hidden.hides(element):
                element.clear(keep_tail=True)
        for element in tree.iter("*"):
            yield from map(str, element.attrib.values())
            yield " ".join("".join(map(str, element.itertext())).split())


def quotes_of(spec: FieldSpec, value: Value, pieces: Pieces) -> list[str]:
    """The texts of a page that say a value, the shortest first; none if the page does
    not show it."""
    return sorted(_QUOTED.get(spec.kind, _texts)(str(value), spec, pieces), key=len)


@dataclass(frozen=True)
class Stated:
    """A value of a record that its page shows, and the texts that say it there."""

    spec: FieldSpec
    value: Value
    quotes: Sequence[str]

    def quoted(self, shown: PageText) -> str | None:
        """What the reader answers: the first text that it is shown, with its meaning
        where that is asked for; None if it is shown none."""
        quote = next(
            (text for text in self.quotes if all(map(shown.holds, text.split(" | ")))),
            None,
        )
        if quote is None or self.spec.kind not in _EXPLAINED:
            return quote
        return f"{quote} => {self.value}"


def _texts(value: str, _spec: FieldSpec, pieces: Pieces) -> list[str]:
    """The value itself, where it stands on the page."""
    form = letters(value)
    return [value] if form and form in pieces.whole else []


def _numbers(value: str, _spec: FieldSpec, pieces: Pieces) -> list[str]:
    """Numbers as they are written."""
    wanted = Decimal(value)
    found = {
        text[number.start : number.end]: number.value
        for text in _short(pieces)
        for number in numbers(text)
    }
    return [text for text, number in found.items() if number == wanted]


def _durations(value: str, _spec: FieldSpec, pieces: Pieces) -> list[str]:
    """Texts that name a duration."""
    return [text for text in _short(pieces) if parse_minutes(text) == int(value)]


def _links(value: str, _spec: FieldSpec, pieces: Pieces) -> list[str]:
    """What leads to an address."""
    found = pieces.links.get(value)
    return [found] if found else []


def _choices(value: str, spec: FieldSpec, pieces: Pieces) -> list[str]:
    """Words that say one of the choices."""
    forms = {letters(value), *map(letters, _MEANS.get(value, "").split())}
    return [
        text for text in _short(pieces) if letters(text.rpartition("/")[2]) in forms
    ]


def _dates(value: str, _spec: FieldSpec, pieces: Pieces) -> list[str]:
    """Texts with the numbers of a date, its month by number or name, and its time; the
    time may stand elsewhere."""
    moment = datetime.fromisoformat(value)
    days = list(filter(partial(_says_day, moment), _short(pieces)))
    if moment.time() == datetime.min.time() or not days:
        return days
    timed = list(filter(partial(_says_time_too, moment), days))
    if timed:
        return timed
    clocks = list(filter(partial(_says_time, moment), _short(pieces)))
    return [f"{min(days, key=len)} | {min(clocks, key=len)}"] if clocks else []


def _says_time_too(moment: datetime, text: str) -> bool:
    """Whether a text has the time of a moment beside what may be the numbers of its
    day."""
    return _says_time(moment, _DAY_NUMBERS.sub(" ", text))


def _says_time(moment: datetime, text: str) -> bool:
    """Whether a text has the hour and minute of a moment, by one of two clocks."""
    hour, half = moment.hour % 12 or 12, "p" if moment.hour >= 12 else "a"
    minute = f"[:.]{moment.minute:02}" if moment.minute else "(?:[:.]00)?"
    twelve = rf"(?<!\d){hour}{minute}\s*{half}\.?m"
    full = rf"(?<!\d)0?{moment.hour}[:.h]{moment.minute:02}(?!\d)(?!\s*[ap]\.?m)"
    return re.search(f"{twelve}|{full}", text, re.IGNORECASE) is not None


def _says_day(moment: datetime, text: str) -> bool:
    """Whether a text has the year, the day and the month of a moment."""
    found = {int(number) for number in _DIGITS.findall(text) if len(number) < 5}
    years = {moment.year, moment.year % 100}
    if moment.day not in found or found.isdisjoint(years):
        return False
    is_named = moment.month in map(month_number, _WORD.findall(text))
    if is_named:
        return True
    digits = list(map(int, _DIGITS.findall(text)))
    return sorted((moment.day, moment.month)) in [
        sorted(digits[at : at + 2]) for at in range(len(digits) - 1)
    ]


def _short(pieces: Pieces) -> Iterator[str]:
    """The texts that are short enough to be quoted."""
    return (text for text in pieces.texts if 0 < len(text) <= _MOST_CHARS)


_EXPLAINED = frozenset(
    {FieldKind.CHOICE, FieldKind.BOOLEAN, FieldKind.DATE, FieldKind.DATETIME}
)
_QUOTED: Mapping[FieldKind, Callable[[str, FieldSpec, Pieces], list[str]]] = {
    FieldKind.NUMBER: _numbers,
    FieldKind.INTEGER: _numbers,
    FieldKind.MINUTES: _durations,
    FieldKind.URL: _links,
    FieldKind.CHOICE: _choices,
    FieldKind.DATE: _dates,
    FieldKind.DATETIME: _dates,
}
