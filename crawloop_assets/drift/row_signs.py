"""Counts the signs of drift that the rows of lists show, compared with the rows known
before: rows that are gone from the batch, and cells shifted by a row."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse, starmap
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from crawloop_assets.drift.by_chance import ByChance
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record, key_as_written, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.present import present

_LEAST_SAID = 2  # fields
_LEAST_ROWS = 3
"""Of fewer rows it is no wonder that one has the value of the other."""
_NUMBERS = f" {' '.join(map(str, range(10_000)))} "


def count_row_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count REPLACED, REKEYED and NEIGHBOUR: known rows that are nowhere in the batch, or
    there under another key, and rows whose value is what the row before or after them
    had."""
    key = record_key(schema, family)
    pages = [_Rows.of(outcome, key) for outcome in outcomes]
    _count_replaced(pages, tallies)
    _count_rekeyed(pages, _steady(schema, family, key), tallies)
    for spec in filterfalse(key.__contains__, schema.fields):
        _count_neighbours(spec, pages, key, tallies, is_steady=is_steady(spec, family))


class _Rows(NamedTuple):
    """A page, and what identifies its rows then and now."""

    outcome: PageOutcome
    before: Sequence[Hashable]
    now: Sequence[Hashable]

    @classmethod
    def of(cls, outcome: PageOutcome, key: Sequence[FieldSpec]) -> "_Rows":
        """The rows of a page by key."""
        before, now = (
            [key_as_written(record, key) for record in records]
            for records in (outcome.previous, outcome.values)
        )
        return cls(outcome, before, now)

    @property
    def is_list(self) -> bool:
        """Whether they are enough to have neighbours."""
        return len(self.before) >= _LEAST_ROWS

    def then(self) -> dict[Hashable, Record]:
        """What was known of the rows, by key."""
        return dict(zip(self.before, self.outcome.previous, strict=True))

    def there(self) -> dict[Hashable, Record]:
        """What is read of them now."""
        return dict(zip(self.now, self.outcome.values, strict=True))


def _count_replaced(pages: Sequence[_Rows], tallies: Tallies) -> None:
    """Known rows of lists that are nowhere in the batch: some always go, but hardly all
    at once."""
    current = set(chain.from_iterable(map(attrgetter("now"), pages)))
    for page, rows in enumerate(pages):
        if len(rows.before) < 2:
            continue
        for identity in filter(None, rows.before):
            tallies.add(
                Sign.REPLACED,
                "",
                page,
                has_sign=identity not in current,
                expected=identity,
                got="nothing",
            )


def _steady(
    schema: RecordSchema, family: Family, key: Sequence[FieldSpec]
) -> list[FieldSpec]:
    """The fields that stay as they are, but for the key."""
    others = filterfalse(key.__contains__, schema.fields)
    return list(filter(partial(is_steady, family=family), others))


def _count_rekeyed(
    pages: Sequence[_Rows], steady: Sequence[FieldSpec], tallies: Tallies
) -> None:
    """Known rows that are nowhere in the batch, while a new row says all else that they
    said: where that is so of most, what tells rows apart is written otherwise now."""
    look = partial(_look, steady)
    before, now = _all(map(_Rows.then, pages)), _all(map(_Rows.there, pages))
    gone = {look(before[key]): key for key in before.keys() - now.keys()}
    new = {look(now[key]): key for key in now.keys() - before.keys()}
    found = {gone[said]: new[said] for said in gone.keys() & new.keys() - {None}}
    is_rekeyed = len(found) >= max(_LEAST_ROWS, len(before.keys() - now.keys()) / 2)
    for page, rows in enumerate(pages):
        for identity in rows.before if len(rows.before) > 1 else ():
            tallies.add(
                Sign.REKEYED,
                "",
                page,
                has_sign=is_rekeyed and identity in found,
                expected=identity,
                got=found.get(identity, "nothing"),
            )


def _all(by_key: Iterable[Mapping[Hashable, Record]]) -> dict[Hashable, Record]:
    """The rows of all pages that have a key, by that."""
    found = dict(chain.from_iterable(map(dict.items, map(dict, by_key))))
    found.pop(None, None)
    return found


def _look(steady: Sequence[FieldSpec], row: Record) -> Hashable:
    """What a row says in fields that stay as they are; None if that is too little to
    tell it from others."""
    values = [canonical(row.get(spec.name), spec) for spec in steady]
    return tuple(values) if len(present(values)) >= _LEAST_SAID else None


def _count_neighbours(
    spec: FieldSpec,
    pages: Sequence[_Rows],
    key: Sequence[FieldSpec],
    tallies: Tallies,
    *,
    is_steady: bool,
) -> None:
    """Rows whose value now is what the row before or after them had: cells shifted by a
    row. Of what may change every day, what other rows do as well tells nothing, nor does
    what counts the rows: it is of their places, and those have changed."""
    there = [_rows_still_there(rows, key, spec) for rows in pages]
    listed = list(zip(map(attrgetter("outcome"), pages), there, strict=True))
    moved = starmap(partial(_moved, spec.name), listed)
    chance = ByChance(spec, list(chain.from_iterable(moved)))
    beside = [
        (page, one)
        for page, (outcome, rows) in enumerate(listed)
        for offset in (1, -1)
        for one in _beside(outcome, rows, spec.name, offset)
    ]
    for page, one in beside:
        is_telling = is_steady or not chance.explains(one.own, one.neighbour)
        if is_telling and not same(one.own, one.neighbour, spec):
            tallies.add(
                Sign.NEIGHBOUR,
                spec.name,
                page,
                has_sign=same(one.now, one.neighbour, spec),
                expected=one.own,
                got=one.now,
            )


def _counts_rows(outcome: PageOutcome, spec: FieldSpec) -> bool:
    """Whether a field is the number of each row of its page, from the same number on as then."""
    then, now = (
        list(map(str, map(methodcaller("get", spec.name), records)))
        for records in (outcome.previous, outcome.values)
    )
    counted = (f" {' '.join(column)} " in _NUMBERS for column in (then, now))
    return then[:1] == now[:1] and all(counted)


def _rows_still_there(
    rows: _Rows, key: Sequence[FieldSpec], spec: FieldSpec
) -> list[tuple[int, Record]]:
    """(position before, record now) of the rows known before, by key if there is one,
    else by position; none of those that have no neighbour in what they say of a field."""
    if not rows.is_list or _counts_rows(rows.outcome, spec):
        return []
    records = rows.outcome.values
    if not key:
        return list(enumerate(records[: len(rows.before)]))
    current = rows.there()
    return [
        (position, current[identity])
        for position, identity in enumerate(rows.before)
        if identity in current
    ]


class _Beside(NamedTuple):
    """What a row and one beside it had, and what the row has now."""

    own: Any
    neighbour: Any
    now: Any


def _moved(
    name: str, outcome: PageOutcome, rows: Sequence[tuple[int, Record]]
) -> Iterator[tuple[Any, Any]]:
    """What each row that is still there had, and has now."""
    for position, record in rows:
        yield outcome.previous[position].get(name), record.get(name)


def _beside(
    outcome: PageOutcome, rows: Sequence[tuple[int, Record]], name: str, offset: int
) -> Iterator[_Beside]:
    """The rows that are still there and have a neighbour, where all three values are
    filled."""
    values = [record.get(name) for record in outcome.previous]
    for position, record in rows:
        beside = position + offset
        if beside not in range(len(values)):
            continue
        compared = _Beside(values[position], values[beside], record.get(name))
        if all(map(is_filled, compared)):
            yield compared
