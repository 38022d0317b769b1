"""A number by its order among those of its text: 1 of "2 – 1".

Where other pages show a time or a day in that place ("18:00"), its second number is none of
the field, though it is the second one: a text without moments where the value is known says
that no text with one is read.
"""

from collections.abc import Iterator
from functools import partial
from itertools import compress, count
from operator import eq

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.moments import has_moment
from crawloop_assets.values.numbers import is_falling_pair, numerals
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_Steps = tuple[Step, ...]

_MOST = 6  # how far back among the numbers of a text a value may be
_LAST = -1
_WITHOUT_MOMENTS: _Steps = (Step(op=Op.WITHOUT, args=("moments",)),)


def says_two(text: str, spec: FieldSpec) -> bool:
    """Whether a text of a field of one number says two, of which the first is no larger
    on other pages: what reads "29 – 20" as it is takes "20 – 29" for a range."""
    return spec.kind in _NUMBERS and is_falling_pair(text)


def by_order(text: str, wanted: Value, decimal: str = "") -> Iterator[_Steps]:
    """The steps that read the wanted number by its order: by its place from the end where
    it is the last of several ("3 to 4 servings" on one page, "12 servings" on another),
    and from the beginning; `decimal`: see `parse_number`."""
    found = numerals(text, decimal)
    is_last = len(found) > 1 and found[_LAST] == wanted
    places = compress(count(), map(partial(eq, wanted), found[:_MOST]))
    only = () if has_moment(text) else _WITHOUT_MOMENTS
    for index in (*[_LAST] * is_last, *places):
        yield (*only, Step(op=Op.NUMBER, args=(index, decimal)))
