"""Do values spread as they did? Magnitudes of numbers and lengths of texts, compared by their medians.

z is the shift of the median over its standard error (between earlier batches, robustly, and within this one); a
healthy batch passes z = 6 about twice in 10^9. The shift must also matter: a factor 3 for numbers, 2 for lengths, 8
for volatile fields, so that sales and new goods do not alarm. Without own history of the batch only a factor 20 is
worth a suspicion.
"""

from collections.abc import Iterator, Sequence
from math import log10, sqrt
from statistics import median
from typing import Any, NamedTuple

from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Spread
from crawloop_assets.drift.values import as_number
from crawloop_assets.schema import FieldKind, RecordSchema, Shape

_Z = 6.0
_LEAST = 10
_FACTOR = {"numbers": 3.0, "lengths": 2.0}
_VOLATILE = 8.0
_STRANGE = 20.0
_FLOOR = 0.02


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
        return self.z > _Z and self.factor >= self.limit


def spreads_of(
    schema: RecordSchema, outcomes: Sequence[PageOutcome]
) -> tuple[dict[str, Spread], dict[str, Spread]]:
    """(magnitudes of number fields, lengths of text fields) of a batch."""
    numbers, lengths = {}, {}
    for spec in schema.fields:
        if spec.shape is not Shape.ONE:
            continue
        values = [
            record.get(spec.name) for outcome in outcomes for record in outcome.values
        ]
        if spec.kind in (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES):
            numbers[spec.name] = _spread(
                [size for size in map(_magnitude, values) if size is not None]
            )
        elif spec.kind is FieldKind.TEXT:
            lengths[spec.name] = _spread(
                [log10(len(str(value))) for value in values if value]
            )
    return {k: v for k, v in numbers.items() if v.seen}, {
        k: v for k, v in lengths.items() if v.seen
    }


def _magnitude(value: Any) -> float | None:
    number = as_number(value)
    return log10(abs(number)) if number else None


def _spread(values: Sequence[float]) -> Spread:
    ordered = sorted(values)
    last = len(ordered) - 1
    deciles = (
        tuple(round(ordered[round(last * step / 10)], 4) for step in range(11))
        if ordered
        else ()
    )
    return Spread(seen=len(ordered), deciles=deciles)


def shifts(schema: RecordSchema, stats: BatchStats, norms: Norms) -> Iterator[Shift]:
    """How far the median of each field moved; fields without enough values or history
    are left out."""
    for kind, found in (("numbers", stats.numbers), ("lengths", stats.lengths)):
        for field, spread in found.items():
            past, own = norms.spreads(kind, field)
            if spread.seen < _LEAST or sum(seen for _, seen in past) < _LEAST:
                continue
            limit = _VOLATILE if schema.field(field).volatile else _FACTOR[kind]
            yield _shift(
                field, kind, spread, past, limit if own else _STRANGE
            )._replace(own=own)


def _shift(
    field: str,
    kind: str,
    spread: Spread,
    past: Sequence[tuple[float, int]],
    limit: float,
) -> Shift:
    usual = median(middle for middle, _ in past)
    between = 1.4826 * median(abs(middle - usual) for middle, _ in past)
    within = (
        1.2533 * (spread.deciles[9] - spread.deciles[1]) / 2.563 / sqrt(spread.seen)
    )
    move = abs(spread.median - usual)
    error = sqrt(between**2 + within**2 + _FLOOR**2)
    return Shift(field, kind, 10**move, limit, move / error)
