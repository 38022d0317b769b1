"""News that only a person can confirm: what pages in quarantine say of their fields,
beside what was known of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse
from typing import NamedTuple

from crawloop_assets.drift.check import CheckName
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import HeldReason, HeldState, QuarantinedPage, Store
from crawloop_assets.values.equality import same

_OF_READERS = (CheckName.VOTES, "batch")
"""What is said of a page besides what is against its own values."""


class SaidOtherwise(NamedTuple):
    """How many held pages something is known of, and how many of them are held for each
    field and say another value of it."""

    held: int
    pages: Counter[str]


def said_otherwise(family: Family, store: Store) -> SaidOtherwise:
    """What the pages in quarantine say of the fields for which they are there."""
    schema = family.schema_spec()
    entries = store.quarantine(family.family, HeldState.HELD)
    known = store.known(family, [entry.url for entry in entries])
    key = record_key(schema, family)
    held, pages = 0, Counter[str]()
    for entry in entries:
        if rows := known.get(entry.url):
            held += 1
            pairs = pair_records(rows, entry.values, key)
            specs = filter(partial(_is_held_for, entry), schema.fields)
            pages.update(spec.name for spec in specs if _is_other(spec, pairs))
    return SaidOtherwise(held, pages)


def _is_held_for(entry: QuarantinedPage, spec: FieldSpec) -> bool:
    """Whether something is said against the value of a field."""
    against = filterfalse(_is_beside, entry.reasons)
    return any(reason.field == spec.name for reason in against)


def _is_other(spec: FieldSpec, pairs: Iterable[tuple[Record, Record]]) -> bool:
    """Whether a field of some record had a value, and has another one."""
    values = ((old.get(spec.name), new.get(spec.name)) for old, new in pairs)
    return any(
        old not in EMPTY and new not in EMPTY and not same(old, new, spec)
        for old, new in values
    )


def held_for(
    fields: Sequence[str], entries: Iterable[QuarantinedPage]
) -> Iterator[QuarantinedPage]:
    """The pages that are held for these fields, or with a batch that is, and for the
    value of no other field."""
    named = frozenset(fields)
    for entry in entries:
        against = list(filterfalse(_is_beside, entry.reasons))
        if entry.values and all(map(partial(_is_of, named), against)):
            yield entry


def _is_beside(reason: HeldReason) -> bool:
    """Whether a reason is about the readers or the batch, not about a value."""
    return reason.check in _OF_READERS


def _is_of(fields: frozenset[str], reason: HeldReason) -> bool:
    """Whether a reason is about one of these fields, or the whole record."""
    return reason.field in fields or not reason.field
