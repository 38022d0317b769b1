"""Numbers of data are rounded as the known values were: what is 4.5 on one page is the
result of a division, 4.338461538, on another."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_FEWEST_DECIMALS = 2  # cents: a known value of 4.5 may have been 4.50


def rounded(reader: Reader, spec: FieldSpec, known: Sequence[Value | None]) -> Reader:
    """The reader, which rounds to as many decimals as the last known values have.

    Only readers of JSON numbers without other transforms are changed.
    """
    values = present(known)
    if not values or not _reads_raw_number(reader, spec):
        return reader
    decimals = max(_FEWEST_DECIMALS, *map(_decimals, values))
    step = Step(op=Op.ROUND, args=(decimals,))
    return reader.model_copy(update={"pipe": (step,)})


def _reads_raw_number(reader: Reader, spec: FieldSpec) -> bool:
    """True for a reader that gives a number of JSON as it is written."""
    is_number = (spec.kind, spec.shape) == (FieldKind.NUMBER, Shape.ONE)
    return is_number and (reader.src, reader.pipe) == (Source.JSON, ())


def _decimals(value: Value) -> int:
    """How many digits are written after the point."""
    return len(str(value).partition(".")[2])
