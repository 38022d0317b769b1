"""Counting signs on records that were known before: the same record then and now."""

from collections.abc import Iterator, Sequence
from math import log
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from crawloop_assets.drift.facts import template_distance
from crawloop_assets.drift.forms import number_form, text_form
from crawloop_assets.drift.ground import is_grounded
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.pairs import Record, key_of, pair_records, record_key
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.values import EMPTY, as_positive
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same

_MOVED = 0.5
_JUMP = log(2.6)
_COUNTABLE = 10
_SEVERAL = 3
_ABOUT = 0.15
_FACTORS = {FieldKind.NUMBER: (10, 100, 1000), FieldKind.INTEGER: (100, 1000)}


class Pair(NamedTuple):
    """A record then and now, and the page (position in the batch) it is on now."""

    page: int
    old: Record
    new: Record


def pairs_of(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> list[Pair]:
    """Known records found again: by key over the whole batch, since rows move between
    pages, else within the page."""
    key = record_key(schema, family)
    if not key or all(
        len(outcome.previous) <= 1 and len(outcome.values) <= 1 for outcome in outcomes
    ):
        return [
            Pair(at, old, new)
            for at, outcome in enumerate(outcomes)
            for old, new in pair_records(outcome.previous, outcome.values, key)
        ]
    known = {
        key_of(record, key): record
        for outcome in outcomes
        for record in outcome.previous
    }
    known.pop(None, None)
    return [
        Pair(at, known[identity], record)
        for at, outcome in enumerate(outcomes)
        for record in outcome.values
        if (identity := key_of(record, key)) in known
    ]


def count_pairs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> int:
    """Count every sign of a record that changed; the number of records compared."""
    pairs = pairs_of(schema, family, outcomes)
    for spec in schema.fields:
        steady = not spec.volatile or spec.name in family.drift.stable
        for pair in pairs:
            before, after = pair.old.get(spec.name), pair.new.get(spec.name)
            if before in EMPTY:
                continue
            hit = Hit(pair.page, before, after)
            tallies.add(
                Sign.LOST if steady else Sign.VANISHED,
                spec.name,
                hit if after in EMPTY else None,
            )
            if steady and _is_unproved(outcomes[pair.page], norms):
                tallies.add(
                    Sign.MOVED,
                    spec.name,
                    hit if after in EMPTY or _differ(before, after, spec) else None,
                )
            if after in EMPTY:
                continue
            if outcomes[pair.page].version == norms.version:
                _count_stray(pair, outcomes[pair.page], spec, hit, tallies)
            if steady:
                _count_steady(pair, spec, hit, tallies)
                _count_still(pair, outcomes[pair.page], spec, hit, tallies)
            if spec.shape is Shape.ONE and spec.kind in _FACTORS:
                _count_number(pair, outcomes[pair.page], spec, hit, tallies)
    _count_swept(schema, pairs, tallies)
    _count_replaced(schema, family, outcomes, tallies)
    for at, outcome in enumerate(outcomes):
        if len(outcome.previous) >= 3:
            _count_neighbours(at, outcome, schema, family, tallies)
    return len(pairs)


def _count_swept(schema: RecordSchema, pairs: Sequence[Pair], tallies: Tallies) -> None:
    """Records of which every number is another one: one may change, three at once are
    another thing's."""
    specs = [
        spec
        for spec in schema.fields
        if spec.kind in _FACTORS and spec.shape is Shape.ONE
    ]
    for pair in pairs:
        both = [
            spec
            for spec in specs
            if pair.old.get(spec.name) not in EMPTY
            and pair.new.get(spec.name) not in EMPTY
        ]
        if len(both) >= _SEVERAL:
            swept = all(
                not same(pair.old[spec.name], pair.new[spec.name], spec)
                for spec in both
            )
            names = ", ".join(spec.name for spec in both)
            tallies.add(
                Sign.SWEPT,
                "",
                Hit(pair.page, "some of the known numbers", f"other {names}")
                if swept
                else None,
            )


def _count_replaced(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Known rows of lists that are nowhere in the batch: some always go, but hardly all
    at once."""
    key = record_key(schema, family)
    now = {key_of(record, key) for outcome in outcomes for record in outcome.values}
    for at, outcome in enumerate(outcomes):
        for record in outcome.previous if len(outcome.previous) > 1 else ():
            identity = key_of(record, key)
            if identity is not None:
                tallies.add(
                    Sign.REPLACED,
                    "",
                    Hit(at, identity, "nothing") if identity not in now else None,
                )


def _count_steady(pair: Pair, spec: FieldSpec, hit: Hit, tallies: Tallies) -> None:
    before, after = pair.old[spec.name], pair.new[spec.name]
    changed = _differ(before, after, spec)
    tallies.add(Sign.CHANGED, spec.name, hit if changed else None)
    if spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE:
        old, new = str(before).strip(), str(after).strip().rstrip("….")
        cut = changed and len(new) < 0.9 * len(old) and old.startswith(new.rstrip())
        tallies.add(Sign.CUT, spec.name, hit if cut else None)


def _count_stray(
    pair: Pair, outcome: PageOutcome, spec: FieldSpec, hit: Hit, tallies: Tallies
) -> None:
    """A value that changed to something the page does not say: cut, without its
    decimals, with markup."""
    after = pair.new[spec.name]
    grounded = (
        None if outcome.facts is None else is_grounded(after, spec, outcome.facts)
    )
    if grounded is not None:
        changed = not grounded and not same(pair.old[spec.name], after, spec)
        tallies.add(Sign.STRAY, spec.name, hit if changed else None)


def _differ(before: Any, after: Any, spec: FieldSpec) -> bool:
    """Whether a value is another one.

    A file that moved to another host or version is the same file.
    """
    if spec.kind is FieldKind.URL and spec.shape is Shape.ONE:
        return _file(str(before)) != _file(str(after))
    return not same(before, after, spec)


def _file(url: str) -> str:
    return urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1]


def _is_unproved(outcome: PageOutcome, norms: Norms) -> bool:
    """Whether the page has a new layout and a version reads it that was made for
    another one.

    A version without a past was made, and proved, for what it reads now.
    """
    if outcome.facts is None or not norms.has_read(outcome.version):
        return False
    distances = [
        template_distance(outcome.facts.template, layout) for layout in norms.layouts
    ]
    return bool(distances) and min(distances) > _MOVED


def _count_still(
    pair: Pair, outcome: PageOutcome, spec: FieldSpec, hit: Hit, tallies: Tallies
) -> None:
    """Another value is read although the old one still stands on the page."""
    facts, before, after = outcome.facts, pair.old[spec.name], pair.new[spec.name]
    if facts is None or spec.kind is not FieldKind.TEXT or spec.shape is not Shape.ONE:
        return
    form = text_form(str(before))
    if len(form) >= 6:
        stands = _differ(before, after, spec) and facts.holds(form)
        if (
            stands is not None
        ):  # a row that came from another page is not looked for here
            tallies.add(
                Sign.STILL,
                spec.name,
                hit if stands and text_form(str(after)) != form else None,
            )


def _count_number(
    pair: Pair, outcome: PageOutcome, spec: FieldSpec, hit: Hit, tallies: Tallies
) -> None:
    before, after = as_positive(pair.old[spec.name]), as_positive(pair.new[spec.name])
    if before is None or after is None:
        return
    ratio, sale = after / before, _is_sale(pair, spec)
    if spec.kind is FieldKind.NUMBER or min(before, after) >= _COUNTABLE:
        factored = any(
            _near(ratio, factor) or _near(1 / ratio, factor)
            for factor in _FACTORS[spec.kind]
        )
        tallies.add(Sign.FACTOR, spec.name, hit if factored and not sale else None)
    if spec.kind is FieldKind.NUMBER:
        # A lower price beside the old one is a sale; a higher one beside it is another thing's price.
        facts = outcome.facts
        beside = (
            facts is not None
            and after > before
            and facts.holds(number_form(pair.old[spec.name])) is True
        )
        tallies.add(
            Sign.JUMP,
            spec.name,
            hit if (abs(log(ratio)) > _JUMP or beside) and not sale else None,
        )
    else:
        tallies.add(Sign.FELL, spec.name, hit if after < before else None)


def _is_sale(pair: Pair, spec: FieldSpec) -> bool:
    """Whether a sale begins or ends: another field states what the price was, or stated
    what it is again."""
    before, after = as_positive(pair.old[spec.name]), as_positive(pair.new[spec.name])
    lower, higher, record = (
        (after, before, pair.new)
        if (after or 0) < (before or 0)
        else (before, after, pair.old)
    )
    others = (as_positive(value) for name, value in record.items() if name != spec.name)
    return any(
        lower < other and abs(other / higher - 1) < _ABOUT
        for other in others
        if other and lower and higher
    )


def _near(ratio: float, factor: int) -> bool:
    return abs(ratio / factor - 1) < 0.02


def _count_neighbours(
    at: int,
    outcome: PageOutcome,
    schema: RecordSchema,
    family: Family,
    tallies: Tallies,
) -> None:
    """Rows whose value now is what the row before or after them had: cells shifted by a
    row."""
    key = record_key(schema, family)
    names = {spec.name for spec in key}
    for spec in schema.fields:
        if spec.name in names:
            continue
        for offset in (1, -1):
            for own, other, now in _shifted(outcome, key, spec.name, offset):
                if not same(own, other, spec):
                    hit = Hit(at, own, now)
                    tallies.add(
                        Sign.NEIGHBOUR,
                        spec.name,
                        hit if same(now, other, spec) else None,
                    )


def _shifted(
    outcome: PageOutcome, key: Sequence[FieldSpec], name: str, offset: int
) -> Iterator[tuple[Any, Any, Any]]:
    """(own old value, the neighbour's old value, the value now) of the rows that are
    still there."""
    then = list(outcome.previous)
    now = {
        key_of(record, key) if key else at: record
        for at, record in enumerate(outcome.values)
    }
    for at, record in enumerate(then):
        current = now.get(key_of(record, key) if key else at)
        if current is None or not 0 <= at + offset < len(then):
            continue
        own, other = record.get(name), then[at + offset].get(name)
        if own not in EMPTY and other not in EMPTY and current.get(name) not in EMPTY:
            yield own, other, current[name]
