"""Counts the signs that different kinds of evidence give about one value: what is shown
against what is stated, and what stands around a number."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.norms import Norms, familiar
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_TRAITS = {
    Sign.WORDS: "words",
    Sign.BESIDE: "beside",
    Sign.PLACES: "places",
    Sign.HIDDEN: "hidden",
}
"""What of a context is counted, by the sign that it is another one than usual."""

_LEAST_READ = 20
"""Without history, so many values of the batch itself say what is usual."""

_HARMLESS = 0.5
"""Share of known values that stay as they are from which on new words mean nothing."""


class Voted(NamedTuple):
    """One value of a record, the vote that voted it, and what was known of it and of
    the record."""

    page: int
    spec: FieldSpec
    vote: FieldVote
    value: Value
    before: Value
    record: Record
    known: Record

    @property
    def is_kept(self) -> bool:
        """Whether it is the known value."""
        if self.before in EMPTY:
            return False
        return same(self.before, self.value, self.spec)

    def as_known(self, around: str) -> str:
        """What would stand around it if the other texts of its record were as they were
        known: another currency beside the price is that field's news, not the price's."""
        for name, text in self.record.items():
            before = self.known.get(name)
            if isinstance(text, str) and isinstance(before, str):
                said = f" {around} ".replace(
                    f" {text.casefold()} ", f" {before.casefold()} "
                )
                around = said.strip()
        return around


def count_evidence_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count CONTRADICTION, WORDS, BESIDE, PLACES and HIDDEN, of the version that read most
    pages; `pairs` are the known records of the batch."""
    old = {id(pair.new): pair.old for pair in pairs}
    for spec in schema.fields:
        voted = list(_voted(spec, outcomes, norms.version, old))
        for item in voted:
            _count_contradiction(item, family, tallies)
        for sign, trait in _TRAITS.items():
            _count_context(sign, trait, voted, norms, tallies)


def context_traits(record: ExtractedRecord) -> Iterator[tuple[str, str]]:
    """(trait of a field, what it was) of what stands around the numbers of a record, as
    history keeps it."""
    for field, vote in record.votes.items():
        if vote.context is None:
            continue
        for trait in _TRAITS.values():
            yield f"{trait}:{field}", _trait_of(vote.context, trait)


def _trait_of(context: Context, trait: str) -> str:
    return f"{trait} {getattr(context, trait)}".strip()


def _voted(
    spec: FieldSpec,
    outcomes: Sequence[PageOutcome],
    version: int | None,
    old: dict[int, Record],
) -> Iterator[Voted]:
    """The values of a field on the pages that a version read, where all records of the
    page are valid."""
    for page, outcome in enumerate(outcomes):
        if outcome.version != version:
            continue
        if len(outcome.read_records) != len(outcome.values):
            continue
        for record, values in zip(outcome.read_records, outcome.values, strict=True):
            vote, value = record.votes.get(spec.name), values.get(spec.name)
            if vote is None or value in EMPTY:
                continue
            known = old.get(id(values), {})
            before = known.get(spec.name)
            yield Voted(page, spec, vote, value, before, values, known)


def _count_contradiction(voted: Voted, family: Family, tallies: Tallies) -> None:
    """Whether another kind of evidence says another value.

    A known value that hardly ever changes is a witness of its own; one that may change
    is not: what is stated is often yesterday's.
    """
    if voted.vote.live_readers < 2:
        return
    contradicted = bool(voted.vote.against)
    if contradicted and is_steady(voted.spec, family) and voted.is_kept:
        contradicted = False
    other: Any = next(iter(voted.vote.against.values()), "")
    tallies.add(
        Sign.CONTRADICTION,
        voted.spec.name,
        voted.page,
        has_sign=contradicted,
        expected=other,
        got=voted.value,
    )


def _count_context(
    sign: Sign, trait: str, voted: Sequence[Voted], norms: Norms, tallies: Tallies
) -> None:
    """Whether something else than usual stands around a number that is another one.

    Words that stand beside numbers which stay as they are mean nothing: the site has
    added them.
    """
    seen = [
        (item, _trait_of(item.vote.context, trait))
        for item in voted
        if item.vote.context is not None
    ]
    if not seen:
        return
    trait_of_field = f"{trait}:{voted[0].spec.name}"
    known = _familiar(trait_of_field, [around for _, around in seen], norms)
    if not known:
        return
    fine = _harmless(seen) | known
    for item, around in seen:
        is_other = around not in fine and item.as_known(around) not in fine
        tallies.add(
            sign,
            item.spec.name,
            item.page,
            has_sign=is_other and not item.is_kept,
            expected=f"{item.before or 'a value'}, {min(known)}",
            got=item.value,
        )


def _familiar(trait: str, seen: Sequence[str], norms: Norms) -> frozenset[str]:
    """What history has seen, or without it nearly all of the batch; empty if nothing is
    usual."""
    known = norms.familiar(trait)
    if known or len(seen) < _LEAST_READ:
        return known
    return familiar(Counter(seen))


def _harmless(seen: Sequence[tuple[Voted, str]]) -> frozenset[str]:
    """What stands around values of which half and more are the known ones."""
    known: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for item, around in seen:
        if item.before not in EMPTY:
            known[around] += 1
            kept[around] += item.is_kept
    return frozenset(
        around for around, count in known.items() if kept[around] >= _HARMLESS * count
    )
