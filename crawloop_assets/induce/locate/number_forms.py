"""A number that a page writes in another form: not rounded, in cents, as so many signs, as on a clock,
before a digit for many ("28.1万")."""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from operator import itemgetter

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.values.numbers import NUMERAL_MARKS, before_many, parse_number
from crawloop_assets.values.signs import counted_signs

_Steps = tuple[Step, ...]

_MOST_DECIMALS = 9
_UNROUNDED = 2  # decimals too many; more are the result of a division, and no price
_CODED = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,3})(\d{1,4})(?!\d|[.,]\d)")
_BEFORE_CODE, _AFTER_CODE = r"(?:^|[\W\d_])", r"(\d+)"
_NUMERAL = rf"(\d[\d{NUMERAL_MARKS}]{{0,12}})"
_HUNDREDTHS = re.compile(r"[1-9]\d{2,11}")
"""What may be an amount in cents: a number of fewer digits may be anything."""
_ON_CLOCK = re.compile(r"\D{0,20}\d{1,2}:[0-5]\d(:[0-5]\d)?\D{0,20}")
_SIXTIETHS = Step(op=Op.SUM, args=("minutes",))
_WITHOUT_THIRD = Step(op=Op.REGEX, args=(r"\d+:\d+",))


def other_forms(text: str, wanted: Decimal) -> Iterator[_Steps]:
    """The steps that may make a text the wanted number, if it is that in another form."""
    for places in _rounded_places(parse_number(text) or wanted, wanted):
        yield (Step(op=Op.ROUND, args=(places,)),)
    if _HUNDREDTHS.fullmatch(text) and Decimal(text).scaleb(-2) == wanted:
        yield (Step(op=Op.SCALE, args=(-2,)),)
    if on_clock(text) == wanted:
        yield _clock_steps(text)
    for sign in counted_signs(text):
        yield (Step(op=Op.COUNT, args=(sign,)),)
    for many, number in before_many(text):
        if number == wanted:
            yield (Step(op=Op.REGEX, args=(_NUMERAL + many,)),)
    for name, number in coded_numbers(text):
        if number == wanted:
            pattern = f"{_BEFORE_CODE}{name}{_AFTER_CODE}"
            yield (Step(op=Op.REGEX, args=(pattern,)),)


def on_clock(text: str) -> Decimal | None:
    """The sixtieths that a text with one clock and no other number says: 90 of "1:30", be they minutes or seconds;
    those of the first two of "1:30:20". None of another text."""
    if not _ON_CLOCK.fullmatch(text):
        return None
    return Decimal(apply(_clock_steps(text), [text])[0])


def _clock_steps(text: str) -> _Steps:
    """What makes sixtieths of the clock of a text."""
    return (_WITHOUT_THIRD,) * (text.count(":") > 1) + (_SIXTIETHS,)


def code_of(pattern: str) -> str:
    """The letters, in small ones, behind which a pattern reads such a number; "" for
    another pattern."""
    is_coded = pattern.startswith(_BEFORE_CODE) and pattern.endswith(_AFTER_CODE)
    name = pattern.removeprefix(_BEFORE_CODE).removesuffix(_AFTER_CODE)
    return name.casefold() if is_coded else ""


def coded_numbers(text: str) -> Iterator[tuple[str, Decimal]]:
    """The numbers of a text right behind letters that no other of them has: 2 and 14 of
    "S02 E14". None of a text that is one code, "WS-C2960", whose letters say nothing."""
    found = _CODED.findall(text)
    names = Counter(map(itemgetter(0), found))
    for name, number in found:
        if len(found) > 1 and names[name] == 1:
            yield name, Decimal(number)


def _rounded_places(exact: Decimal, wanted: Decimal) -> range:
    """To how many places a longer number was rounded: as many as still give what is
    known; none for one that is no result of a division."""
    decimals = max(0, -int(exact.as_tuple().exponent))
    places = range(min(decimals, _MOST_DECIMALS))
    known = (at for at in places if Decimal(f"{exact:.{at}f}") == wanted)
    last = max(known, default=decimals)
    return range(last, last + (decimals - last >= _UNROUNDED))
