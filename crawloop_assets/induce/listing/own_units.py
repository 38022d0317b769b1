"""Numbers in one unit where rows say them in several: "850 m²" here, "2.4 ha" there.

Known numbers that stand as they are with their unit do not show it; read so, the other rows
would be wrong by the size of their unit.
"""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import numbers
from crawloop_assets.values.units import unit_behind


def in_own_unit(
    spec: FieldSpec, judged: list[FoundReader], others: Sequence[Scope]
) -> list[FoundReader]:
    """Readers but for those of a number as it is, where one of as many known ones reads it
    in its unit, and another one so in other rows."""
    units = list(filter(_is_in_unit, judged))
    plain = list(filterfalse(_is_in_unit, judged))
    right = max(map(attrgetter("right"), plain), default=0.0)
    for unit in units:
        if unit.right >= right and any(map(partial(_differs, spec, unit), others)):
            return [unit]
    return plain or units


def _is_in_unit(found: FoundReader) -> bool:
    """Whether a reader reads a number in a unit."""
    return any(step.op is Op.UNIT for step in found.reader.pipe)


def _differs(spec: FieldSpec, unit: FoundReader, row: Scope) -> bool:
    """Whether a row says its number in another unit: read as it is, it is another one, or none;
    or one of another thing alone: 14 of "14 GB" is no number of months."""
    pipe = tuple(step for step in unit.reader.pipe if step.op is not Op.UNIT)
    plain = unit.reader.model_copy(update={"pipe": pipe})
    said, other = (read(one, row, spec) for one in (unit.reader, plain))
    if said is None:
        return other is not None and _has_unit(
            "".join(transformed_texts(plain, row)[:1])
        )
    return not same(other, said, spec)


def _has_unit(text: str) -> bool:
    """Whether the first number of a text stands with a unit."""
    first = next(iter(numbers(text)), None)
    return first is not None and bool(unit_behind(text[first.end :]))
