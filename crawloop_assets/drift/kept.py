"""What of a page in doubt is served all the same, field by field.

A page is held because something speaks against what was read of it. Where that is about
optional fields only, the rest need not wait: every field of such a page has to prove
itself, and one that cannot keeps the value that is known of it. What a record is and
must have (its key, its required fields) has to prove itself whole, and no known value
is put beside a fresh one that a law binds it to; else the page is held.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.drift.bonds import bonds
from crawloop_assets.drift.check import CheckModel, Finding
from crawloop_assets.drift.fields import is_steady, required_fields
from crawloop_assets.drift.gone import is_sale_over
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import silent
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies, Tally
from crawloop_assets.drift.values import EMPTY, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_LEAST_READERS = 2
"""So many readers that agree prove a value that may be another one every day."""

_ADDRESS = "url"

_NO_DOUBT = frozenset((Sign.REPRICED, Sign.READER))
"""Signs that a volatile value shows by being another one, read by those that are left."""

_LEAST_UNITS = 20
_USUAL = 0.05
"""A sign that so large a share of healthy values shows is none against one of them."""


class KeptRecord(CheckModel):
    """A record as it may be served: `kept` are the fields with the values that are
    known, the others are read now."""

    values: Mapping[str, Any]
    kept: frozenset[str]


@dataclass(frozen=True)
class InPart:
    """Finds the pages of a judged batch that can be served in part.

    `held` are the findings against each page, `everywhere` the fields for which all
    pages are held.
    """

    schema: RecordSchema
    family: Family
    norms: Norms
    tallies: Tallies
    held: Mapping[str, Sequence[Finding]]
    everywhere: frozenset[str] = frozenset()

    def of(self, pages: Iterable[PageOutcome]) -> dict[str, tuple[KeptRecord, ...]]:
        """Url -> the records of the pages that are in doubt and can be served in part,
        in the order in which they were read."""
        found = {}
        for at, page in enumerate(pages):
            doubted = self._doubted(page)
            if doubted and doubted <= self._optional:
                records = tuple(self._records(at, page, doubted))
                if records and len(records) == len(page.read_records):
                    found[page.url] = records
        return found

    def _doubted(self, page: PageOutcome) -> frozenset[str]:
        """The fields for which a page is held, "" for the whole page."""
        against = {finding.field for finding in self.held.get(page.url, ())}
        return self.everywhere.union(against)

    @cached_property
    def _key(self) -> Sequence[FieldSpec]:
        """The fields that identify a record on its page."""
        return record_key(self.schema, self.family)

    @cached_property
    def _core(self) -> frozenset[str]:
        """The fields without which a record is none, or another one."""
        specs = (*self._key, *required_fields(self.schema))
        return frozenset(spec.name for spec in specs)

    @cached_property
    def _optional(self) -> frozenset[str]:
        """The fields that may keep what is known."""
        return frozenset(spec.name for spec in self.schema.fields) - self._core

    @cached_property
    def _bonds(self) -> Mapping[str, frozenset[str]]:
        """Field -> the fields that a law binds it to."""
        return bonds(self.schema)

    @cached_property
    def _signs(self) -> Mapping[int, Collection[str]]:
        """Position of a page -> the subjects of the signs that it shows."""
        found: defaultdict[int, set[str]] = defaultdict(set)
        for tally in self.tallies:
            if tally.sign not in _NO_DOUBT and not self._is_usual(tally):
                for hit in tally.hits:
                    found[hit.page].add(tally.subject)
        return found

    def _is_usual(self, tally: Tally) -> bool:
        """Whether healthy values show a sign day by day, as counts do that fall."""
        known, _ = self.norms.rate(tally.sign, tally.subject, tally.seen)
        return known.seen >= _LEAST_UNITS and known.share >= _USUAL

    def _records(
        self, at: int, page: PageOutcome, doubted: frozenset[str]
    ) -> Iterator[KeptRecord]:
        """The records of a page that can be served in part."""
        pairs = pair_records(page.previous, page.values, self._key)
        if not len(pairs) == len(page.values) == len(page.read_records):
            return
        for (old, new), read in zip(pairs, page.read_records, strict=True):
            gone = self._gone(page, old, new)
            doubts = doubted | (set(self._unproved(at, old, new, read)) - gone)
            kept = self._with_bound(doubts, old, new)
            if kept <= self._optional and _is_itself(
                self.schema, self.family, old, new
            ):
                record = _merged(old, new, kept)
                if record is not None:
                    yield record

    def _gone(self, page: PageOutcome, old: Record, new: Record) -> set[str]:
        """The fields that are not read and are known to be gone, or gone for a reason:
        nothing is to be kept of them."""
        named = page.gone_before | page.gone_since | {*self.family.drift.gone}
        return {
            spec.name
            for spec in self.schema.fields
            if new.get(spec.name) in EMPTY
            and (spec.name in named or is_sale_over(spec, old, new))
        }

    def _unproved(
        self, at: int, old: Record, new: Record, read: ExtractedRecord
    ) -> Iterator[str]:
        """The fields of a record that cannot prove themselves: they are neither what is
        known nor, if they may change every day, said by several readers; and those that
        are new, if a sign is against them."""
        for spec in self.schema.fields:
            before, after = old.get(spec.name), new.get(spec.name)
            if _is_known(before, after, spec):
                continue
            has_sign = spec.name in self._signs.get(at, ())
            is_new = before in EMPTY
            is_said = not is_steady(spec, self.family) and self._is_agreed(
                read.votes.get(spec.name)
            )
            if has_sign or not (is_new or is_said):
                yield spec.name

    def _is_agreed(self, vote: FieldVote | None) -> bool:
        """Whether several readers say one value, and none another."""
        if vote is None or vote.rivals or silent(vote):
            return False
        return (
            vote.live_readers >= _LEAST_READERS
            and vote.agreement >= self.family.drift.min_agreement
        )

    def _with_bound(
        self, fields: Collection[str], old: Record, new: Record
    ) -> frozenset[str]:
        """Fields with all that laws bind them to, where that is another value now."""
        kept, waiting = set(fields), list(fields)
        while waiting:
            for name in self._bonds[waiting.pop()] - kept:
                spec = self.schema.field(name)
                if not _is_known(old.get(name), new.get(name), spec):
                    kept.add(name)
                    waiting.append(name)
        return frozenset(kept)


def _is_known(before: Any, after: Any, spec: FieldSpec) -> bool:
    """Whether a value is the known one, or there is none as before."""
    if before in EMPTY or after in EMPTY:
        return before in EMPTY and after in EMPTY
    return same(before, after, spec)


def _is_itself(schema: RecordSchema, family: Family, old: Record, new: Record) -> bool:
    """Whether a steady value of the known record is read again: it is the same one.

    Its url tells nothing: every page has the one that it was asked for.
    """
    return any(
        is_filled(old.get(spec.name))
        and _is_known(old.get(spec.name), new.get(spec.name), spec)
        for spec in schema.fields
        if is_steady(spec, family) and spec.name != _ADDRESS
    )


def _merged(old: Record, new: Record, kept: Collection[str]) -> KeptRecord | None:
    """What is read with the known values of some fields; None if there is no known
    value in the place of one that is read."""
    known = {name: old[name] for name in kept if is_filled(old.get(name))}
    if any(is_filled(new.get(name)) for name in set(kept) - known.keys()):
        return None
    return KeptRecord(values={**new, **known}, kept=frozenset(known))
