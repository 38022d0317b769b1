"""News that only a person can confirm: what pages in quarantine say of their fields,
beside what was known of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, repeat
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.check import CheckName
from crawloop_assets.drift.matching import (
    Record,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.drift.shown_twice import is_first_by_number
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.heal.decided import valid_lessons
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.store import HeldReason, HeldState, QuarantinedPage, Store
from crawloop_assets.values.equality import same

_Pairs = Sequence[tuple[Record, Record]]

_BATCH, _PAGE = "batch", "page"
_OF_READERS = (CheckName.VOTES, _BATCH)
"""What is said of a page besides what is against its own values."""

_OF_VALUES = (CheckName.CONTRADICTION, CheckName.CONSISTENCY, CheckName.DISTRIBUTION)
"""What may be against a value that was read, whatever was known."""


class SaidOtherwise(NamedTuple):
    """How many held pages something is known of, how many of them had a value of each
    field, and how many are held for it and say another value of it, or nothing."""

    held: int
    had: Counter[str]
    pages: Counter[str]
    silent: Counter[str]


class SameList(NamedTuple):
    """The page in quarantine whose list so many others show as well."""

    url: str
    others: int

    def __str__(self) -> str:
        are = "page shows" if self.others == 1 else "pages show"
        return f"{self.others} {are} the list of {self.url}"


class _Differs(NamedTuple):
    """The fields of a page that had a value, and those of them that say another one, or
    nothing."""

    known: frozenset[str]
    others: frozenset[str]
    silent: frozenset[str]


def said_otherwise(family: Family, store: Store) -> SaidOtherwise:
    """What the pages in quarantine say of the fields for which they are there."""
    entries = store.quarantine(family.family, HeldState.HELD)
    differing = _differing(family, store, entries)
    said = SaidOtherwise(len(differing), Counter(), Counter(), Counter())
    for entry in entries:
        named = {reason.field for reason in entry.reasons if not _is_beside(reason)}
        if differs := differing.get(entry.url):
            said.had.update(differs.known)
            said.pages.update(named & differs.others)
            said.silent.update(named & differs.silent)
    return said


def held_with_batch(family: Family, store: Store) -> bool:
    """Whether pages are in quarantine, all of them read, and held with their batch
    alone."""
    entries = store.quarantine(family.family, HeldState.HELD)
    reasons = chain.from_iterable(map(attrgetter("reasons"), entries))
    is_read = all(map(attrgetter("values"), entries))
    return bool(entries) and is_read and all(map(_is_of_batch, reasons))


def held_by_themselves(family: Family, store: Store) -> frozenset[str]:
    """The urls of pages in quarantine against which more is said than against their batch: of
    a site that shows two layouts at once the pages of the other one are read."""
    entries = store.quarantine(family.family, HeldState.HELD)
    return frozenset(
        one.url for one in entries if not all(map(_is_of_batch, one.reasons))
    )


def _is_of_batch(reason: HeldReason) -> bool:
    """Whether a page is held with its batch, or as it shows another currency than all of
    them did."""
    return reason.check == _BATCH or reason.field == _PAGE


def doubted(family: Family, store: Store) -> dict[str, str]:
    """Field -> what is said against its values on pages in quarantine, whatever was known
    of them."""
    entries = store.quarantine(family.family, HeldState.HELD)
    reasons = chain.from_iterable(map(attrgetter("reasons"), entries))
    fields = list(map(attrgetter("name"), family.schema_spec().fields))
    return {
        name: reason.message.partition(" (chance")[0]
        for reason in filterfalse(_is_beside, reasons)
        if reason.check != CheckName.HISTORY
        for name in filter(reason.field.split().__contains__, fields)
    }


def resting(family: Family, store: Store) -> list[str]:
    """The fields for whose numbers pages are in quarantine, as they always moved and stand
    still now."""
    entries = store.quarantine(family.family, HeldState.HELD)
    reasons = list(chain.from_iterable(map(attrgetter("reasons"), entries)))
    said = RULES[Sign.FROZEN].says
    return [
        spec.name
        for spec in family.schema_spec().fields
        if any(said.format(subject=spec.name) in one.message for one in reasons)
    ]


def same_list(family: Family, store: Store) -> SameList | None:
    """The list that most pages in quarantine show alike, row by row, or byte by byte where none
    is read, None if each has its own: the pages of a list that have other addresses now may all
    lead to the first. The first one by its number ("?page=1") always did."""
    key = record_key(family.schema_spec(), family)
    shown: defaultdict[tuple[Hashable, ...], list[str]] = defaultdict(list)
    is_list = family.kind is not FamilyKind.DETAIL
    for entry in store.quarantine(family.family, HeldState.HELD):
        rows = tuple(map(key_of, entry.values, repeat(key)))
        if is_list and not rows:
            shown[entry.page_sha256,].append(entry.url)
        elif rows[1:] and None not in rows[:1]:
            shown[rows].append(entry.url)
    most: list[str] = max(shown.values(), key=len, default=[])
    most.sort(key=len)
    led = list(filterfalse(partial(is_first_by_number, *most[:1]), most[1:]))
    return SameList(most[0], len(led)) if led else None


def doubted_alone(family: Family, store: Store) -> dict[str, str]:
    """What `doubted` says where the pages in quarantine are read, and nothing else is
    against any of them; else nothing.

    Then a person may take what is read as news, or show what a page really says; what
    is not read, or is not valid, nobody can accept.
    """
    entries = store.quarantine(family.family, HeldState.HELD)
    reasons = chain.from_iterable(map(attrgetter("reasons"), entries))
    of_page = list(filterfalse(_is_beside, reasons))
    is_read = all(map(attrgetter("values"), entries))
    is_alone = all(one.field and one.check in _OF_VALUES for one in of_page)
    return doubted(family, store) if is_read and is_alone else {}


def _differing(
    family: Family, store: Store, entries: Sequence[QuarantinedPage]
) -> dict[str, _Differs]:
    """Url of each page of which something is known -> how it differs from that."""
    schema = family.schema_spec()
    known = store.known(family, [entry.url for entry in entries])
    key = record_key(schema, family)
    said = _said_by_people(family, store)
    differing: dict[str, _Differs] = {}
    for entry in entries:
        if rows := known.get(entry.url):
            is_so = partial(_fields_that, schema, pair_records(rows, entry.values, key))
            others = is_so(_is_other).difference(said[entry.url])
            differing[entry.url] = _Differs(_known(rows), others, is_so(_is_silent))
    return differing


def _said_by_people(family: Family, store: Store) -> dict[str, set[str]]:
    """Url -> the fields whose value a person said of this page, and a version was made
    of it: what was known before is nothing to ask anybody about."""
    said: defaultdict[str, set[str]] = defaultdict(set)
    for lesson in valid_lessons(family, store):
        if lesson.version is not None:
            said[lesson.url].add(lesson.field)
    return said


def _fields_that(
    schema: RecordSchema, pairs: _Pairs, differ: Callable[[FieldSpec, _Pairs], bool]
) -> frozenset[str]:
    """The fields of which something is so."""
    return frozenset(spec.name for spec in schema.fields if differ(spec, pairs))


def _known(rows: Sequence[Record]) -> frozenset[str]:
    """The fields of which some of the records have a value."""
    values = chain.from_iterable(map(methodcaller("items"), rows))
    return frozenset(name for name, value in values if value not in EMPTY)


def _is_silent(spec: FieldSpec, pairs: _Pairs) -> bool:
    """Whether a field of some record had a value, and has none."""
    values = ((old.get(spec.name), new.get(spec.name)) for old, new in pairs)
    return any(old not in EMPTY and new in EMPTY for old, new in values)


def _is_other(spec: FieldSpec, pairs: _Pairs) -> bool:
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
    differing = _differing(family, store, entries)
    for entry in entries:
        differs = differing.get(entry.url)
        is_let_go = partial(_is_of, named, differs.others if differs else named)
        if entry.values and all(map(is_let_go, entry.reasons)):
            yield entry


class Shown(NamedTuple):
    """What a person says of a field of one row of a page."""

    field: FieldSpec
    value: Any
    url: str
    row: int


def is_read_so(family: Family, store: Store, shown: Shown) -> bool:
    """Whether pages are held for a field, and it is read as a person says in that row, and
    in no other: what is read everywhere may be right here by chance."""
    key = record_key(family.schema_spec(), family)
    entries = list(held_for(family, store, [shown.field.name]))
    page = next((one for one in entries if one.url == shown.url), None)
    rows = chain.from_iterable(map(attrgetter("values"), entries))
    is_so = partial(_says, shown)
    if page is None or sum(map(is_so, rows)) != 1:
        return False
    known: Sequence[Record] = store.known(family, [shown.url]).get(shown.url, [])
    before = known[shown.row : shown.row + 1] or [{}]
    return any(is_so(now) for _, now in pair_records(before, page.values, key))


def _says(shown: Shown, record: Record) -> bool:
    """Whether a record says what a person does."""
    return same(record.get(shown.field.name), shown.value, shown.field)


def _is_beside(reason: HeldReason) -> bool:
    """Whether a reason is about the readers or the batch, not about a value."""
    return reason.check in _OF_READERS


def _is_of(fields: frozenset[str], others: frozenset[str], reason: HeldReason) -> bool:
    """Whether a reason is about one of these fields, the whole record or no value; of
    the past, only fields that say another value are."""
    if _is_beside(reason) or reason.field in ("", _PAGE):
        return True
    is_obsolete = reason.check == CheckName.HISTORY and reason.field not in others
    # Two fields that are compared: "price equals trade_price".
    return not fields.isdisjoint(reason.field.split()) or is_obsolete
