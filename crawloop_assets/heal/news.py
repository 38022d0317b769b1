"""News that only a person can confirm: what pages in quarantine say of their fields,
beside what was known of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
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
    entries = store.quarantine(family.family, HeldState.HELD)
    others = _others(family, store, entries)
    pages: Counter[str] = Counter()
    for entry in entries:
        named = {reason.field for reason in entry.reasons if not _is_beside(reason)}
        pages.update(named & others.get(entry.url, frozenset()))
    return SaidOtherwise(len(others), pages)


def _others(
    family: Family, store: Store, entries: Sequence[QuarantinedPage]
) -> dict[str, frozenset[str]]:
    """Url of each page of which something is known -> the fields that say another
    value."""
    schema = family.schema_spec()
    known = store.known(family, [entry.url for entry in entries])
    key = record_key(schema, family)
    others: dict[str, frozenset[str]] = {}
    for entry in entries:
        if rows := known.get(entry.url):
            pairs = pair_records(rows, entry.values, key)
            specs = [spec for spec in schema.fields if _is_other(spec, pairs)]
            others[entry.url] = frozenset(map(attrgetter("name"), specs))
    return others


def _is_other(spec: FieldSpec, pairs: Iterable[tuple[Record, Record]]) -> bool:
    """Whether a field of some record had a value, and has another one."""
    values = ((old.get(spec.name), new.get(spec.name)) for old, new in pairs)
    return any(
        old not in EMPTY and new not in EMPTY and not same(old, new, spec)
        for old, new in values
    )


def held_for(
    family: Family, store: Store, fields: Sequence[str]
) -> Iterator[QuarantinedPage]:
    """The pages in quarantine for these fields, or with a batch that is, and for the
    value of no other field."""
    named = frozenset(fields)
    entries = store.quarantine(family.family, HeldState.HELD)
    others = _others(family, store, entries)
    for entry in entries:
        is_let_go = partial(_is_of, named, others.get(entry.url, named))
        if entry.values and all(map(is_let_go, entry.reasons)):
            yield entry


def _is_beside(reason: HeldReason) -> bool:
    """Whether a reason is about the readers or the batch, not about a value."""
    return reason.check in _OF_READERS


def _is_of(fields: frozenset[str], others: frozenset[str], reason: HeldReason) -> bool:
    """Whether a reason is about one of these fields, the whole record or no value; of
    the past, only fields that say another value are."""
    if _is_beside(reason) or not reason.field:
        return True
    is_obsolete = reason.check == CheckName.HISTORY and reason.field not in others
    return reason.field in fields or is_obsolete
