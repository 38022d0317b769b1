"""Do values spread as they did? Magnitudes of numbers and lengths of texts, compared by
their medians.

z is the shift of the median over its standard error (between earlier batches, robustly,
and within this one); a healthy batch passes z = 6 about twice in 10^9. The shift must
also matter: a factor 3 for numbers, 2 for lengths, 8 for volatile fields, so that sales
and new goods do not alarm; 3 for how many records a list has, which no sale changes.
Without own history of the batch only a factor 20 is worth a
suspicion.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import log10, sqrt
from statistics import median
from typing import NamedTuple

from crawloop_assets.drift.fields import NUMERIC_KINDS, has_records, single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Spread, valid_records
from crawloop_assets.drift.values import as_number
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

_Z = 6.0
_LEAST_VALUES = 10
_FACTOR = {"numbers": 3.0, "lengths": 2.0}
_VOLATILE_FACTOR = 8.0
_LIST_FACTOR = 3.0
_FOREIGN_FACTOR = 20.0
"""Allowed where only the family's other batches are known."""

_LEAST_ERROR = 0.02
"""Added to the standard error (log10), so that values that never moved may."""

_MAD_TO_SIGMA = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation."""

_MEDIAN_TO_MEAN = 1.2533
"""Standard error of the median over that of the mean."""

_DECILES_TO_SIGMA = 2.563
"""Standard deviations from the first to the ninth decile."""


class Shift(NamedTuple):
    """A field whose median moved by `factor` (>= 1), `limit` is allowed; `own`: history
    is that of the batch itself."""

    field: str
    kind: str
    factor: float
    limit: float
    z: float
    own: bool = True

    @property
    def failed(self) -> bool:
        """Whether the move is both significant and large."""
        if self.z <= _Z:
            return False
        return self.factor >= self.limit


def spreads_of(
    schema: RecordSchema, outcomes: Sequence[PageOutcome]
) -> tuple[dict[str, Spread], dict[str, Spread]]:
    """(magnitudes of number fields, lengths of text fields and of lists of records) of a
    batch, both log10 and by field; fields without any value are left out."""
    records = [record for _, _, record in valid_records(outcomes)]
    numbers: dict[str, Spread] = {}
    for spec in single_fields(schema, NUMERIC_KINDS):
        _add_spread(numbers, spec.name, _magnitudes(spec.name, records))
    lengths: dict[str, Spread] = {}
    texts = single_fields(schema, (FieldKind.TEXT,))
    for spec in chain(texts, filter(has_records, schema.fields)):
        _add_spread(lengths, spec.name, _lengths(spec.name, records))
    return numbers, lengths


def _add_spread(spreads: dict[str, Spread], field: str, sizes: Sequence[float]) -> None:
    """Add a field's spread if it has any values.

    Deciles are values that were seen, not means of two, and rounded to four digits.
    """
    if not sizes:
        return
    ordered = sorted(sizes)
    last = len(ordered) - 1
    positions = [round(last * step / 10) for step in range(11)]
    deciles = tuple(round(ordered[position], 4) for position in positions)
    spreads[field] = Spread(seen=len(ordered), deciles=deciles)


def _magnitudes(field: str, records: Sequence[Record]) -> list[float]:
    """log10 of the numbers that are not zero."""
    magnitudes = []
    for record in records:
        number = as_number(record.get(field))
        if number:
            magnitudes.append(log10(abs(number)))
    return magnitudes


def _lengths(field: str, records: Sequence[Record]) -> list[float]:
    """log10 of the lengths of texts in characters, and of lists in records."""
    lengths = []
    for record in records:
        value = record.get(field)
        if value:
            sized = value if isinstance(value, list) else str(value)
            lengths.append(log10(len(sized)))
    return lengths


def shifts(schema: RecordSchema, stats: BatchStats, norms: Norms) -> Iterator[Shift]:
    """How far the median of each field moved from those of earlier batches.

    Fields with fewer than ten values, now or in the history, are left out.
    """
    for kind, spreads in (("numbers", stats.numbers), ("lengths", stats.lengths)):
        for field, spread in spreads.items():
            past, is_own = norms.spreads(kind, field)
            past_values = sum(seen for _, seen in past)
            if min(spread.seen, past_values) < _LEAST_VALUES:
                continue
            limit = _allowed_factor(schema.field(field), kind, is_own)
            move, z = _move(spread, past)
            yield Shift(field, kind, 10**move, limit, z, is_own)


def _allowed_factor(spec: FieldSpec, kind: str, is_own: bool) -> float:
    """The factor from which on a shift matters; `is_own`: against the batch's own
    past."""
    if not is_own:
        return _FOREIGN_FACTOR
    if has_records(spec):
        return _LIST_FACTOR
    if spec.volatile:
        return _VOLATILE_FACTOR
    return _FACTOR[kind]


def _move(spread: Spread, past: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """How far a median is from those of earlier batches (log10), and how many standard
    errors that is.

    The error between batches is their median absolute deviation, that within the batch
    comes from its outer deciles; both are scaled as for normal distributions.
    """
    usual = median(middle for middle, _ in past)
    between = _MAD_TO_SIGMA * median(abs(middle - usual) for middle, _ in past)
    width = spread.deciles[9] - spread.deciles[1]
    within = _MEDIAN_TO_MEAN * width / _DECILES_TO_SIGMA / sqrt(spread.seen)
    error = sqrt(between**2 + within**2 + _LEAST_ERROR**2)
    move = abs(spread.median - usual)
    return move, move / error
