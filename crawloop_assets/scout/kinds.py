"""What texts that stand at one place are: numbers, dates, addresses, or just texts."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.scout.sheet import SheetPlace
from crawloop_assets.values.currencies import currency_code, written_currency
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import word_set
from crawloop_assets.values.units import unit_behind, unit_named

_NAMES_OF_CODES = word_set(
    "id sku mpn gtin ean upc isbn barcode code phone tel telephone fax zip postcode plz number no nr serial asin vin"
)
"""Digits under these names are no amount."""
_LONGEST_NUMBER = 24
_MOST_DIGITS = 12
_LONGEST_DATE = 40
_DIGIT = re.compile(r"\d")
_AMOUNT = re.compile(rf"[-+−]?[\d][\d{NUMERAL_MARKS}'\s\u00a0\u202f]*")
_WORDS = re.compile(r"[^\W\d_]+\.?|[%°²]")
_FRACTION = re.compile(r"[.,]\d{1,2}(?!\d)|\d\.\d")
_PLAIN = re.compile(r"-?\d{1,12}\.\d{1,20}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH_OR_PARTS = re.compile(r"[^\W\d_]{3,}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_CHOICE = re.compile(r"https?://schema\.org/(\w+)")
_DURATION = re.compile(r"P(?:\d+D)?T[\dHMS.]+")
_WEB = re.compile("https?://")
_TIME = re.compile(r"\d{1,2}:\d\d")
_TRUTHS = frozenset(("true", "false"))
_OF_AMOUNT = (FieldKind.INTEGER, FieldKind.NUMBER)
_OF_DATE = (FieldKind.DATE, FieldKind.DATETIME)
"""By whether there are decimals, and whether there is a time."""
_STOCK = ("InStock", "OutOfStock")


class Typed(NamedTuple):
    """What the texts of a place are; `choices` of what names a few, `currency` and
    `unit` of amounts."""

    kind: FieldKind
    choices: tuple[str, ...] = ()
    currency: str = ""
    unit: str = ""


def typed_as(place: SheetPlace, name: str) -> Typed:
    """The kind that fits every text of a place."""
    texts = list(dict.fromkeys(place.texts()))
    for fits in _TESTS:
        typed = fits(texts, name, place)
        if typed is not None:
            return typed
    return Typed(FieldKind.TEXT)


_Test = Callable[[Sequence[str], str, SheetPlace], Typed | None]


def _truth(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    return Typed(FieldKind.BOOLEAN) if _TRUTHS.issuperset(texts) else None


def _choice(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    """Addresses of schema.org stand for the words they end with."""
    if not all(map(_CHOICE.fullmatch, texts)):
        return None
    named = {text.rpartition("/")[2] for text in texts}
    stock = named.intersection(_STOCK)
    return Typed(FieldKind.CHOICE, tuple(sorted(named.union(_STOCK[: 2 * len(stock)]))))


def _address(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    is_web = all(map(_WEB.match, texts))
    return Typed(FieldKind.URL) if any((place.is_link, is_web)) else None


def _duration(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    return Typed(FieldKind.MINUTES) if all(map(_DURATION.fullmatch, texts)) else None


def _date(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    """Dates that name their year, written as such."""
    if not all(map(_looks_like_date, texts)):
        return None
    kind = _OF_DATE[all(map(_TIME.search, texts))]
    return _if_read(Typed(kind), texts)


def _if_read(typed: Typed, texts: Sequence[str]) -> Typed | None:
    """The kind, if every text can be read as it."""
    spec = FieldSpec(name="field", kind=typed.kind)
    read = map(parse_value, texts, repeat(spec))
    return None if None in read else typed


def _looks_like_date(text: str) -> bool:
    """Whether a short text has a year and a month or three parts."""
    if len(text) > _LONGEST_DATE or not _YEAR.search(text):
        return False
    return bool(_MONTH_OR_PARTS.search(text))


def _number(texts: Sequence[str], name: str, place: SheetPlace) -> Typed | None:
    """Amounts: one number each, with nothing but a currency or a unit beside it."""
    if not _NAMES_OF_CODES.isdisjoint(name.split("_")):
        return None
    if not all(map(is_one_amount, texts)):
        return None
    currency = only_one(map(written_currency, texts))
    unit = only_one(map(unit_behind, map(_behind, texts)))
    has_parts = any([currency, *map(_FRACTION.search, texts)])
    kind = _OF_AMOUNT[has_parts]
    return _if_read(Typed(kind, currency=currency, unit=unit), texts)


def is_one_amount(text: str) -> bool:
    """Whether a text is one number, maybe with a currency or a unit."""
    if _PLAIN.fullmatch(text):
        return True
    digits = len(_DIGIT.findall(text))
    if len(text) > _LONGEST_NUMBER or not 0 < digits <= _MOST_DIGITS:
        return False
    if len(_AMOUNT.findall(text)) != 1 or re.match(r"0\d", text):
        return False
    before, behind = map(_WORDS.findall, _AMOUNT.split(text))
    return all(chain(map(currency_code, before), map(_is_of_amount, behind)))


def _is_of_amount(word: str) -> bool:
    """Whether a word stands behind amounts: a currency or a unit. Before one a unit is
    a letter of a code, as in "T-2026"."""
    return bool(currency_code(word) or unit_named(word.rstrip(".")))


def _behind(text: str) -> str:
    """What stands behind the number of a text."""
    match = _AMOUNT.search(text)
    return text[match.end() :] if match else ""


def only_one(said: Iterable[str]) -> str:
    """What all that say something say; "" if they differ or nobody does."""
    different = {*said, ""} - {""}
    return "".join(different) if len(different) == 1 else ""


_TESTS: tuple[_Test, ...] = (_truth, _choice, _address, _duration, _date, _number)
"""The first that fits decides."""
