"""Records that a site shows in two places: above its list, on each page, those that it
recommends. They are one record, and no two that have the same values."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_MOST = 0.5
"""A page of which so many rows stand elsewhere is no list with a few of them above: it
is the page before once more, or one row is read again and again."""

_LEAST_ROWS = 2
"""One record is no list: two pages that show one are read wrongly, or are one."""

_FIRST = ("0", "1")
_ENDS = ("/", "?", "&")
"""The numbers of a first page, and what stands before that of any."""

ValidRecord = tuple[int, PageOutcome, Record]


def records_once(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> Iterator[ValidRecord]:
    """(position of the page, its outcome, record) of all valid records of a batch, but for
    known ones that were there before and say the same there, and those of pages that
    are another one of the batch once more."""
    key = record_key(schema, family)
    known = by_key(chain.from_iterable(map(attrgetter("previous"), outcomes)), key)
    seen = _Seen(key, schema.fields, frozenset(known))
    again = pages_again(schema, family, outcomes)
    for page, outcome in enumerate(outcomes):
        if page in again:
            continue
        new = list(filterfalse(seen.is_there, outcome.values))
        are_few = len(outcome.values) - len(new) < _MOST * len(outcome.values)
        for record in new if are_few else outcome.values:
            yield page, outcome, record


def pages_again(
    schema: RecordSchema, family: Family, outcomes: Sequence[PageOutcome]
) -> frozenset[int]:
    """The positions of pages that are another one of the batch once more: by another
    name, or at an old address of a list that counts its pages in another way now."""
    named: dict[str, PageOutcome] = {}
    lists = _Lists.of(record_key(schema, family), schema.fields, outcomes)
    again = set()
    for page, outcome in enumerate(outcomes):
        first = named.setdefault(outcome.called or outcome.url, outcome)
        is_other_name = _is_other_name(first, outcome, schema.fields)
        is_one = is_other_name and not lists.has_lost(outcome)
        if is_one or lists.has_moved_on(outcome):
            again.add(page)
    return frozenset(again)


def _is_other_name(
    first: PageOutcome, outcome: PageOutcome, fields: Sequence[FieldSpec]
) -> bool:
    """Whether a page shows the records of the first that has its name; their urls, in
    which two names of one page differ, say nothing."""
    if first is outcome or not (first.called or outcome.called):
        return False
    compared = [spec for spec in fields if spec.name != "url"]
    is_as_long = len(first.values) == len(outcome.values)
    are_alike = partial(_are_alike, compared)
    return is_as_long and all(map(are_alike, first.values, outcome.values))


@dataclass(frozen=True)
class _Lists:
    """The lists that the pages of a batch have shown so far, by the keys of their rows;
    `shown` are those of all pages."""

    key: Sequence[FieldSpec]
    fields: Sequence[FieldSpec]
    shown: Collection[Hashable]
    first: dict[Hashable, PageOutcome] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        key: Sequence[FieldSpec],
        fields: Sequence[FieldSpec],
        outcomes: Sequence[PageOutcome],
    ) -> "_Lists":
        """Those of a batch, before its first page."""
        rows = chain.from_iterable(map(attrgetter("values"), outcomes))
        return cls(key, fields, frozenset(by_key(rows, key)))

    def has_moved_on(self, outcome: PageOutcome) -> bool:
        """Whether a page shows the list of an earlier one, and others show what was
        known of it: an API that counts its pages in another way since answers the old
        addresses with its first page. Where what was known is on no page, a list is
        read again for another. Nothing is known of a first page by its number, to which
        the second one leads back ("?page=1")."""
        keys = tuple(key_of(row, self.key) for row in outcome.values)
        earlier = self.first.setdefault(keys, outcome)
        is_later_list = earlier is not outcome and len(keys) >= _LEAST_ROWS
        is_known = bool(by_key(outcome.previous, self.key))
        may_be = is_known or is_first_by_number(earlier.url, outcome.url)
        is_elsewhere = may_be and not self.has_lost(outcome)
        alike = map(partial(_are_alike, self.fields), earlier.values, outcome.values)
        return all((is_later_list, is_elsewhere, *alike))

    def has_lost(self, outcome: PageOutcome) -> bool:
        """Whether a page shows a list, and most rows that were known of it are on no
        page: whatever leads to that list now, leads to it from others that are lost."""
        known = by_key(outcome.previous, self.key).keys()
        is_list = len(outcome.values) >= _LEAST_ROWS
        return is_list and bool(known) and 2 * len(known & self.shown) <= len(known)


@dataclass(frozen=True)
class _Seen:
    """The `known` records that the pages of a batch have shown so far, by key."""

    key: Sequence[FieldSpec]
    fields: Sequence[FieldSpec]
    known: Collection[Hashable]
    first: dict[Hashable, Record] = field(default_factory=dict)

    def is_there(self, row: Record) -> bool:
        """Whether a known record was shown before and said the same; else it is now."""
        identity = key_of(row, self.key)
        if identity not in self.known:
            return False
        before = self.first.setdefault(identity, row)
        return before is not row and _are_alike(self.fields, before, row)


def is_first_by_number(one: str, other: str) -> bool:
    """Whether two addresses are one but for the number of a first page behind it."""
    short, long = sorted((one, other), key=len)
    behind = long.removeprefix(short.rstrip("/"))
    digits = "".join(filter(str.isdigit, behind))
    return long != behind and behind[:1] in _ENDS and digits in _FIRST


def _are_alike(fields: Sequence[FieldSpec], one: Record, other: Record) -> bool:
    """Whether two rows say the same in some fields."""
    return all(map(partial(_is_alike, one, other), fields))


def _is_alike(one: Record, other: Record, spec: FieldSpec) -> bool:
    """Whether two rows say the same in a field, or both nothing."""
    values = one.get(spec.name), other.get(spec.name)
    return values == (None, None) or same(*values, spec)
