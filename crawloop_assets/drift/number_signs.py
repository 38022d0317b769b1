"""Counts the signs of known numbers that are other ones now: by how much they changed,
and whether a sale explains it."""

from math import log

from crawloop_assets.drift.changes import FieldChange, has_rows
from crawloop_assets.drift.forms import numeral_form, struck_form
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind

_JUMP = log(2.6)
"""A number that is more than 2.6 times what it was, or less, has jumped."""

FACTORS = {FieldKind.NUMBER: (10, 100, 1000), FieldKind.INTEGER: (100, 1000)}
"""Factors by which misread units and decimal marks are off, by kind of number."""

_FACTOR_TOLERANCE = 0.02
_LEAST_COUNT = 10
"""Smaller whole numbers change by such factors in a day."""

SALE_TOLERANCE = 0.15
"""A stated former price may differ by so much from the one that was known."""

_LEAST_DIGITS = 3
"""Numbers of fewer digits stand on any page."""


def count_number_signs(change: FieldChange, tallies: Tallies) -> None:
    """Count FACTOR, JUMP, LEAP, REPRICED, KEPT and FELL of a known number: by how much it
    changed, if the field holds one."""
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
            _count_amount(change, before, after, tallies)
        case FieldKind.INTEGER:
            _count_whole_number(change, before, after, tallies)


def _count_amount(
    change: FieldChange, before: float, after: float, tallies: Tallies
) -> None:
    """A price, a weight: whether a unit or a decimal mark is misread, or it jumped.

    What a sale explains is neither.
    """
    sale = is_sale(change, before, after)
    is_factor = _is_factor(after / before, change.spec.kind)
    change.add_to(tallies, Sign.FACTOR, is_factor and not sale)
    is_jump = abs(log(after / before)) > _JUMP
    is_wrong = is_jump or _is_beside_lower(change, before, after)
    change.add_to(tallies, Sign.JUMP, is_wrong and not sale)
    is_other = after != before and not sale
    if change.spec.volatile:
        change.add_to(tallies, Sign.REPRICED, is_other)
    # In a list the number of one row stands in another one as well.
    if is_other and not has_rows(change.outcome):
        change.add_to(tallies, Sign.KEPT, _is_kept(change, before, after))


def _is_kept(change: FieldChange, before: float, after: float) -> bool:
    """Whether the known number still stands on the page, and not as a former price."""
    if not _still_stands(change):
        return False
    facts = change.outcome.facts
    return after > before or not (facts and facts.holds(struck_form(change.before)))


def _still_stands(change: FieldChange) -> bool:
    """Whether the known number is on the page, and not too short to tell."""
    facts, form = change.outcome.facts, numeral_form(change.before)
    if facts is None or sum(map(str.isdigit, form)) < _LEAST_DIGITS:
        return False
    return facts.holds(form) is True


def _count_whole_number(
    change: FieldChange, before: float, after: float, tallies: Tallies
) -> None:
    """A count: whether it is off by a factor or many times what it was, or fell.

    Counts of reviews only ever rise; of others the history knows that they fall.
    """
    if min(before, after) >= _LEAST_COUNT:
        change.add_to(tallies, Sign.LEAP, abs(log(after / before)) > _JUMP)
        is_factor = _is_factor(after / before, change.spec.kind)
        sale = is_sale(change, before, after)
        change.add_to(tallies, Sign.FACTOR, is_factor and not sale)
    change.add_to(tallies, Sign.FELL, after < before)


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
    facts = change.outcome.facts
    if facts is None or after <= before:
        return False
    return facts.holds(numeral_form(change.before)) is True


def is_sale(change: FieldChange, before: float, after: float) -> bool:
    """Whether a sale begins or ends: another field states what the price was, or stated
    what it is again, and says so only then."""
    field, pair = change.spec.name, change.pair
    lower, higher = sorted((before, after))
    if after < before:
        return _is_former(pair.new, pair.old, field, lower, higher)
    return _is_former(pair.old, pair.new, field, lower, higher)


def _is_former(
    sale: Record, usual: Record, field: str, lower: float, higher: float
) -> bool:
    """Whether a record in a sale states the usual price in a field that without the
    sale states nothing that is higher."""
    for name in _stating(sale, field, lower, higher):
        beside = as_positive(usual.get(name))
        if beside is None or beside <= higher:
            return True
    return False


def _stating(record: Record, field: str, lower: float, higher: float) -> set[str]:
    """The fields of a record with a lower price that state the higher one elsewhere.

    Amounts are decimals, so text: counts come near a price by chance.
    """
    stating = set()
    for name in record.keys() - {field}:
        if not isinstance(record[name], str):
            continue
        stated = as_positive(record[name])
        if stated is None or stated <= lower:
            continue
        if abs(stated / higher - 1) < SALE_TOLERANCE:
            stating.add(name)
    return stating
