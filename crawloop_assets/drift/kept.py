"""What of a page in doubt is served all the same, field by field.

A page is held because something speaks against what was read of it. Where that is about
optional fields only, the rest need not wait: every field of such a page has to prove
itself, and one that cannot keeps the value that is known of it, or is left out if none
is. What a record is and must have (its key, its required fields) has to prove itself
whole, and no known value is put beside a fresh one that a law binds it to; else the
page is held. Only what hardly ever changes and is not read at all, so that nothing speaks
for another value, is kept also where the record must have it.

What is served says of which day it is. So nothing is fresh of a copy that a cache has
kept since before the last refresh, and nothing that may be another one every day is
where two kinds of evidence on one page are of different days.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.drift.bonds import bonds, is_money
from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.check import CheckModel, CheckName, Finding
from crawloop_assets.drift.fields import NUMERIC_KINDS, is_steady, required_fields
from crawloop_assets.drift.matching import (
    Record,
    by_key,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import silent
from crawloop_assets.drift.sales import is_sale_over
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies, Tally
from crawloop_assets.drift.values import filled_fields
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_LEAST_READERS = 2
"""So many readers that agree prove a value that may be another one every day."""

_LEAST_KNOWN = 3
_NEARLY_ALL = 0.9
"""So many known records, and this share of them, prove that a field is read rightly in
records of which nothing is known."""

_Marked = tuple[str, bool]
"""A field, and whether its page shows a sign against it."""

_ADDRESS = "url"

_NO_DOUBT = frozenset((Sign.REPRICED, Sign.READER))
"""Signs that a volatile value shows by being another one, read by those that are left."""

_OFTEN = 3
_USUAL = 0.05
"""A sign that healthy values have shown so often, and so large a share of them, is none
against one of them."""


def lasting_required(schema: RecordSchema, family: Family) -> frozenset[str]:
    """The required fields that may be kept where nothing is read of them: those that
    hardly ever change and are no key. An amount of money moves, whatever is declared."""
    key = {spec.name for spec in record_key(schema, family)}
    return frozenset(
        spec.name
        for spec in required_fields(schema)
        if is_steady(spec, family) and not is_money(spec) and spec.name not in key
    )


class KeptRecord(CheckModel):
    """A record as it may be served: `kept` are the fields with the values that are
    known, which may be none, the others are read now."""

    values: Mapping[str, Any]
    kept: frozenset[str]


@dataclass(frozen=True)
class Merging:
    """Puts known values beside fresh ones, where a record stays one record so."""

    schema: RecordSchema
    family: Family

    @cached_property
    def _key(self) -> Sequence[FieldSpec]:
        """The fields that identify a record on its page."""
        return record_key(self.schema, self.family)

    @cached_property
    def _names(self) -> frozenset[str]:
        """All fields."""
        return frozenset(map(attrgetter("name"), self.schema.fields))

    @cached_property
    def _steady(self) -> frozenset[str]:
        """The fields that hardly ever change."""
        specs = filter(partial(is_steady, family=self.family), self.schema.fields)
        return frozenset(map(attrgetter("name"), specs))

    @cached_property
    def _optional(self) -> frozenset[str]:
        """The fields that may keep what is known: a record without any other one is
        none, or another one."""
        core = (*self._key, *required_fields(self.schema))
        return self._names.difference(map(attrgetter("name"), core))

    @cached_property
    def _bonds(self) -> Mapping[str, frozenset[str]]:
        """Field -> the fields that a law binds it to."""
        return bonds(self.schema)

    @cached_property
    def _alike(self) -> Mapping[str, frozenset[str]]:
        """Field -> the fields of its kind: where another value is read of one, it may
        be theirs, and theirs its own."""
        return {spec.name: self._names_of(spec.kind) for spec in self.schema.fields}

    def _names_of(self, kind: FieldKind) -> frozenset[str]:
        """The fields of a kind; all numbers are of one."""
        kinds = NUMERIC_KINDS if kind in NUMERIC_KINDS else (kind,)
        return frozenset(spec.name for spec in self.schema.fields if spec.kind in kinds)

    def _compared(self, old: Record, new: Record) -> "Compared":
        """A record then and now."""
        equal = (
            spec.name
            for spec in self.schema.fields
            if same(old.get(spec.name), new.get(spec.name), spec)
        )
        return Compared(old, new, frozenset(equal))

    def _merged(
        self,
        doubted: Set[str],
        then: "Compared",
        completed: Set[str] = frozenset(),
    ) -> KeptRecord | None:
        """What is read, with the known values of the fields in doubt, and of all that is
        another value now and bound to them by a law, or may have been exchanged.

        None where a field that is in doubt is not optional, nor `completed`, or if no
        steady value is the known one: it may be another record; one that lacks what it
        must have is itself where most of them are. Its url tells nothing, since every
        page has the one that it was asked for. One of which nothing is known is new.
        """
        kept = more = frozenset(doubted)
        while more:
            bound = _joined(self._bonds, kept)
            swapped = _joined(self._alike, kept & then.now) & then.now
            more = (bound | swapped) - then.equal - kept
            kept |= more
        lasting = then.before & self._steady - {_ADDRESS} - completed
        least = len(lasting) / 2 if completed else 0
        is_itself = not then.old or len(then.equal & lasting) > least
        if kept - self._optional - completed or not is_itself:
            return None
        known = {name: then.old[name] for name in kept & then.old.keys()}
        fresh = {name: then.new[name] for name in then.new.keys() - kept}
        return KeptRecord(values=fresh | known, kept=kept)


@dataclass(frozen=True)
class InPart(Merging):
    """Finds the pages of a judged batch that can be served in part.

    `held` are the findings against each page, `everywhere` the fields for which all
    pages are held, `said_twice` by url those that are news.
    """

    norms: Norms
    tallies: Tallies
    held: Mapping[str, Sequence[Finding]]
    everywhere: frozenset[str] = frozenset()
    said_twice: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, pages: Iterable[PageOutcome]) -> dict[str, dict[int, KeptRecord]]:
        """Url -> the records of the pages that are in doubt and can be served in part,
        by position; others wait. Rows of lists wander between the pages."""
        if not self.held and not self.everywhere:
            return {}
        pages = list(pages)
        rows = map(attrgetter("previous"), filter(has_rows, pages))
        known = by_key(chain.from_iterable(rows), self._key)
        sure = self._sure(pages, known)
        found = {
            page.url: self._records(at, page, known, sure)
            for at, page in enumerate(pages)
        }
        return {url: records for url, records in found.items() if records}

    def _sure(
        self, pages: Iterable[PageOutcome], known: Mapping[Hashable, Record]
    ) -> Set[_Marked]:
        """The fields that are read as they are known in nearly all records of the batch:
        their readers read what is new as well; of pages with a sign against a field and
        of those without one by itself."""
        before, equal = Counter[_Marked](), Counter[_Marked]()
        for at, page in enumerate(pages):
            for old, new in zip(self._known_of(page, known), page.values, strict=False):
                then = self._compared(old or {}, new)
                before.update(self._marked(at, then.before))
                equal.update(self._marked(at, then.before & then.equal))
        return frozenset(filter(partial(_is_sure, before, equal), before))

    def _marked(self, at: int, names: Set[str]) -> Set[_Marked]:
        """Fields of the page in a position, and whether it shows a sign against each."""
        signs = names & self._signs.get(at, frozenset())
        return {*zip(names - signs, repeat(False)), *zip(signs, repeat(True))}

    def _records(
        self,
        at: int,
        page: PageOutcome,
        known: Mapping[Hashable, Record],
        sure: Set[_Marked],
    ) -> dict[int, KeptRecord]:
        """The records of a page that can be served in part, given the known rows by key;
        none unless most of them can. One of which nothing is known waits, unless nothing
        but what all pages are held for speaks against its page: then it goes without."""
        against = self._against(page)
        doubted = self.everywhere.union(against, self._undated(page))
        are_whole = len(page.values) == len(page.read_records)
        is_sound = not {*against, *self.everywhere, *page.completed}
        if is_sound or not are_whole or page.old_copy:
            return {}
        records, signs = {}, self._signs.get(at, frozenset())
        for position, old in enumerate(self._known_of(page, known)):
            if old is None and not against <= self.everywhere:
                continue
            then = self._compared(old or {}, page.values[position])
            agreed = self._agreed(page.read_records[position]) - signs
            proved = self._proved(then, page, agreed) | (agreed - self._steady)
            if old is None:
                proved |= set(map(itemgetter(0), sure & self._marked(at, self._names)))
            proved |= self.said_twice.get(page.url, frozenset())
            completed = page.completed_at(position)
            unproved = doubted | completed | (self._names - proved)
            records[position] = self._merged(unproved, then, completed)
        served = {at: one for at, one in records.items() if one is not None}
        return served if 2 * len(served) > len(records) else {}

    def _against(self, page: PageOutcome) -> Set[str]:
        """The fields that a page is held for, but for those that some of its records lack
        and that are known of them."""
        held = self.held.get(page.url, ())
        return {one.field for one in held if not is_of_row(one, page)}

    def _known_of(
        self, page: PageOutcome, known: Mapping[Hashable, Record]
    ) -> list[Record | None]:
        """What is known of each record of a page, None for nothing; nothing at all where
        nobody can tell which is which."""
        if has_rows(page) and self._key:
            return [known.get(key_of(new, self._key)) for new in page.values]
        if not page.previous:
            return [None] * len(page.values)
        return [old for old, _ in pair_records(page.previous, page.values, self._key)]

    def _undated(self, page: PageOutcome) -> Set[str]:
        """The optional fields that may change every day, where two kinds of evidence
        contradict each other about one of those: which of them is of today nobody
        knows, nor of which day the rest is, also where it is what was known."""
        votes = chain.from_iterable(read.votes.items() for read in page.read_records)
        split = {name for name, vote in votes if vote.against}
        return self._optional - self._steady if split - self._steady else frozenset()

    @cached_property
    def _signs(self) -> Mapping[int, Set[str]]:
        """Position of a page -> the subjects of the signs that it shows."""
        found: defaultdict[int, set[str]] = defaultdict(set)
        for tally in filter(self._is_telling, self.tallies):
            for hit in tally.hits:
                found[hit.page].add(tally.subject)
        return found

    def _is_telling(self, tally: Tally) -> bool:
        """Whether a sign is not one that healthy values show day by day, as counts do
        that fall."""
        known, _ = self.norms.rate(tally.sign, tally.subject, tally.seen)
        is_usual = known.bad >= _OFTEN and known.share >= _USUAL
        return tally.sign not in _NO_DOUBT and not is_usual

    def _proved(
        self, then: "Compared", page: PageOutcome, agreed: Set[str]
    ) -> Set[str]:
        """The fields that are what is known; those that are new, of which several
        readers say the same, with no sign against it: one alone may read a neighbour
        where the record has none; and those that are not read and known to be gone, or
        gone for a reason, so that there is nothing to keep of them."""
        gone = page.gone_before | page.gone_since | {*self.family.drift.gone}
        over = (
            spec.name
            for spec in self.schema.fields
            if is_sale_over(spec, then.old, then.new)
        )
        first_read = (then.now - then.before) & agreed
        return then.equal | first_read | (gone.union(over) - then.now)

    def _agreed(self, read: ExtractedRecord) -> Set[str]:
        """The fields of which several readers say one value now."""
        return {name for name, vote in read.votes.items() if self._is_agreed(vote)}

    def _is_agreed(self, vote: FieldVote) -> bool:
        """Whether several readers say one value, and none another."""
        if vote.rivals or silent(vote) or vote.live_readers < _LEAST_READERS:
            return False
        return vote.agreement >= self.family.drift.min_agreement


def is_of_row(finding: Finding, page: PageOutcome) -> bool:
    """Whether all that is against a page is that some records lack a field, of which
    the value is known, or that are left out for it."""
    is_missing = finding.check is CheckName.SCHEMA
    left_out = map(attrgetter("choices"), page.left_out)
    fields = frozenset[str]().union(*page.completed, *left_out)
    return is_missing and finding.field in fields


def _is_sure(
    before: Mapping[_Marked, int], equal: Mapping[_Marked, int], one: _Marked
) -> bool:
    """Whether a field that was known of so many records is read so in nearly all."""
    return before[one] >= _LEAST_KNOWN and equal[one] >= _NEARLY_ALL * before[one]


def _joined(others: Mapping[str, frozenset[str]], names: Set[str]) -> frozenset[str]:
    """All that some fields have to do with."""
    found = (others[name] for name in names & others.keys())
    return frozenset[str]().union(*found)


@dataclass(frozen=True)
class Compared:
    """A record then and now, and the fields that are as they were, be it nothing."""

    old: Record
    new: Record
    equal: frozenset[str]

    @cached_property
    def before(self) -> frozenset[str]:
        """The fields that had a value."""
        return filled_fields(self.old)

    @cached_property
    def now(self) -> frozenset[str]:
        """The fields that have one."""
        return filled_fields(self.new)
