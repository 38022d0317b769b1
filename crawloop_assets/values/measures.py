"""A number and the unit beside it, in another unit: "650 m" is 0.65 km, "€1.2m" is
1200000.

Only what is exact is converted, and only where one number of a text stands with such a
unit, or the parts of one measure do: "1 h 59 min" is 119 min.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, Inexact, localcontext
from functools import partial
from itertools import islice, pairwise, starmap
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.durations import with_units
from crawloop_assets.values.numbers import Number, numbers, plainly
from crawloop_assets.values.units import unit_named

ONE = "one"
"""The unit of what is counted, or is money: "900k" is 900000 of it."""

_SIZES = (
    "mg:1 g:1000 kg:1000000 t:1000000000",
    "oz:1 lb:16",
    "ml:1 cl:10 l:1000",
    "mm:1 cm:10 m:1000 km:1000000",
    "inch:1 ft:12",
    "m²:1 ha:10000 km²:1000000",
    "w:1 kw:1000",
    "wh:1 kwh:1000",
    "hz:1 mhz:1000000 ghz:1000000000",
    "min:1 h:60 day:1440 week:10080",
    "month:1 year:12",
    "kb:1 mb:1000 gb:1000000 tb:1000000000",
)
_BINARY = "kib:1 mib:1024 gib:1048576 tib:1073741824"
_WRITTEN = {"kib": "kb", "mib": "mb", "gib": "gb", "tib": "tb"}
"""A site that says "GB" may count in thousands, or in 1024s: each is a unit of its own."""
_MANY = {
    1_000: "k tsd tausend thousand tys tis тыс",
    100_000: "lakh lac",
    1_000_000: "m mio mln mn million millions millionen milhões milhão milioni млн",
    10_000_000: "crore cr",
    1_000_000_000: "bn mrd mld milliard milliards milliarden miliardi млрд",
}
_FACTORS = {word: many for many, words in _MANY.items() for word in words.split()}
_UNCERTAIN = frozenset(
    ["mil", "b", "mm", "billion", "billions", "billionen", "billones", "trillion"]
)
"""Words that are another number in another language."""
_WORD = re.compile(r"(\s?)([^\W\d_]+[²2]?|)(?!\w)")
_IN_PARTS = re.compile(r"\d\s?([^\W\d_]{1,12})\.?\s?\d{1,4}\s?([^\W\d_]{1,12})(?!\w)")
_UNIT_ONLY = re.compile(r"\s?[^\W\d_]{1,12}\.?\s?")
_MOST_NUMBERS = 8


def _sizes(line: str) -> dict[str, Decimal]:
    """The sizes of units that are of one kind, in the smallest of them."""
    pairs = (pair.split(":") for pair in line.split())
    return {unit: Decimal(size) for unit, size in pairs}


_GROUPS = {unit: group for group in map(_sizes, (*_SIZES, _BINARY)) for unit in group}
UNITS = frozenset((*_GROUPS, ONE))
"""The units that a number can be read in."""


class _Measure(NamedTuple):
    """A number, and how much one of its unit is in the smallest unit of its kind."""

    number: Number
    size: Decimal

    @property
    def amount(self) -> Decimal:
        """How much it is in the smallest unit."""
        return self.number.value * self.size


def in_unit(text: str, unit: str, decimal: str = "") -> Decimal | None:
    """The number of a text in a unit; None where no number, or several that are no parts
    of one measure, stand with one of its kind, and where it is not exactly so much.
    `decimal`: see `parse_number`."""
    text = with_units(plainly(text))
    found = islice(numbers(text, decimal), _MOST_NUMBERS)
    measures = _measures(text, list(found), unit)
    fewest = 1 + is_in_parts(text)
    is_one = all(starmap(partial(_go_on, text), pairwise(measures)))
    if len(measures) < fewest or not is_one:
        return None
    try:
        with localcontext() as exact:
            exact.traps[Inexact] = True
            return sum(map(attrgetter("amount"), measures), Decimal(0)) / _size(unit)
    except Inexact:
        return None


def _go_on(text: str, larger: _Measure, smaller: _Measure) -> bool:
    """Whether a measure goes on with one of a smaller unit, less than one of the larger:
    nothing but the unit stands between "1 h" and "59 min"."""
    between = text[larger.number.end : smaller.number.start]
    is_next = _UNIT_ONLY.fullmatch(between) is not None
    return is_next and smaller.amount < larger.size


def is_in_parts(text: str) -> bool:
    """Whether a text says one measure in two units of a kind, the larger one first: of
    "1 h 59 min" and "2 kg 500 g" neither number is all."""
    return any(map(_are_parts, _IN_PARTS.finditer(text)))


def _are_parts(match: re.Match[str]) -> bool:
    """Whether the second of two units is a smaller one of the kind of the first."""
    larger, smaller = (unit_named(word) or word.casefold() for word in match.groups())
    sizes = _GROUPS.get(larger, {})
    return sizes.get(larger, 0) > sizes.get(smaller, sizes.get(larger, 0))


def written_unit(unit: str) -> str:
    """How a unit is called beside a number; "" for that of what is counted."""
    return "" if unit == ONE else _WRITTEN.get(unit, unit)


def other_units(text: str, decimal: str = "") -> Iterator[str]:
    """The units in which the number of a text may be read, too."""
    return (unit for unit in sorted(UNITS) if in_unit(text, unit, decimal) is not None)


def _size(unit: str) -> Decimal:
    """How much one of a unit is in the smallest of its kind."""
    return Decimal(1) if unit == ONE else _GROUPS[unit][unit]


def _measures(text: str, found: Sequence[Number], unit: str) -> list[_Measure]:
    """The numbers of a text that stand with a unit of a kind; all of them where things
    are counted, of which one that stands with no number of things makes none."""
    sizes = [_size_behind(text[one.end :], unit) for one in found]
    pairs = zip(found, sizes, strict=True)
    made = [_Measure(one, size) for one, size in pairs if size is not None]
    is_whole = unit != ONE or len(made) == len(found)
    return made * is_whole


def _size_behind(behind: str, unit: str) -> Decimal | None:
    """The size of the unit that a text begins with, if it is one of a kind."""
    match = _WORD.match(behind)
    if match is None:
        return None
    space, word = match.groups()
    if unit == ONE:
        return _many(word, is_apart=bool(space) or not word)
    return _sizes_of(_GROUPS[unit]).get(unit_named(word) or word.casefold())


def _sizes_of(group: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """The sizes of a kind of units, by all names that stand beside numbers."""
    named = {_WRITTEN[unit]: size for unit, size in group.items() if unit in _WRITTEN}
    return {**group, **named}


def _many(word: str, *, is_apart: bool) -> Decimal | None:
    """How many a word behind a number makes of each of it; 1 for what is counted, None
    for what may be another number."""
    form = word.casefold()
    if form in _FACTORS:
        return Decimal(_FACTORS[form])
    is_counted = is_apart or currency_code(word) is not None
    return Decimal(1) if is_counted and form not in _UNCERTAIN else None
