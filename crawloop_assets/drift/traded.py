"""Two fields of a record that stand in each other's place: the departure where the arrival
was, the views where the offers were.

Both move from day to day, so neither says what the other one said. But where one of them
was never above the other in all that is known, and is now in nearly all that moved, they
have not moved: they have changed places.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.fields import MOMENTS, single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import as_number
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.present import present

_FEWEST = 5
"""Records in which two fields changed places: fewer may be news."""
_FEWEST_KNOWN = 8
_NEARLY_ALL = 0.95
"""So many known records, and so many of them, have two fields in one order where that is a law."""
_MOST = 0.8
"""So many of those in which both moved are in the other order where it is broken."""


_Two = tuple[float, float]


class _Both(NamedTuple):
    """Two fields of a record then and now, as numbers."""

    pair: RecordPair
    then: _Two
    now: _Two

    @property
    def was(self) -> float:
        """How far the first one was above the other."""
        return self.then[0] - self.then[1]

    @property
    def is_now(self) -> float:
        """How far it is now."""
        return self.now[0] - self.now[1]

    @property
    def tells(self) -> bool:
        """Whether both moved, and one was and is above the other."""
        first, second = map(float.__ne__, self.then, self.now)
        return all((first, second, self.was, self.is_now))


def traded_places(
    spec: FieldSpec, schema: RecordSchema, pairs: Sequence[RecordPair]
) -> set[int]:
    """The known records (by id of their pair) in which a field has changed places with
    another one of its kind."""
    measure = _MEASURES.get(spec.kind)
    if measure is None:
        return set()
    found: set[int] = set()
    for other in single_fields(schema, (spec.kind,)):
        known = list(_both((spec, other), measure, pairs))
        # All moments move on, and those that changed places may be as near to their own.
        found.update(_traded(known, slack=float(spec.kind in MOMENTS)))
    return found


def _traded(known: Sequence[_Both], slack: float) -> Iterator[int]:
    """The records in which two fields changed places, if their order was a law and most of
    those that tell break it."""
    was = list(map(attrgetter("was"), known))
    counts = sum(map((0.0).__lt__, was)), sum(map((0.0).__gt__, was))
    telling = list(filter(attrgetter("tells"), known))
    turned = list(filter(partial(_are_turned, slack), telling))
    is_law = max(counts) >= max(_FEWEST_KNOWN, _NEARLY_ALL * sum(counts))
    if is_law and len(turned) >= max(_FEWEST, _MOST * len(telling)):
        yield from (id(one.pair) for one in turned)


def _are_turned(slack: float, both: _Both) -> bool:
    """Whether the other one of two fields is above now, and both are nearer to where the
    other was, but for so much."""
    own, crossed = _far(both.then, both.now), _far(both.then, both.now[::-1])
    return crossed < own + slack and both.was * both.is_now < 0


def _far(these: _Two, those: _Two) -> float:
    """How far two numbers are from two others."""
    return abs(these[0] - those[0]) + abs(these[1] - those[1])


def _both(
    specs: Sequence[FieldSpec], measure: "_Measure", pairs: Sequence[RecordPair]
) -> Iterator[_Both]:
    """The records of which both fields are known, and are read now."""
    for pair in pairs:
        measured = partial(_measured, measure)
        then = present(map(partial(measured, pair.old), specs))
        now = present(map(partial(measured, pair.new), specs))
        if len(then) == len(now) == len(specs):
            yield _Both(pair, (then[0], then[1]), (now[0], now[1]))


def _measured(measure: "_Measure", record: Record, spec: FieldSpec) -> float | None:
    """What a record says in a field."""
    return measure(canonical(record.get(spec.name), spec))


def _seconds(form: Any) -> float | None:
    """A moment as a number; a crawler may return whatever it likes for one."""
    try:
        return datetime.fromisoformat(str(form)).timestamp()
    except ValueError:
        return None


_Measure = Callable[[Any], float | None]
_MEASURES: dict[FieldKind, _Measure] = {
    FieldKind.DATE: _seconds,
    FieldKind.DATETIME: _seconds,
    FieldKind.NUMBER: as_number,
    FieldKind.INTEGER: as_number,
}
"""What makes values of a kind numbers that compare."""
