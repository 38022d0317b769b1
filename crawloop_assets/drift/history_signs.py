"""Counts the signs of drift on records that were known before: the same record then and
now."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import log
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from crawloop_assets.drift.fields import is_steady, single_fields
from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.drift.matching import (
    Record,
    by_key,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome, valid_records
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.drift.values import EMPTY, as_positive, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same

_NEW_LAYOUT = 0.5
"""Distance from every known layout above which a page's layout is new."""

_JUMP = log(2.6)
"""A number that is more than 2.6 times what it was, or less, has jumped."""

_FACTORS = {FieldKind.NUMBER: (10, 100, 1000), FieldKind.INTEGER: (100, 1000)}
"""Factors by which misread units and decimal marks are off, by kind of number."""

_FACTOR_TOLERANCE = 0.02
_LEAST_COUNT = 10
"""Smaller whole numbers change by such factors in a day."""

_SALE_TOLERANCE = 0.15
"""A stated former price may differ by so much from the one that was known."""

_LEAST_NUMBERS = 3
_LEAST_LETTERS = 6
"""Shorter texts are found on any page."""

_CUT_SHARE = 0.9
"""A text is cut if less than this share of it is left."""


class RecordPair(NamedTuple):
    """A record then and now, and the page (position in the batch) it is on now."""

    page: int
    old: Record
    new: Record


class _Change(NamedTuple):
    """The value of one field of a known record, then and now."""

    spec: FieldSpec
    pair: RecordPair
    before: Any
    after: Any
    outcome: PageOutcome

    @property
    def is_gone(self) -> bool:
        """Whether nothing is read any more."""
        return self.after in EMPTY

    @property
    def is_single(self) -> bool:
        """Whether the field holds one value."""
        return self.spec.shape is Shape.ONE

    def add_to(self, tallies: Tallies, sign: Sign, has_sign: bool) -> None:
        """Count the record as a unit of a sign of this field."""
        field, page = self.spec.name, self.pair.page
        tallies.add(
            sign, field, page, has_sign=has_sign, expected=self.before, got=self.after
        )


def count_history_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count every sign of a known record that changed.

    A record is known if it was on a page of the batch in the last good refresh
    (`PageOutcome.previous`). LOST, VANISHED, MOVED, STRAY, CHANGED, CUT, STILL, FACTOR,
    JUMP and FELL are of a field, SWEPT is of a record.
    """
    pairs = record_pairs(schema, family, outcomes)
    for spec in schema.fields:
        count_change = _count_volatile
        if is_steady(spec, family):
            count_change = _count_steady
        for change in _changes(spec, pairs, outcomes):
            count_change(change, norms, tallies)
    _count_swept(schema, pairs, tallies)


def record_pairs(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> list[RecordPair]:
    """Known records found again: by key over the whole batch, since rows move between
    pages, else within the page."""
    key = record_key(schema, family)
    if key and any(map(_has_rows, outcomes)):
        return _pairs_of_batch(key, outcomes)
    pairs = []
    for page, outcome in enumerate(outcomes):
        for old, new in pair_records(outcome.previous, outcome.values, key):
            pairs.append(RecordPair(page, old, new))
    return pairs


def _has_rows(outcome: PageOutcome) -> bool:
    """Whether the page has, or had, more than one record."""
    return max(len(outcome.previous), len(outcome.values)) > 1


def _pairs_of_batch(
    key: Sequence[FieldSpec], outcomes: Sequence[PageOutcome]
) -> list[RecordPair]:
    """Pairs of the same key, wherever in the batch the two are."""
    previous = (outcome.previous for outcome in outcomes)
    known = by_key(chain.from_iterable(previous), key)
    pairs = []
    for page, _, record in valid_records(outcomes):
        old = known.get(key_of(record, key))
        if old is not None:
            pairs.append(RecordPair(page, old, record))
    return pairs


def _is_unproved(outcome: PageOutcome, norms: Norms) -> bool:
    """Whether the page has a new layout and a version reads it that was made for
    another one.

    A version without a past was made, and proved, for what it reads now.
    """
    if outcome.facts is None:
        return False
    if not norms.has_read(outcome.version):
        return False
    distance = norms.layout_distance(outcome.facts.template)
    if distance is None:
        return False
    return distance > _NEW_LAYOUT


def _changes(
    spec: FieldSpec, pairs: Sequence[RecordPair], outcomes: Sequence[PageOutcome]
) -> Iterator[_Change]:
    """A field of all known records in which it was filled."""
    name = spec.name
    for pair in pairs:
        before = pair.old.get(name)
        if before in EMPTY:
            continue
        yield _Change(spec, pair, before, pair.new.get(name), outcomes[pair.page])


def _count_volatile(change: _Change, norms: Norms, tallies: Tallies) -> None:
    """A value that may be another one tomorrow: it is not gone, and it is on the
    page."""
    change.add_to(tallies, Sign.VANISHED, change.is_gone)
    if change.is_gone:
        return
    _count_stray(change, norms, tallies)
    _count_number(change, tallies)


def _is_different(before: Any, after: Any, spec: FieldSpec) -> bool:
    """Whether a value is another one.

    A file that moved to another host or version is the same file.
    """
    if spec.kind is FieldKind.URL and spec.shape is Shape.ONE:
        return _file_name(str(before)) != _file_name(str(after))
    return not same(before, after, spec)


def _file_name(url: str) -> str:
    """The last part of the path: "https://a.example/v2/k.jpg?w=3" -> "k.jpg"."""
    return urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1]


def _count_text_change(change: _Change, is_different: bool, tallies: Tallies) -> None:
    """Whether only the beginning of a text is left, and whether the old one is still on
    the page."""
    if not change.is_single:
        return
    is_cut = is_different and _is_cut(str(change.before), str(change.after))
    change.add_to(tallies, Sign.CUT, is_cut)
    _count_still(change, is_different, tallies)


def _count_stray(change: _Change, norms: Norms, tallies: Tallies) -> None:
    """A value that changed to something that is not on the page: cut, without its
    decimals, with markup."""
    facts, spec = change.outcome.facts, change.spec
    if facts is None:
        return
    if change.outcome.version != norms.version:
        return
    is_present = is_on_page(change.after, spec, facts)
    if is_present is None:
        return
    is_stray = not is_present and not same(change.before, change.after, spec)
    change.add_to(tallies, Sign.STRAY, is_stray)


def _count_steady(change: _Change, norms: Norms, tallies: Tallies) -> None:
    """A value that hardly ever changes: whether it did, and what kind of change it
    is."""
    is_gone = change.is_gone
    is_different = is_gone or _is_different(change.before, change.after, change.spec)
    change.add_to(tallies, Sign.LOST, is_gone)
    if _is_unproved(change.outcome, norms):
        change.add_to(tallies, Sign.MOVED, is_different)
    if is_gone:
        return
    _count_stray(change, norms, tallies)
    change.add_to(tallies, Sign.CHANGED, is_different)
    if change.spec.kind is FieldKind.TEXT:
        _count_text_change(change, is_different, tallies)
    else:
        _count_number(change, tallies)


def _is_cut(before: str, after: str) -> bool:
    """Whether only the beginning of a text is left.

    Dots that stand for what was cut off do not count.
    """
    old = before.strip()
    new = after.strip().rstrip("….")
    if len(new) >= _CUT_SHARE * len(old):
        return False
    return old.startswith(new.rstrip())


def _count_still(change: _Change, is_different: bool, tallies: Tallies) -> None:
    """Whether another text is read although the old one is still on the page."""
    facts, form = change.outcome.facts, text_form(str(change.before))
    if facts is None:
        return
    if len(form) < _LEAST_LETTERS:
        return
    if not is_different:
        change.add_to(tallies, Sign.STILL, False)
        return
    is_still_there = facts.holds(form)
    # A row that came from another page is not looked for on this one.
    if is_still_there is None:
        return
    is_other = is_still_there and text_form(str(change.after)) != form
    change.add_to(tallies, Sign.STILL, is_other)


def _count_number(change: _Change, tallies: Tallies) -> None:
    """By how much a number changed, if the field holds one."""
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
    change: _Change, before: float, after: float, tallies: Tallies
) -> None:
    """A price, a weight: whether a unit or a decimal mark is misread, or it jumped.

    What a sale explains is neither.
    """
    is_sale = _is_sale(change, before, after)
    is_factor = _is_factor(after / before, change.spec.kind)
    change.add_to(tallies, Sign.FACTOR, is_factor and not is_sale)
    is_jump = abs(log(after / before)) > _JUMP
    is_wrong = is_jump or _is_beside_lower(change, before, after)
    change.add_to(tallies, Sign.JUMP, is_wrong and not is_sale)


def _count_whole_number(
    change: _Change, before: float, after: float, tallies: Tallies
) -> None:
    """A count: whether it is off by a factor, or fell.

    Counts of reviews only ever rise; of others the history knows that they fall.
    """
    if min(before, after) >= _LEAST_COUNT:
        is_factor = _is_factor(after / before, change.spec.kind)
        is_sale = _is_sale(change, before, after)
        change.add_to(tallies, Sign.FACTOR, is_factor and not is_sale)
    change.add_to(tallies, Sign.FELL, after < before)


def _is_factor(ratio: float, kind: FieldKind) -> bool:
    """Whether a number is nearly so many times what it was, or a part of it."""
    return any(_is_near(ratio, factor) for factor in _FACTORS[kind])


def _is_near(ratio: float, factor: int) -> bool:
    """Whether a ratio is nearly a factor, or one over it."""
    closest = min(abs(ratio / factor - 1), abs(1 / ratio / factor - 1))
    return closest < _FACTOR_TOLERANCE


def _is_beside_lower(change: _Change, before: float, after: float) -> bool:
    """Whether a higher number is read and the old one is on the page beside it.

    A lower price beside the old one is a sale; a higher one beside it is another
    thing's price.
    """
    facts = change.outcome.facts
    if facts is None or after <= before:
        return False
    return facts.holds(numeral_form(change.before)) is True


def _is_sale(change: _Change, before: float, after: float) -> bool:
    """Whether a sale begins or ends: another field states what the price was, or stated
    what it is again."""
    field, pair = change.spec.name, change.pair
    if after < before:
        return _states_before(pair.new, field, after, before)
    return _states_before(pair.old, field, before, after)


def _states_before(record: Record, field: str, lower: float, higher: float) -> bool:
    """Whether a record has a lower price now and states the higher one elsewhere."""
    for name, value in record.items():
        if name == field:
            continue
        stated = as_positive(value)
        if stated is None or stated <= lower:
            continue
        if abs(stated / higher - 1) < _SALE_TOLERANCE:
            return True
    return False


def _count_swept(
    schema: RecordSchema, pairs: Sequence[RecordPair], tallies: Tallies
) -> None:
    """Records of which every number is another one: one may change, three at once are
    another thing's."""
    numbers = single_fields(schema, _FACTORS)
    for pair in pairs:
        filled = _filled_in_both(pair, numbers)
        if len(filled) < _LEAST_NUMBERS:
            continue
        is_swept = not any(_is_same_in_both(pair, spec) for spec in filled)
        names = ", ".join(spec.name for spec in filled)
        expected, got = "some of the known numbers", f"other {names}"
        tallies.add(
            Sign.SWEPT, "", pair.page, has_sign=is_swept, expected=expected, got=got
        )


def _filled_in_both(pair: RecordPair, specs: Sequence[FieldSpec]) -> list[FieldSpec]:
    """The fields that have a value then and now."""
    filled = []
    for spec in specs:
        values = (pair.old.get(spec.name), pair.new.get(spec.name))
        if all(map(is_filled, values)):
            filled.append(spec)
    return filled


def _is_same_in_both(pair: RecordPair, spec: FieldSpec) -> bool:
    """Whether a field that is filled then and now has the same value."""
    return same(pair.old[spec.name], pair.new[spec.name], spec)
