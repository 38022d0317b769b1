"""The closed vocabulary of transforms: each takes the texts read so far and returns
texts.

Pure, bounded, total.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from itertools import filterfalse
from operator import attrgetter
from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator

from crawloop_assets.crawler.group_headings import unheaded
from crawloop_assets.crawler.srcset import largest_of_srcset
from crawloop_assets.pattern.judge import searched
from crawloop_assets.values.counts import uncounted
from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.dates import dates
from crawloop_assets.values.durations import parse_minutes
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.measures import UNITS, in_unit
from crawloop_assets.values.moments import has_moment
from crawloop_assets.values.numbers import parse_number, plain
from crawloop_assets.values.spans import spelled_out
from crawloop_assets.values.text import compared_form, skeleton

_Texts = list[str]
_Arg = str | int
_Item = TypeVar("_Item")


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
    SCALE = "scale"  # power of ten: the number in another unit
    COUNT = "count"  # sign: how often it stands there, as of stars
    HAS = "has"  # words, 1 or 0: that where they stand, else the other
    UNIT = "unit"  # unit, decimal point: the number beside a unit, in this one
    DATE = "date"  # index
    SPAN = "span"  # both days of "12–14 June 2026" written in full
    EPOCH = "epoch"  # seconds or milliseconds since 1970: the moment
    SUM = "sum"  # minutes or number: all that are read as such, added up
    REGEX = "regex"  # pattern that backtracks little; its first group, else all of it
    TEMPLATE = "template"  # text with one {}
    SRCSET = "srcset"
    CURRENCY = "currency"
    MAP = "map"  # from, to
    DROP = "drop"  # text: leave items equal to it out
    LONGER = "longer"  # n: keep items of at least n characters
    WITHOUT = "without"  # headings of groups of items, counts: the numbers of items, moments: texts with a day or a time
    SHORTER = "shorter"  # n: keep items of at most n characters
    TAKE = "take"  # n: the first n items
    DEDUPE = "dedupe"


class Step(BaseModel):
    """One transform with its arguments; call it with texts.

    Raises ValueError (pydantic) for arguments the operation does not take.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: Op
    args: tuple[_Arg, ...] = ()

    @model_validator(mode="after")
    def _typed(self) -> Self:
        """Refuses arguments of a wrong number or type, and patterns that could run for
        long, before a program with them is ever stored."""
        types = _OPS[self.op][1]
        if not _fit(self.args, types):
            names = ", ".join(map(attrgetter("__name__"), types))
            raise ValueError(f"{self.op.value} takes ({names}), not {self.args!r}")
        if self.args and self.args[0] not in _WORDS.get(self.op, self.args):
            raise ValueError(f"{self.op.value} does not know {self.args[0]!r}")
        if self.op is Op.REGEX:
            _compiled(str(self.args[0]))
        return self

    def __str__(self) -> str:
        """As programs are shown to people: `after('Price:')`."""
        if not self.args:
            return self.op.value
        return f"{self.op.value}({', '.join(map(repr, self.args))})"

    def __call__(self, texts: _Texts) -> _Texts:
        return _OPS[self.op][0](texts, *self.args)


def _fit(args: Sequence[_Arg], types: Sequence[type]) -> bool:
    """Whether arguments are as many, and of the types, as an operation takes."""
    return len(args) == len(types) and all(map(isinstance, args, types))


_BEYOND = re.compile(r"[*+}]\s*\)\s*[*+{?]|\\[1-9]|\(\?(?!:)|[*+}][*+]")
"""What no pattern of a program needs: a group of repeats repeated, what was read once
more, a look ahead or back."""
_MOST_PATTERN_CHARS = 200
_MOST_SEARCHED_CHARS = 20_000  # bounds the time of patterns that backtrack


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled and judged once; ValueError, which pydantic reports, if it is
    malformed or could run for long."""
    if len(pattern) > _MOST_PATTERN_CHARS or _BEYOND.search(pattern):
        raise ValueError(f"pattern {pattern!r} is too long or repeats a repeat")
    return searched(pattern)


def apply(steps: Sequence[Step], texts: _Texts) -> _Texts:
    """The texts after all steps; a step that leaves nothing is the last one."""
    for step in steps:
        if not texts:
            return texts
        texts = step(texts)
    return texts


def _each(change: Callable[..., str | None]) -> Callable[..., _Texts]:
    """A transform that changes text by text; what it makes None or empty goes."""

    def change_all(texts: _Texts, *args: _Arg) -> _Texts:
        changed = (change(text, *args) for text in texts)
        return list(filter(None, changed))

    return change_all


def _where(is_wanted: Callable[..., bool]) -> Callable[..., _Texts]:
    """A transform that leaves out texts."""

    def keep_wanted(texts: _Texts, *args: _Arg) -> _Texts:
        return [text for text in texts if is_wanted(text, *args)]

    return keep_wanted


def _item_at(items: Sequence[_Item], index: int) -> _Item | None:
    """The item at an index, from the end if negative; None beyond either end."""
    if -len(items) <= index < len(items):
        return items[index]
    return None


def _strip_prefix(text: str, prefix: str) -> str:
    """Whatever its case; a text without it stays as it is."""
    if not text.casefold().startswith(prefix.casefold()):
        return text
    return text[len(prefix) :].lstrip()


def _strip_suffix(text: str, suffix: str) -> str:
    """Whatever its case; a text without it stays as it is."""
    if not suffix or not text.casefold().endswith(suffix.casefold()):
        return text
    return text[: -len(suffix)].rstrip()


def _after(text: str, mark: str) -> str:
    """Nothing where the mark is missing; an empty mark is an end of the text."""
    if not mark:
        return text
    return text.partition(mark)[2].strip()


def _before(text: str, mark: str) -> str:
    """Nothing where the mark is missing; an empty mark is an end of the text."""
    if not mark:
        return text
    before, found, _ = text.partition(mark)
    if not found:
        return ""
    return before.strip()


def _between(text: str, start: str, stop: str) -> str:
    """Nothing where a mark is missing; an empty mark is an end of the text."""
    return _before(_after(text, start), stop)


def _split(texts: _Texts, separator: str) -> _Texts:
    """A separator of blanks only stands for any white space."""
    parts: _Texts = []
    for text in texts:
        if separator.strip():
            parts.extend(map(str.strip, text.split(separator)))
        else:
            parts.extend(text.split())
    return list(filter(None, parts))


def _part(text: str, separator: str, index: int) -> str | None:
    """One of the texts between separators, None if there are fewer; an empty separator
    parts nothing."""
    parts = text.split(separator) if separator else [text]
    part = _item_at(parts, index)
    if part is None:
        return None
    return part.strip()


def _nth(texts: _Texts, index: int) -> _Texts:
    """The text at an index, negative from the end; nothing if there are fewer."""
    text = _item_at(texts, index)
    return [] if text is None else [text]


def _number(text: str, index: int, decimal: str) -> str | None:
    """The number at an index among those of the text, as a plain decimal."""
    return _written(parse_number(text, index, decimal), "f")


def _written(number: Decimal | None, form: str) -> str | None:
    """A number as text that reads back as itself; `form` is a format specification."""
    if number is None:
        return None
    return plain(format(number, form))


_MOST_PLACES = 9  # decimal places a number can be rounded to


def _round(text: str, places: int) -> str | None:
    """The first number, rounded; nothing for places that no number can have, which a
    program from elsewhere may name."""
    if not 0 <= places <= _MOST_PLACES:
        return None
    return _written(parse_number(text), f".{places}f")


_MOST_ZEROS = 9  # that another unit adds to a number, or takes from it


def _scale(text: str, power: int) -> str | None:
    """The first number times a power of ten, such as -2 for cents; nothing for one that
    no unit has, which a program from elsewhere may name."""
    number = parse_number(text)
    if number is None or abs(power) > _MOST_ZEROS:
        return None
    return _written(number.scaleb(power), "f")


def _unit(text: str, unit: str, decimal: str) -> str | None:
    """The one number that stands with a unit of a kind, in another unit."""
    return _written(in_unit(text, unit, decimal), "f")


def _count(text: str, sign: str) -> str | None:
    """How often a sign stands in a text; nothing where it does not."""
    return str(text.count(sign)) if sign and sign in text else None


def _has(text: str, words: str, truth: int) -> str:
    """A flag that is said by words, whatever their case, or by their absence."""
    return str(int((words.casefold() in text.casefold()) == bool(truth)))


def _date(text: str, index: int) -> str | None:
    """The date at an index among those of the text, as it is written there."""
    match = _item_at(list(dates(text)), index)
    if match is None:
        return None
    return text[match.start : match.end]


def _epoch(text: str) -> str | None:
    """The moment that a number of seconds or milliseconds is, in UTC."""
    moment = counted_moment(text)
    return None if moment is None else moment.isoformat()


def _sum(texts: _Texts, kind: str) -> _Texts:
    """The sum of all durations (in minutes) or numbers, as one text; other texts count
    for nothing."""
    parts = [part for part in map(_SUMMED[kind], texts) if part is not None]
    if not parts:
        return []
    return [plain(format(sum(parts, Decimal(0)), "f"))]


_SUMMED: dict[str, Callable[[str], Decimal | int | None]] = {
    "minutes": parse_minutes,
    "number": parse_number,
}


def _regex(text: str, pattern: str) -> str | None:
    """The first group of the first match, or all of it if there are no groups."""
    match = _compiled(pattern).search(text[:_MOST_SEARCHED_CHARS])
    if match is None:
        return None
    if match.re.groups:
        return match[1]
    return match[0]


def _template(text: str, template: str) -> str:
    """The template with the text in place of each {}."""
    return template.replace("{}", text)


def _map(text: str, given: str, meant: str) -> str:
    """Other texts than the given one stay as they are."""
    if compared_form(text) == compared_form(given):
        return meant
    return text


def _drop(texts: _Texts, unwanted: str) -> _Texts:
    """Without the texts that are equal but for case, marks and white space."""
    form = skeleton(unwanted)
    return [text for text in texts if skeleton(text) != form]


def _longer(text: str, least: int) -> bool:
    """Whether a text has this many characters or more."""
    return len(text) >= least


_LEFT_OUT: dict[str, Callable[[_Texts], _Texts]] = {
    "headings": unheaded,
    "counts": uncounted,
    "moments": lambda texts: list(filterfalse(has_moment, texts)),
}
_WORDS = {
    Op.SUM: frozenset(_SUMMED),
    Op.WITHOUT: frozenset(_LEFT_OUT),
    Op.UNIT: UNITS,
}


def _shorter(text: str, most: int) -> bool:
    """Whether a text has this many characters or fewer."""
    return len(text) <= most


def _dedupe(texts: _Texts) -> _Texts:
    """The first of those that are equal but for case, marks and white space."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(skeleton(text), text)
    return list(first.values())


_OPS: dict[Op, tuple[Callable[..., _Texts], tuple[type, ...]]] = {
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
    Op.SCALE: (_each(_scale), (int,)),
    Op.UNIT: (_each(_unit), (str, str)),
    Op.COUNT: (_each(_count), (str,)),
    Op.HAS: (_each(_has), (str, int)),
    Op.DATE: (_each(_date), (int,)),
    Op.SPAN: (_each(spelled_out), ()),
    Op.EPOCH: (_each(_epoch), ()),
    Op.SUM: (_sum, (str,)),
    Op.REGEX: (_each(_regex), (str,)),
    Op.TEMPLATE: (_each(_template), (str,)),
    Op.SRCSET: (_each(largest_of_srcset), ()),
    Op.CURRENCY: (_each(currency_code), ()),
    Op.MAP: (_each(_map), (str, str)),
    Op.DROP: (_drop, (str,)),
    Op.LONGER: (_where(_longer), (int,)),
    Op.WITHOUT: (lambda texts, kind: _LEFT_OUT[kind](texts), (str,)),
    Op.SHORTER: (_where(_shorter), (int,)),
    Op.TAKE: (lambda texts, count: texts[: max(count, 0)], (int,)),
    Op.DEDUPE: (_dedupe, ()),
}
