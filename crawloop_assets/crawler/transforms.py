"""The closed vocabulary of transforms: each takes the texts read so far and returns
texts.

Pure, bounded, total.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

from crawloop_assets.values.counts import uncounted
from crawloop_assets.values.dates import dates
from crawloop_assets.values.numbers import parse_minutes, parse_number, plain
from crawloop_assets.values.text import clean, skeleton

Texts = list[str]
Arg = str | int


class Op(StrEnum):
    """What a transform does; its arguments are in `_OPS`."""

    STRIP_PREFIX = "strip_prefix"  # text: cut it off where it stands
    STRIP_SUFFIX = "strip_suffix"
    AFTER = "after"  # text: what follows it; nothing if it is not there
    BEFORE = "before"
    BETWEEN = "between"  # a, b
    SPLIT = "split"  # separator: one text -> many
    PART = "part"  # separator, index
    JOIN = "join"  # separator: many texts -> one
    FIRST = "first"
    LAST = "last"
    NTH = "nth"  # index
    NUMBER = "number"  # index, decimal point ("" = guess)
    ROUND = "round"  # decimal places
    DATE = "date"  # index
    SUM_MINUTES = "sum_minutes"
    REGEX = "regex"  # pattern without nested repeats; its first group, else all of it
    TEMPLATE = "template"  # text with one {}
    SRCSET = "srcset"
    CURRENCY = "currency"
    MAP = "map"  # from, to
    DROP = "drop"  # text: leave items equal to it out
    LONGER = "longer"  # n: keep items of at least n characters
    UNHEADED = "unheaded"  # leave out what heads a group of items: it ends in a colon or is all in capitals
    UNCOUNTED = (
        "uncounted"  # cut texts at the numbers that count them, and leave those out
    )
    SHORTER = "shorter"  # n: keep items of at most n characters
    TAKE = "take"  # n: the first n items
    DEDUPE = "dedupe"


class Step(BaseModel):
    """One transform with its arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: Op
    args: tuple[Arg, ...] = ()

    @model_validator(mode="after")
    def _typed(self) -> Self:
        wanted = _OPS[self.op][1]
        if len(self.args) != len(wanted) or not all(
            isinstance(arg, kind) for arg, kind in zip(self.args, wanted, strict=True)
        ):
            names = ", ".join(kind.__name__ for kind in wanted)
            raise ValueError(f"{self.op.value} takes ({names}), not {self.args!r}")
        if self.op is Op.REGEX:
            check_pattern(str(self.args[0]))
        return self

    def __str__(self) -> str:
        return (
            f"{self.op.value}({', '.join(repr(arg) for arg in self.args)})"
            if self.args
            else self.op.value
        )

    def __call__(self, texts: Texts) -> Texts:
        return _OPS[self.op][0](texts, *self.args)


_NESTED_REPEAT = re.compile(r"[*+}]\s*\)\s*[*+{?]|\\[1-9]|\(\?(?!:)|[*+}][*+]")


def check_pattern(pattern: str) -> None:
    """Raise ValueError for a pattern that is malformed or could take exponential
    time."""
    if (
        len(pattern) > 200
        or _NESTED_REPEAT.search(pattern)
        or sum(pattern.count(mark) for mark in "*+") > 12
    ):
        raise ValueError(f"pattern {pattern!r} is too long or repeats a repeat")
    _pattern(pattern)


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"pattern {pattern!r}: {error}") from error


def apply(steps: Sequence[Step], texts: Texts) -> Texts:
    """The texts after all steps."""
    for step in steps:
        if not texts:
            return texts
        texts = step(texts)
    return texts


def _each(change: Callable[..., str | None]) -> Callable[..., Texts]:
    def run(texts: Texts, *args: Arg) -> Texts:
        changed = (change(text, *args) for text in texts)
        return [text for text in changed if text]

    return run


def _strip_prefix(text: str, prefix: str) -> str:
    return (
        text[len(prefix) :].lstrip()
        if text.casefold().startswith(prefix.casefold())
        else text
    )


def _strip_suffix(text: str, suffix: str) -> str:
    return (
        text[: -len(suffix)].rstrip()
        if suffix and text.casefold().endswith(suffix.casefold())
        else text
    )


def _after(text: str, mark: str) -> str | None:
    _, found, rest = text.partition(mark)
    return rest.strip() if found else None


def _before(text: str, mark: str) -> str | None:
    rest, found, _ = text.partition(mark)
    return rest.strip() if found else None


def _between(text: str, start: str, stop: str) -> str | None:
    inner = _after(text, start) if start else text
    return _before(inner, stop) if inner and stop else inner


def _split(texts: Texts, separator: str) -> Texts:
    parts = (
        part.strip()
        for text in texts
        for part in (text.split(separator) if separator.strip() else text.split())
    )
    return [part for part in parts if part]


def _part(text: str, separator: str, index: int) -> str | None:
    parts = text.split(separator)
    return parts[index].strip() if -len(parts) <= index < len(parts) else None


def _nth(texts: Texts, index: int) -> Texts:
    return [texts[index]] if -len(texts) <= index < len(texts) else []


def _number(text: str, index: int, decimal: str) -> str | None:
    found = parse_number(text, index, decimal)
    return None if found is None else plain(f"{found:f}")


def _round(text: str, places: int) -> str | None:
    found = parse_number(text)
    return (
        None if found is None or not 0 <= places <= 9 else plain(f"{found:.{places}f}")
    )


def _date(text: str, index: int) -> str | None:
    found = list(dates(text))
    return (
        text[found[index].start : found[index].end]
        if -len(found) <= index < len(found)
        else None
    )


def _sum_minutes(texts: Texts) -> Texts:
    minutes = [parse_minutes(text) for text in texts]
    known = [value for value in minutes if value is not None]
    return [str(sum(known))] if known else []


def _regex(text: str, pattern: str) -> str | None:
    match = _pattern(pattern).search(text[:20_000])
    return (match[1] if match.re.groups else match[0]) if match else None


def _template(text: str, template: str) -> str:
    return template.replace("{}", text)


_CANDIDATE = re.compile(r"\s*(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)")


def _srcset(text: str) -> str | None:
    """The largest image of a srcset."""
    found = [
        (Decimal(match[2] or 1), match[1])
        for match in _CANDIDATE.finditer(text)
        if match[1]
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


_CURRENCIES = {
    "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN",
    "kč": "CZK", "ft": "HUF", "lei": "RON", "₺": "TRY", "r$": "BRL", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "nz$": "NZD", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH", "fr": "CHF", "rs": "INR",
}  # fmt: skip
_CODES = (
    "USD|EUR|GBP|JPY|INR|RUB|KRW|PLN|CZK|HUF|RON|TRY|BRL|AUD|CAD|NZD|ILS|THB|VND|UAH|CHF|SEK|NOK|DKK|CNY|HKD|SGD|MXN|"
    "ZAR|AED|SAR|BGN"
)
_CODE = re.compile(rf"\b(?:{_CODES})\b")
_SIGN = re.compile(
    r"[^\W\d_]{0,2}\$|[€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|kč|ft|lei|fr|rs)\b", re.IGNORECASE
)


def _currency(text: str) -> str | None:
    """ISO 4217 code of the currency a text names by code or sign."""
    code = _CODE.search(text)
    if code:
        return code[0]
    sign = _SIGN.search(text)
    return _CURRENCIES.get(sign[0].casefold()) if sign else None


def _map(text: str, given: str, meant: str) -> str:
    return meant if skeleton(text) == skeleton(given) else text


def _drop(texts: Texts, unwanted: str) -> Texts:
    form = skeleton(unwanted)
    return [text for text in texts if skeleton(text) != form]


def _longer(texts: Texts, least: int) -> Texts:
    return [text for text in texts if len(text) >= least]


_LEAST_CAPITALS = 5


def is_heading(text: str) -> bool:
    """True for an item that reads as the heading of those after it: "For the sauce:",
    "FILLING"."""
    return _introduces(text) or _is_capital(text)


def _introduces(text: str) -> bool:
    return clean(text).endswith((":", "："))


def _is_capital(text: str) -> bool:
    if (
        not text.isupper()
    ):  # of most texts this is all there is to know, and it costs next to nothing
        return False
    text = clean(text)
    return sum(map(str.isalpha, text)) >= _LEAST_CAPITALS and not any(
        map(str.isdigit, text)
    )


def _unheaded(texts: Texts) -> Texts:
    loud = 2 * sum(map(_is_capital, texts)) > len(
        texts
    )  # then capitals are how all items are written
    kept = [
        text
        for text in texts
        if not _introduces(text) and (loud or not _is_capital(text))
    ]
    return kept or texts


def _shorter(texts: Texts, most: int) -> Texts:
    return [text for text in texts if len(text) <= most]


def _dedupe(texts: Texts) -> Texts:
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(skeleton(text), text)
    return list(first.values())


_OPS: dict[Op, tuple[Callable[..., Texts], tuple[type, ...]]] = {
    Op.STRIP_PREFIX: (_each(_strip_prefix), (str,)),
    Op.STRIP_SUFFIX: (_each(_strip_suffix), (str,)),
    Op.AFTER: (_each(_after), (str,)),
    Op.BEFORE: (_each(_before), (str,)),
    Op.BETWEEN: (_each(_between), (str, str)),
    Op.SPLIT: (_split, (str,)),
    Op.PART: (_each(_part), (str, int)),
    Op.JOIN: (lambda texts, separator: [separator.join(texts)], (str,)),
    Op.FIRST: (lambda texts: texts[:1], ()),
    Op.LAST: (lambda texts: texts[-1:], ()),
    Op.NTH: (_nth, (int,)),
    Op.NUMBER: (_each(_number), (int, str)),
    Op.ROUND: (_each(_round), (int,)),
    Op.DATE: (_each(_date), (int,)),
    Op.SUM_MINUTES: (_sum_minutes, ()),
    Op.REGEX: (_each(_regex), (str,)),
    Op.TEMPLATE: (_each(_template), (str,)),
    Op.SRCSET: (_each(_srcset), ()),
    Op.CURRENCY: (_each(_currency), ()),
    Op.MAP: (_each(_map), (str, str)),
    Op.DROP: (_drop, (str,)),
    Op.LONGER: (_longer, (int,)),
    Op.UNHEADED: (_unheaded, ()),
    Op.UNCOUNTED: (uncounted, ()),
    Op.SHORTER: (_shorter, (int,)),
    Op.TAKE: (lambda texts, count: texts[: max(count, 0)], (int,)),
    Op.DEDUPE: (_dedupe, ()),
}
