"""Counts the signs of known numbers that are other ones now: by how much they changed,
and whether a sale explains it."""

from collections.abc import Iterator
from math import log, log10, sqrt

from crawloop_assets.drift.changes import FieldChange, has_rows
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import numeral_form, shown_form, struck_form
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.sales import is_sale
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind

_JUMP = log(2.6)

FACTORS = {FieldKind.NUMBER: (10, 100, 1000), FieldKind.INTEGER: (100, 1000)}
"""Factors by which misread units and decimal marks are off, by kind of number."""

_FACTOR_TOLERANCE = 0.02
_LEAST_COUNT = 10
"""Smaller whole numbers change by such factors in a day."""

_LEAST_DIGITS = 3
"""Numbers of fewer digits stand on any page."""


def count_number_signs(change: FieldChange, norms: Norms, tallies: Tallies) -> None:
    """Count FACTOR, JUMP, LEAP, REPRICED, STRIDE, ROUNDED, KEPT, UNENDED and FALLEN of a known
    number: by how much it changed, if the field holds one."""
    if not change.is_single:
        return
    before = as_positive(change.before)
    if before is None:
        return
    after = as_positive(change.after)
    if after is None:
        return
    match change.spec.kind:
        case FieldKind.NUMBER:
            _count_amount(change, before, after, norms, tallies)
        case FieldKind.INTEGER:
            _count_whole_number(change, before, after, norms, tallies)


def _count_amount(
    change: FieldChange, before: float, after: float, norms: Norms, tallies: Tallies
) -> None:
    """A price, a weight: whether a unit or a decimal mark is misread, or it jumped.

    What a sale explains is neither.
    """
    sale = is_sale(change.spec.name, change.pair.old, change.pair.new)
    is_factor = _is_factor(after / before, change.spec.kind)
    change.add_to(tallies, Sign.FACTOR, is_factor and not sale)
    # Of what always moves a page may show yesterday's as well.
    is_telling = not norms.moves(change.spec.name)
    is_beside = is_telling and _is_beside_lower(change, before, after)
    is_wrong = has_leapt(before, after) or is_beside
    change.add_to(tallies, Sign.JUMP, is_wrong and not sale)
    is_other = after != before and not sale
    if change.spec.volatile:
        _count_repriced(change, norms, tallies, is_other=is_other)
    # In a list the number of one row stands in another one as well.
    if is_other and is_telling and not has_rows(change.outcome):
        change.add_to(tallies, Sign.KEPT, _is_kept(change, before, after))
    _count_end_of_sale(change, is_over=sale and after > before, tallies=tallies)


def _count_repriced(
    change: FieldChange, norms: Norms, tallies: Tallies, *, is_other: bool
) -> None:
    """Whether a price is another one, farther from what it was than any ever was, or
    whole now."""
    change.add_to(tallies, Sign.REPRICED, is_other)
    is_stride = norms.is_farthest_ever(change.spec.name, shortest_step(change))
    change.add_to(tallies, Sign.STRIDE, is_other and is_stride)
    before, after = float(str(change.before)), float(str(change.after))
    if before % 1:
        change.add_to(tallies, Sign.ROUNDED, is_other and not after % 1)


def _count_end_of_sale(change: FieldChange, *, is_over: bool, tallies: Tallies) -> None:
    """Whether the reduced price of a sale that is over is still on the page."""
    if is_over:
        change.add_to(tallies, Sign.UNENDED, _still_stands(change))


def stride(before: float, after: float) -> float:
    """How far a number moved, up or down: log10 of the ratio."""
    return abs(log10(after / before))


def shortest_step(change: FieldChange) -> float:
    """How far a positive number moved: from what is known, or from what the refresh
    before said of the only record of its page, as what is held moves on meanwhile.

    A price moves by a ratio; of counts the large ones move farther, and square roots
    of them about as far as those of small ones.
    """
    is_count = change.spec.kind is FieldKind.INTEGER
    far = _root_step if is_count else stride
    then, now = _amounts_then(change), float(str(change.after))
    return min(far(before, now) for before in then)


def _root_step(before: float, after: float) -> float:
    """How far a count moved, up or down, as the difference of the square roots."""
    return abs(sqrt(after) - sqrt(before))


def _amounts_then(change: FieldChange) -> Iterator[float]:
    """What a number was, and was said to be since."""
    yield float(str(change.before))
    said = as_positive(change.said_since)
    if said is not None:
        yield said


def has_leapt(before: float, after: float) -> bool:
    """Whether a number is more than 2.6 times what it was, or less."""
    return abs(log(after / before)) > _JUMP


def _is_kept(change: FieldChange, before: float, after: float) -> bool:
    """Whether the known number still stands on the page, and not as a former price."""
    if not _still_stands(change):
        return False
    facts = change.outcome.facts
    return after > before or not (facts and facts.holds(struck_form(change.before)))


def _still_stands(change: FieldChange) -> bool:
    """Whether the known number is on the page, not too short to tell, and nothing else
    explains it: a kind of evidence that is late, or that nobody sees, a sale that is over,
    another record that costs as much now, another field that was as much then and is."""
    facts, form = change.outcome.facts, numeral_form(change.before)
    is_short = sum(map(str.isdigit, form)) < _LEAST_DIGITS
    if facts is None or is_short or change.is_said_late or _is_of_field(change):
        return False
    if _is_only_stated(change, facts):
        return False
    return facts.holds(form) is True and not change.is_anothers_now


def _is_only_stated(change: FieldChange, facts: PageFacts) -> bool:
    """Whether people see the new number on the page, and the known one nowhere: what is stated
    for machines may be yesterday's."""
    shown = map(facts.holds, map(shown_form, (change.before, change.after)))
    return list(shown) == [False, True]


def _is_of_field(change: FieldChange) -> bool:
    """Whether the known number is what another field of the record says now: one that
    said so then, too, as an estimate that a bid had reached, or a lower one that has
    risen to it, as a sale is over and its former price stands there as the price."""
    old, former = change.pair.old, as_positive(change.before)
    amounts = (
        (as_positive(old.get(name)), as_positive(now))
        for name, now in change.pair.new.items()
        if name != change.spec.name
    )
    return any(
        now == former and then is not None and former is not None and then <= former
        for then, now in amounts
    )


def _count_whole_number(
    change: FieldChange, before: float, after: float, norms: Norms, tallies: Tallies
) -> None:
    """A count: whether it is off by a factor or many times what it was, or fell.

    Counts of reviews only ever rise; of others the history knows that they fall, and
    what falls is filled up again. Of those that rest nothing is learned. A small one leaps
    where no record of the family ever had so many.
    """
    if norms.is_most_ever(change.spec.name, after):
        is_leap = has_leapt(max(before, _LEAST_COUNT), after)
        change.add_to(tallies, Sign.LEAP, is_leap)
    elif min(before, after) >= _LEAST_COUNT:
        is_leap = has_leapt(before, after)
        is_refill = before < after and norms.is_refill(change.spec.name, after)
        change.add_to(tallies, Sign.LEAP, is_leap and not is_refill)
    if min(before, after) >= _LEAST_COUNT:
        is_factor = _is_factor(after / before, change.spec.kind)
        sale = is_sale(change.spec.name, change.pair.old, change.pair.new)
        change.add_to(tallies, Sign.FACTOR, is_factor and not sale)
    if after != before:
        change.add_to(tallies, Sign.FALLEN, after < before)


def _is_factor(ratio: float, kind: FieldKind) -> bool:
    """Whether a number is nearly so many times what it was, or a part of it."""
    return any(_is_near(ratio, factor) for factor in FACTORS[kind])


def _is_near(ratio: float, factor: int) -> bool:
    """Whether a ratio is nearly a factor, or one over it."""
    closest = min(abs(ratio / factor - 1), abs(1 / ratio / factor - 1))
    return closest < _FACTOR_TOLERANCE


def _is_beside_lower(change: FieldChange, before: float, after: float) -> bool:
    """Whether a higher number is read and the old one is on the page beside it.

    A lower price beside the old one is a sale; a higher one beside it is another
    thing's price.
    """
    return after > before and _still_stands(change)
