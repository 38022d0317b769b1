"""Transforms that may turn the texts of one location into known values."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.text_pipes import SEPARATORS, text_pipes
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.value import Value

_Pipe = tuple[Step, ...]
_Pair = tuple[str, Value]  # a text of the page, the value it should give

_MOST_PIPES = 24
_MOST_NUMBERS = 4
"""Numbers of a text that are tried."""
_LONGEST_NUMBERS = 500
_LONGEST_DATES = 4000
"""Characters of a text in which numbers and dates are looked for."""


def pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> list[_Pipe]:
    """Candidate pipes for texts and the values they should give, plain ones first.

    Whether one is right, only running it tells.
    """
    if spec.shape is not Shape.ONE:
        return [(), *_splits(pairs)]
    match spec.kind:
        case FieldKind.DATE | FieldKind.DATETIME:
            return _by_count(_date_pipes(spec, pairs))
        case FieldKind.NUMBER | FieldKind.INTEGER:
            return _by_count(_number_pipes(spec, pairs))
        case FieldKind.URL:
            return [(), *_by_count(_url_pipes(pairs))]
        case FieldKind.TEXT | FieldKind.CHOICE:
            return [(), *text_pipes(pairs)]
        case _:
            return [()]


def _by_count(found: Iterable[_Pipe]) -> list[_Pipe]:
    """Distinct pipes, those that came up most often first, at most 24."""
    counts = Counter(found)
    ranked = sorted(counts, key=lambda pipe: (-counts[pipe], len(pipe), str(pipe)))
    return ranked[:_MOST_PIPES]


def _splits(pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    for separator in SEPARATORS:
        if any(separator in text for text, _ in pairs):
            yield (Step(op=Op.SPLIT, args=(separator,)),)


def _date_pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """Which date of a text it is, counted from its start or its end."""
    for text, value in pairs:
        found = dates(text[:_LONGEST_DATES], spec.date_order)
        days = [dated.day.isoformat() for dated in found]
        wanted = str(value)[:10]
        for index, day in enumerate(days):
            if day != wanted:
                continue
            # A time would be lost with a step that gives the day only.
            if spec.kind is FieldKind.DATE:
                yield from _steps_to(index, len(days))
            else:
                yield ()


def _steps_to(index: int, count: int) -> Iterator[_Pipe]:
    """Pipes to one of several dates; the first is read without any."""
    if index == 0:
        yield ()
    else:
        yield (Step(op=Op.DATE, args=(index,)),)
    if index == count - 1:
        yield (Step(op=Op.DATE, args=(-1,)),)


def _number_pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """Which number of a text it is."""
    for text, value in pairs:
        wanted = canonical(value, spec)
        for index in range(_MOST_NUMBERS):
            number = parse_number(text[:_LONGEST_NUMBERS], index, "")
            if number is None or canonical(f"{number:f}", spec) != wanted:
                continue
            yield (Step(op=Op.NUMBER, args=(index, "")),) if index else ()


def _url_pipes(pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """What is between the quotes of a script or of markup in a text."""
    for text, _ in pairs:
        if 'href="' in text:
            yield (Step(op=Op.BETWEEN, args=('href="', '"')),)
        for mark in "'\"":
            if text.count(mark) >= 2:
                yield (Step(op=Op.BETWEEN, args=(mark, mark)),)
