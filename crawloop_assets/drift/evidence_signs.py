"""Counts the signs that different kinds of evidence give about one value: what is shown
against what is stated, and what stands around a number."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, compress
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.traits import AROUND, said_around
from crawloop_assets.drift.changes import RecordPair, known_before
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import losing_value
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY, as_measure
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

SIGNS_AROUND = tuple(
    zip((Sign.WORDS, Sign.BESIDE, Sign.PLACES, Sign.HIDDEN), AROUND, strict=True)
)
"""That a trait of a context is another one than usual."""

_FEW_USUAL = 6
"""Of more things around a number none is usual: it stands in a line with other fields,
as in "York Water Board · £ # · closes March"."""
_LEAST_READ = 20
"""Without history, so many values of the batch itself say what is usual."""

_HARMLESS = 0.5
"""Share of known values that stay as they are from which on new words mean nothing."""

_SEVERAL = 2
_EVERYWHERE = 0.5
"""Share of all values beside which stands what a site has added everywhere."""

_HARDLY = 0.1
_NUMBER = "#"
"""Stands for the value in what stands around it."""

_SIGN = re.compile(r"(?<= )[+−±-] (?=#)")
"""Of a number that had one on other days, as a goal difference has: nought has none."""


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
    """Count CONTRADICTION, RIVAL, OUTVOTED, WORDS, BESIDE, PLACES and HIDDEN, of the version that
    read most pages; `pairs` are the known records of the batch."""
    old = known_before(pairs)
    of_fields = [
        list(voted_on(spec, outcomes, norms.version, old)) for spec in schema.fields
    ]
    for voted in of_fields:
        for item in voted:
            _count_contradiction(item, family, tallies)
            _count_rival(item, tallies)
        moves = bool(voted) and norms.moves(voted[0].spec.name)
        _count_outvoted(voted, tallies, moves=moves)
    for sign, trait in SIGNS_AROUND:
        seen = [_seen(trait, voted, norms) for voted in of_fields]
        added = list(chain.from_iterable(map(_added_everywhere, seen)))
        for of_field in filter(attrgetter("known"), seen):
            _count_context(sign, of_field, added, tallies)


def voted_on(
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


def _count_rival(voted: Voted, tallies: Tallies) -> None:
    """Whether a reader says another value, however little it weighs, and the others not
    the known one."""
    tallies.add(
        Sign.RIVAL,
        voted.spec.name,
        voted.page,
        has_sign=_is_split(voted),
        expected=losing_value(voted.vote),
        got=voted.value,
    )


def _count_outvoted(
    of_field: Sequence[Voted], tallies: Tallies, *, moves: bool
) -> None:
    """Whether a reader that loses is nearer to what is known than those that win on most
    pages, and what those say is known of hardly any: they may all have come to another
    place. Of what always `moves`, just the known number is yesterday's."""
    known = [voted for voted in of_field if voted.before not in EMPTY]
    kept = sum(map(attrgetter("is_kept"), known))
    nearer = filter(_is_nearer_lost, known)
    split = {id(voted) for voted in nearer if not (moves and _is_known_lost(voted))}
    is_one = len(split) >= max(_SEVERAL + 1, len(known) / 2)
    for voted in known:
        tallies.add(
            Sign.OUTVOTED,
            voted.spec.name,
            voted.page,
            has_sign=is_one and id(voted) in split and kept < _HARDLY * len(known),
            expected=losing_value(voted.vote),
            got=voted.value,
        )


def _is_nearer_lost(voted: Voted) -> bool:
    """Whether what a reader says that loses is nearer to the known number or day than
    what wins."""
    values = voted.before, voted.value, losing_value(voted.vote)
    before, won, lost = map(as_measure, values)
    if not _is_split(voted) or before is None or won is None or lost is None:
        return False
    return abs(lost - before) < abs(won - before)


def _is_known_lost(voted: Voted) -> bool:
    """Whether the known number is just what a reader says that loses."""
    return as_measure(losing_value(voted.vote)) == as_measure(voted.before)


def _is_split(voted: Voted) -> bool:
    """Whether a reader says another value than those that win, which is not known."""
    is_contradicted = bool(voted.vote.rivals) and voted.vote.late is None
    return is_contradicted and not voted.is_kept


class SeenAround(NamedTuple):
    """What stands around the values of a field in this batch, and what usually does."""

    around: Sequence[tuple[Voted, str]]
    known: frozenset[str]
    moves: bool = False
    """Whether the known numbers are other ones in every refresh, as a rule."""

    @property
    def fine(self) -> frozenset[str]:
        """What is usual, and what stands around values of which half and more are the
        known ones: words beside numbers that stay as they are mean nothing, the site has
        added them. Where all stay that always moved, those of yesterday may be read."""
        then = [item for item, _ in self.around if item.before not in EMPTY]
        if self.moves and all(map(attrgetter("is_kept"), then)):
            return self.known
        known: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        for item, around in self.around:
            if around not in self.known and item.before not in EMPTY:
                known[around] += 1
                kept[around] += item.is_kept
        harmless = (
            around
            for around, count in known.items()
            if kept[around] >= _HARMLESS * count
        )
        return self.known.union(harmless)

    @property
    def turned(self) -> frozenset[str]:
        """What stands around several known values of which most are other ones now: the
        place says something else, and where it says the known value that is chance."""
        known: Counter[str] = Counter()
        other: Counter[str] = Counter()
        for item, around in self.around:
            if item.before not in EMPTY:
                known[around] += 1
                other[around] += not item.is_kept
        return frozenset(
            around
            for around, count in other.items()
            if count >= _SEVERAL and count > (1 - _HARMLESS) * known[around]
        )


def _seen(trait: str, voted: Sequence[Voted], norms: Norms) -> SeenAround:
    """A trait of the values of a field."""
    found = [
        (item, said_around(item.vote.context, trait))
        for item in voted
        if item.vote.context is not None
    ]
    if not found:
        return SeenAround((), frozenset())
    names = [said for _, said in found]
    usual = norms.familiar(f"{trait}:{voted[0].spec.name}", names)
    signed = set(map(_unsigned, filter(_SIGN.search, usual)))
    is_of_signed = map(signed.__contains__, map(_unsigned, names))
    known = usual.union(compress(names, is_of_signed))
    known = known if len(usual) <= _FEW_USUAL else frozenset()
    return SeenAround(found, known, norms.moves(voted[0].spec.name))


def _unsigned(around: str) -> str:
    """What stands around a number, without the sign that is its own."""
    return _SIGN.sub("", around)


class _Added(NamedTuple):
    """Words that a site has added beside the values of a field, before or behind them."""

    field: str
    words: tuple[str, ...]
    is_before: bool


def _added_everywhere(seen: SeenAround) -> Iterator[_Added]:
    """The words that a site has added beside most values of a field, which are the known
    ones: they mean as little beside one that stands in other words, a price on sale or
    that of another field."""
    counts = Counter(around for _, around in seen.around)
    if not seen.known or counts.total() < _LEAST_READ:
        return
    around, count = max(counts.items(), key=itemgetter(1))
    if count > _EVERYWHERE * counts.total() and around in seen.fine:
        field = seen.around[0][0].spec.name
        for known in seen.known:
            yield from _words_added(field, known.split(), around.split())


def _words_added(field: str, before: list[str], after: list[str]) -> Iterator[_Added]:
    """The words that have to be put in at one place to make the second text of the
    first."""
    longer = len(after) - len(before)
    for at in range(len(before) + 1):
        if longer > 0 and after[:at] + after[at + longer :] == before:
            yield _Added(field, tuple(after[at : at + longer]), _NUMBER in before[at:])
            return


def _without(around: str, field: str, added: Iterable[_Added]) -> Iterator[str]:
    """What stands around a value without what was added, on the same side of it; what
    stands behind one field's may stand before another one's."""
    words = around.split()
    for one in added:
        for at in range(len(words) - len(one.words) + 1):
            stop = at + len(one.words)
            is_there = tuple(words[at:stop]) == one.words
            is_before = _NUMBER in words[stop:]
            if is_there and (is_before is one.is_before or field != one.field):
                yield " ".join(words[:at] + words[stop:])


def _is_silent(around: str) -> bool:
    """Whether the element around a value was too long to be looked at: there is the name
    of the trait only. What was added may have made it so."""
    return " " not in around


def _count_context(
    sign: Sign, seen: SeenAround, added: Collection[_Added], tallies: Tallies
) -> None:
    """Whether something else than usual stands around a number that is another one, or
    that stays as it is where several others with the same around them do not."""
    fine, turned, usual = seen.fine, seen.turned, min(seen.known)
    for item, around in seen.around:
        tallies.add(
            sign,
            item.spec.name,
            item.page,
            has_sign=around not in fine
            and (around in turned or not item.is_kept)
            and _is_other(item, around, fine, added),
            expected=f"{item.before or 'a value'}, {usual}",
            got=item.value,
        )


def _is_other(
    item: Voted, around: str, fine: frozenset[str], added: Collection[_Added]
) -> bool:
    """Whether a number stands among words that nothing explains: neither other fields
    of its record nor what the site has added."""
    if added and _is_silent(around):
        return False
    return fine.isdisjoint(
        (item.as_known(around), *_without(around, item.spec.name, added))
    )
