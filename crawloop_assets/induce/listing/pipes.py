"""Transforms that may turn the texts of one location into known values."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.text_pipes import SEPARATORS, text_pipes
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.value import Value

_Pipe = tuple[Step, ...]
_Pair = tuple[str, Value]  # a text of the page, the value it should give

_ABSENT = object()
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
    """Cuts at the separators that the texts have."""
    texts = [text for text, _ in pairs]
    for separator in SEPARATORS:
        is_used = any(separator in text for text in texts)
        if is_used:
            yield (Step(op=Op.SPLIT, args=(separator,)),)


def _date_pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """Which date of a text it is, counted from its start or its end."""
    for text, value in pairs:
        found = dates(text[:_LONGEST_DATES], spec.date_order, spec.language)
        days = [dated.day.isoformat() for dated in found]
        for index in _indices(str(value)[:10], days):
            # A time would be lost with a step that gives the day only.
            if spec.kind is FieldKind.DATE:
                yield from _steps_to(index, len(days))
            else:
                yield ()


def _indices(wanted: object, found: Sequence[object]) -> list[int]:
    """Where something is in a sequence."""
    return [index for index, item in enumerate(found) if item == wanted]


def _steps_to(index: int, count: int) -> Iterator[_Pipe]:
    """Pipes to one of several dates."""
    yield _nth(Op.DATE, index)
    if index == count - 1:
        yield (Step(op=Op.DATE, args=(-1,)),)


def _nth(op: Op, index: int, *others: str) -> _Pipe:
    """A pipe to one of several things of a text; the first is read without any."""
    if index == 0:
        return ()
    return (Step(op=op, args=(index, *others)),)


def _number_pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """Which number of a text it is."""
    for text, value in pairs:
        forms = [
            _number_form(spec, text[:_LONGEST_NUMBERS], index)
            for index in range(_MOST_NUMBERS)
        ]
        for index in _indices(canonical(value, spec), forms):
            yield _nth(Op.NUMBER, index, "")


def _number_form(spec: FieldSpec, text: str, index: int) -> Hashable:
    """One of the numbers of a text as values are compared; _ABSENT if it has fewer."""
    number = parse_number(text, index, "")
    if number is None:
        return _ABSENT
    return canonical(f"{number:f}", spec)


def _url_pipes(pairs: Sequence[_Pair]) -> Iterator[_Pipe]:
    """What is between the quotes of a script or of markup in a text."""
    for text, _ in pairs:
        if 'href="' in text:
            yield (Step(op=Op.BETWEEN, args=('href="', '"')),)
        for mark in "'\"":
            if text.count(mark) >= 2:
                yield (Step(op=Op.BETWEEN, args=(mark, mark)),)
