"""Counts numbers of a known record that moved farther than any of their field did, two
of one record in the same refresh.

One far number is news: a price is halved, an old stock is sold. Two different ones of
one record are chance upon chance; the numbers of another record are like that.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.bonds import is_money
from crawloop_assets.drift.changes import FieldChange, RecordPair, changes_of
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.number_signs import shortest_step
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sales import is_sale
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

_TWO = 2
_MONEY = "money"
"""A price and the former one move together: both are one thing."""


@dataclass
class FarTally(Tally):
    """AFAR of a field; `steps` has (page, step) of its counts that did not show it. What
    prices did is counted as REPRICED."""

    steps: list[tuple[int, float]] = field(default_factory=list)

    def add(self, moved: "_Moved", has_sign: bool) -> None:
        """Count one number."""
        change = moved.change
        self.seen += 1
        if has_sign:
            self.hits.append(Hit(change.pair.page, change.before, change.after))
        elif change.spec.kind is FieldKind.INTEGER:
            self.steps.append((change.pair.page, moved.step))

    def forget(self, pages: Collection[int]) -> None:
        """Also the steps."""
        super().forget(pages)
        left = [step for step in self.steps if step[0] not in pages]
        self.seen -= len(self.steps) - len(left)
        self.steps = left


class _Moved(NamedTuple):
    change: FieldChange
    step: float
    is_far: bool


def count_afar_signs(
    schema: RecordSchema,
    pairs: Sequence[RecordPair],
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count AFAR of every number that may change every day and did, but for sales: of so
    many the history says how far they move."""
    kinds = (FieldKind.NUMBER, FieldKind.INTEGER)
    specs = list(filter(attrgetter("volatile"), single_fields(schema, kinds)))
    of_field = {
        spec: list(_moved(changes_of(spec, pairs, outcomes), norms)) for spec in specs
    }
    far = {
        (id(one.change.pair), _thing(spec))
        for spec, moved in of_field.items()
        for one in moved
        if one.is_far
    }
    things = Counter(pair for pair, _ in far)
    for spec, moved in of_field.items():
        tally = FarTally(Sign.AFAR, spec.name)
        for one in moved:
            are_two = things[id(one.change.pair)] >= _TWO
            tally.add(one, has_sign=one.is_far and are_two)
        if moved:
            tallies.put(tally)


def _moved(changes: Iterator[FieldChange], norms: Norms) -> Iterator[_Moved]:
    """The numbers that are other ones, and how far they moved."""
    for change in changes:
        before, after = as_positive(change.before), as_positive(change.after)
        if before is None or after in (None, before) or _is_sale(change):
            continue
        step = shortest_step(change)
        yield _Moved(change, step, norms.is_farthest_ever(change.spec.name, step))


def _is_sale(change: FieldChange) -> bool:
    """Whether a sale begins or ends in it."""
    is_amount = change.spec.kind is FieldKind.NUMBER
    return is_amount and is_sale(change.spec.name, change.pair.old, change.pair.new)


def _thing(spec: FieldSpec) -> str:
    """What a field is a number of."""
    return _MONEY if is_money(spec) else spec.name
