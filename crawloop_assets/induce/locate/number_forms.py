"""A number that a page writes in another form: not rounded, in cents, as so many signs."""

import re
from collections.abc import Iterator
from decimal import Decimal

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.signs import counted_signs

_Steps = tuple[Step, ...]

_MOST_DECIMALS = 9
_UNROUNDED = 2  # decimals too many; more are the result of a division, and no price
_HUNDREDTHS = re.compile(r"[1-9]\d{2,11}")
"""What may be an amount in cents: a number of fewer digits may be anything."""


def other_forms(text: str, wanted: Decimal) -> Iterator[_Steps]:
    """The steps that may make a text the wanted number, if it is that in another form."""
    for places in _rounded_places(parse_number(text) or wanted, wanted):
        yield (Step(op=Op.ROUND, args=(places,)),)
    if _HUNDREDTHS.fullmatch(text) and Decimal(text).scaleb(-2) == wanted:
        yield (Step(op=Op.SCALE, args=(-2,)),)
    for sign in counted_signs(text):
        yield (Step(op=Op.COUNT, args=(sign,)),)


def _rounded_places(exact: Decimal, wanted: Decimal) -> range:
    """To how many places a longer number was rounded: as many as still give what is
    known; none for one that is no result of a division."""
    decimals = max(0, -int(exact.as_tuple().exponent))
    places = range(min(decimals, _MOST_DECIMALS))
    known = (at for at in places if Decimal(f"{exact:.{at}f}") == wanted)
    last = max(known, default=decimals)
    return range(last, last + (decimals - last >= _UNROUNDED))
