"""Counts the signs of drift on records that were known before: the same record then and
now."""

from collections.abc import Iterator, Sequence
from math import log
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.drift.matching import (
    Record,
    by_key,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.drift.values import EMPTY, as_positive
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
_LEAST_ROWS = 3
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
    def is_single(self) -> bool:
        """Whether the field holds one value."""
        return self.spec.shape is Shape.ONE

    def add_to(self, tallies: Tallies, sign: Sign, has_sign: bool) -> None:
        """Count the record as a unit of a sign of this field."""
        field, page = self.spec.name, self.pair.page
        tallies.add(sign, field, page, has_sign, self.before, self.after)


def count_history_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Every sign of a known record that changed, or of rows that went or moved."""
    pairs = record_pairs(schema, family, outcomes)
    unproved = {
        page for page, outcome in enumerate(outcomes) if _is_unproved(outcome, norms)
    }
    for spec in schema.fields:
        is_steady = not spec.volatile or spec.name in family.drift.stable
        for change in _changes(spec, pairs, outcomes):
            is_different = _count_loss(change, is_steady, tallies)
            if is_steady and change.pair.page in unproved:
                change.add_to(tallies, Sign.MOVED, is_different)
            if change.after in EMPTY:
                continue
            if change.outcome.version == norms.version:
                _count_stray(change, tallies)
            if is_steady:
                _count_steady(change, is_different, tallies)
            if change.is_single and spec.kind in _FACTORS:
                _count_number(change, tallies)
    _count_swept(schema, pairs, tallies)
    key = record_key(schema, family)
    _count_replaced(key, outcomes, tallies)
    for page, outcome in enumerate(outcomes):
        if len(outcome.previous) >= _LEAST_ROWS:
            _count_neighbours(page, outcome, schema, key, tallies)


def record_pairs(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> list[RecordPair]:
    """Known records found again: by key over the whole batch, since rows move between
    pages, else within the page."""
    key = record_key(schema, family)
    if not key or not any(map(_has_rows, outcomes)):
        return [
            RecordPair(page, old, new)
            for page, outcome in enumerate(outcomes)
            for old, new in pair_records(outcome.previous, outcome.values, key)
        ]
    known = by_key((row for outcome in outcomes for row in outcome.previous), key)
    pairs = []
    for page, outcome in enumerate(outcomes):
        for record in outcome.values:
            old = known.get(key_of(record, key))
            if old is not None:
                pairs.append(RecordPair(page, old, record))
    return pairs


def _has_rows(outcome: PageOutcome) -> bool:
    return len(outcome.previous) > 1 or len(outcome.values) > 1


def _is_unproved(outcome: PageOutcome, norms: Norms) -> bool:
    """Whether the page has a new layout and a version reads it that was made for
    another one.

    A version without a past was made, and proved, for what it reads now.
    """
    if outcome.facts is None or not norms.has_read(outcome.version):
        return False
    distance = norms.layout_distance(outcome.facts.template)
    return distance is not None and distance > _NEW_LAYOUT


def _changes(
    spec: FieldSpec, pairs: Sequence[RecordPair], outcomes: Sequence[PageOutcome]
) -> Iterator[_Change]:
    """A field of all known records in which it was filled."""
    name = spec.name
    for pair in pairs:
        before = pair.old.get(name)
        if before not in EMPTY:
            yield _Change(spec, pair, before, pair.new.get(name), outcomes[pair.page])


def _count_loss(change: _Change, is_steady: bool, tallies: Tallies) -> bool:
    """Count whether the value is gone; whether the value of a steady field is another
    one or gone."""
    is_gone = change.after in EMPTY
    change.add_to(tallies, Sign.LOST if is_steady else Sign.VANISHED, is_gone)
    if is_gone or not is_steady:
        return is_gone
    return _is_different(change.before, change.after, change.spec)


def _is_different(before: Any, after: Any, spec: FieldSpec) -> bool:
    """Whether a value is another one.

    A file that moved to another host or version is the same file.
    """
    if spec.kind is FieldKind.URL and spec.shape is Shape.ONE:
        return _file_name(str(before)) != _file_name(str(after))
    return not same(before, after, spec)


def _file_name(url: str) -> str:
    return urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1]


def _count_stray(change: _Change, tallies: Tallies) -> None:
    """A value that changed to something that is not on the page: cut, without its
    decimals, with markup."""
    facts, spec = change.outcome.facts, change.spec
    if facts is None:
        return
    is_present = is_on_page(change.after, spec, facts)
    if is_present is None:
        return
    is_stray = not is_present and not same(change.before, change.after, spec)
    change.add_to(tallies, Sign.STRAY, is_stray)


def _count_steady(change: _Change, is_different: bool, tallies: Tallies) -> None:
    """A value that hardly ever changes: whether it did, and how if it is a text."""
    change.add_to(tallies, Sign.CHANGED, is_different)
    if change.spec.kind is FieldKind.TEXT and change.is_single:
        is_cut = is_different and _is_cut(str(change.before), str(change.after))
        change.add_to(tallies, Sign.CUT, is_cut)
        _count_still(change, is_different, tallies)


def _is_cut(before: str, after: str) -> bool:
    """Whether only the beginning of a text is left."""
    old, new = before.strip(), after.strip().rstrip("….")
    return len(new) < _CUT_SHARE * len(old) and old.startswith(new.rstrip())


def _count_still(change: _Change, is_different: bool, tallies: Tallies) -> None:
    """Another text is read although the old one is still on the page."""
    facts, form = change.outcome.facts, text_form(str(change.before))
    if facts is None or len(form) < _LEAST_LETTERS:
        return
    is_still_there = facts.holds(form) if is_different else False
    # A row that came from another page is not looked for on this one.
    if is_still_there is not None:
        is_other = is_still_there and text_form(str(change.after)) != form
        change.add_to(tallies, Sign.STILL, is_other)


def _count_number(change: _Change, tallies: Tallies) -> None:
    """By how much a number changed."""
    kind = change.spec.kind
    before, after = as_positive(change.before), as_positive(change.after)
    if before is None or after is None:
        return
    is_sale = _is_sale(change, before, after)
    if kind is FieldKind.NUMBER or min(before, after) >= _LEAST_COUNT:
        is_factor = _is_factor(after / before, _FACTORS[kind])
        change.add_to(tallies, Sign.FACTOR, is_factor and not is_sale)
    if kind is FieldKind.NUMBER:
        is_jump = abs(log(after / before)) > _JUMP
        is_wrong = is_jump or _is_beside_lower(change, before, after)
        change.add_to(tallies, Sign.JUMP, is_wrong and not is_sale)
    else:
        change.add_to(tallies, Sign.FELL, after < before)


def _is_factor(ratio: float, factors: Sequence[int]) -> bool:
    """Whether a number is nearly so many times what it was, or a part."""
    return any(
        _is_near(ratio, factor) or _is_near(1 / ratio, factor) for factor in factors
    )


def _is_near(ratio: float, factor: int) -> bool:
    return abs(ratio / factor - 1) < _FACTOR_TOLERANCE


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
    is_lower = after < before
    record = change.pair.new if is_lower else change.pair.old
    lower, higher = min(before, after), max(before, after)
    for name, value in record.items():
        if name == change.spec.name:
            continue
        other = as_positive(value)
        if other is None or other <= lower:
            continue
        if abs(other / higher - 1) < _SALE_TOLERANCE:
            return True
    return False


def _count_swept(
    schema: RecordSchema, pairs: Sequence[RecordPair], tallies: Tallies
) -> None:
    """Records of which every number is another one: one may change, three at once are
    another thing's."""
    singles = [spec for spec in schema.fields if spec.shape is Shape.ONE]
    numbers = [spec for spec in singles if spec.kind in _FACTORS]
    for pair in pairs:
        filled = [spec for spec in numbers if _is_filled_twice(pair, spec.name)]
        if len(filled) < _LEAST_NUMBERS:
            continue
        is_swept = not any(
            same(pair.old[spec.name], pair.new[spec.name], spec) for spec in filled
        )
        names = ", ".join(spec.name for spec in filled)
        expected, got = "some of the known numbers", f"other {names}"
        tallies.add(Sign.SWEPT, "", pair.page, is_swept, expected, got)


def _is_filled_twice(pair: RecordPair, name: str) -> bool:
    return pair.old.get(name) not in EMPTY and pair.new.get(name) not in EMPTY


def _count_replaced(
    key: Sequence[FieldSpec], outcomes: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Known rows of lists that are nowhere in the batch: some always go, but hardly all
    at once."""
    current = {key_of(record, key) for outcome in outcomes for record in outcome.values}
    for page, outcome in enumerate(outcomes):
        if len(outcome.previous) < 2:
            continue
        for record in outcome.previous:
            identity = key_of(record, key)
            if identity is not None:
                is_missing = identity not in current
                tallies.add(Sign.REPLACED, "", page, is_missing, identity, "nothing")


def _count_neighbours(
    page: int,
    outcome: PageOutcome,
    schema: RecordSchema,
    key: Sequence[FieldSpec],
    tallies: Tallies,
) -> None:
    """Rows whose value now is what the row before or after them had: cells shifted by a
    row."""
    rows = _rows_still_there(outcome, key)
    key_fields = {spec.name for spec in key}
    for spec in schema.fields:
        if spec.name in key_fields:
            continue
        for offset in (1, -1):
            for own, neighbour, now in _beside(outcome, rows, spec.name, offset):
                if same(own, neighbour, spec):
                    continue
                is_shifted = same(now, neighbour, spec)
                tallies.add(Sign.NEIGHBOUR, spec.name, page, is_shifted, own, now)


def _rows_still_there(
    outcome: PageOutcome, key: Sequence[FieldSpec]
) -> list[tuple[int, Record]]:
    """(position before, record now) of the rows known before, by key if there is one,
    else by position."""
    if not key:
        return list(enumerate(outcome.values[: len(outcome.previous)]))
    current = {key_of(record, key): record for record in outcome.values}
    rows = []
    for position, old in enumerate(outcome.previous):
        record = current.get(key_of(old, key))
        if record is not None:
            rows.append((position, record))
    return rows


def _beside(
    outcome: PageOutcome, rows: Sequence[tuple[int, Record]], name: str, offset: int
) -> Iterator[tuple[Any, Any, Any]]:
    """(own old value, the neighbour's old value, the value now) of rows that are still
    there and have a neighbour, where all three are filled."""
    for position, record in rows:
        beside = position + offset
        if not 0 <= beside < len(outcome.previous):
            continue
        own = outcome.previous[position].get(name)
        neighbour = outcome.previous[beside].get(name)
        now = record.get(name)
        if not (own in EMPTY or neighbour in EMPTY or now in EMPTY):
            yield own, neighbour, now
