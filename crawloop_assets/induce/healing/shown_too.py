"""What is shown of a number that moves, beside what is stated of it for machines: where all
that is stated is what was known, and some of what is shown beside it has moved, the page
may state yesterday's.

So such a field is heard where it is shown as well. Where numbers went up and down, or
counts up, what is shown is read; no other price beside one does both. Else nobody knows
which of the two is today's, and neither is certain where they differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, partial
from itertools import compress
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import (
    MOST_READERS,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
)
from crawloop_assets.crawler.read import read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.ensemble import ensemble
from crawloop_assets.induce.detail.trials import KnownValue, induce
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import shown_readers
from crawloop_assets.induce.locate.nearness import count_near, may_move
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.numbers_beside import KnownInPlace, known_in_place
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_FEWEST = 2
_MOST_WEIGHT = 10.0
_UP, _DOWN = 1, -1
_MOVES: Mapping[FieldKind, frozenset[int]] = MappingProxyType(
    {FieldKind.INTEGER: frozenset((_UP,)), FieldKind.NUMBER: frozenset((_UP, _DOWN))}
)
"""How numbers have to move for it to be no other number beside them that is shown."""


class _Heard(NamedTuple):
    """A record whose number is known: where it is, that number, and the one that is stated."""

    row: KnownInPlace
    known: Value
    stated: Value


_Now = tuple[_Heard, Value]
"""Such a record, and the number that it shows."""


def with_shown(
    schema: RecordSchema,
    program: Program,
    healed: HealedProgram,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedProgram:
    """What was healed from a `program` and known records, with numbers that may change every
    day heard where people see them, if they were found where they are stated."""
    made = healed.program
    asked = list(filter(_is_asked, made.fields)) if made else []
    if made is None or not asked:
        return healed
    rows = list(known_in_place(schema, made, documents, known))
    fields = tuple(map(partial(_heard_too, program, rows), asked))
    made = made.as_in(made.model_copy(update={"fields": fields}))
    return healed.model_copy(update={"program": made})


def _is_asked(field: FieldProgram) -> bool:
    """Whether a field may change every day, and is read where it is stated."""
    return may_move(field.spec) and any(map(_is_stated, field.readers))


def _heard_too(
    program: Program, rows: Sequence[KnownInPlace], field: FieldProgram
) -> FieldProgram:
    """A field that is stated, heard where it is shown as well if people see it: there a
    `program` has heard it, or known numbers stand."""
    heard = list(_heard(field, rows))
    if len(heard) < _FEWEST:
        return field
    old = program.field(field.spec.name) or FieldProgram(spec=field.spec)
    before = tuple(filter(_is_shown, old.readers))
    found = tuple(_PLACES.get(program.kind, _in_rows)(field.spec, heard))
    return _Shown(field.spec, heard, before, found).heard_in(field)


def _is_shown(reader: Reader) -> bool:
    """Whether people see what a reader reads."""
    return kind_of(reader) is Kind.SHOWN


def _is_stated(reader: Reader) -> bool:
    """Whether what a reader reads is stated for machines."""
    return kind_of(reader) is Kind.STATED


def _heard(field: FieldProgram, rows: Sequence[KnownInPlace]) -> Iterator[_Heard]:
    """The records whose number is known and stated."""
    readers = tuple(filter(_is_stated, field.readers))
    stated = field.model_copy(update={"readers": readers})
    for row in rows:
        known, said = row.known.get(field.spec.name), vote_on(stated, row.scope)[0]
        if None not in (known, said):
            yield _Heard(row, known, said)


def _on_pages(spec: FieldSpec, heard: Sequence[_Heard]) -> Iterator[Reader]:
    """Readers of what pages of one record show, best first."""
    indexes = map(Index, map(attrgetter("row.scope.document"), heard))
    pages = list(map(KnownValue, indexes, map(attrgetter("known"), heard)))
    tried = induce(pages, spec)
    shown = list(map(_is_shown, map(attrgetter("candidate.reader"), tried)))
    return iter(ensemble(list(compress(tried, shown)), spec, pages))


def _in_rows(spec: FieldSpec, heard: Sequence[_Heard]) -> Iterator[Reader]:
    """Readers of what rows show, best first."""
    cells = list(map(partial(_cell, spec), heard))
    return map(attrgetter("reader"), shown_readers(spec, cells))


def _cell(spec: FieldSpec, one: _Heard) -> KnownCell:
    """A row with its known number."""
    return KnownCell.of(spec, one.row.scope, one.known, one.row.known)


_PLACES = {FamilyKind.DETAIL: _on_pages}
"""Where numbers of the records of a family are shown; others are rows."""


@dataclass(frozen=True)
class _Shown:
    """A number that may change every day in records of which it is known and stated, and
    readers of what people see: those that were heard `before`, and those that are `found`."""

    spec: FieldSpec
    heard: Sequence[_Heard]
    before: tuple[Reader, ...]
    found: tuple[Reader, ...]

    def heard_in(self, field: FieldProgram) -> FieldProgram:
        """The field, read where it is shown, or there and where it is stated; as it is where
        nobody sees it."""
        if not self._readers:
            return field
        return self._alone(field) if self._is_later else self._beside(field)

    @cached_property
    def _readers(self) -> tuple[Reader, ...]:
        """Those that say numbers near the known ones, and were heard before or say the known
        ones of half of the records; those that say the same as the best of them."""
        near = filter(self._is_near, (*self.before, *self.found))
        good = list(filter(self._is_trusted, near))
        said = list(map(self._said, good))
        return tuple(compress(good, map(said[:1].__contains__, said)))

    @property
    def _is_later(self) -> bool:
        """Whether what is shown has moved on from what is stated: that is what was known
        wherever they differ, and not the same number with fewer digits."""
        every = list(zip(self.heard, self._said(self._readers[0]), strict=True))
        late = list(filter(self._is_late, every))
        others = sum(map(self._has_moved, self.heard))
        least = tuned("nearby.fewest_pages") * (not self.before)
        return all(
            (
                len(every) >= least,
                len(late) > max(1, others),
                2 * sum(map(_is_rounded, late)) <= len(late),
                _MOVES[self.spec.kind].issubset(map(_move, late)),
            )
        )

    def _has_moved(self, one: _Heard) -> bool:
        """Whether another number is stated of a record than is known."""
        return not same(one.stated, one.known, self.spec)

    def _is_late(self, now: _Now) -> bool:
        """Whether a record states what was known, and shows another number."""
        one, shown = now
        is_other = not same(shown, one.stated, self.spec)
        return is_other and not self._has_moved(one)

    def _said(self, reader: Reader) -> tuple[Value | None, ...]:
        """What a reader says of each record."""
        scopes = map(attrgetter("row.scope"), self.heard)
        return tuple(map(partial(read, reader, spec=self.spec), scopes))

    def _is_near(self, reader: Reader) -> bool:
        """Whether a reader says a number near the known one in all records."""
        known, said = list(map(attrgetter("known"), self.heard)), self._said(reader)
        return count_near(self.spec, known, said) == len(known)

    def _is_trusted(self, reader: Reader) -> bool:
        """Whether a reader was heard before, or says what is known or stated in half of the
        records or more."""
        agreed = sum(map(self._is_said, self.heard, self._said(reader)))
        return reader in self.before or 2 * agreed >= len(self.heard)

    def _is_said(self, one: _Heard, now: Value) -> bool:
        """Whether a number is the one that is known of a record, or stated."""
        return any(map(partial(same, now, spec=self.spec), (one.known, one.stated)))

    def _alone(self, field: FieldProgram) -> FieldProgram:
        """The field, read where it is shown."""
        return field.model_copy(update={"readers": self._readers, "usual": 0})

    def _beside(self, field: FieldProgram) -> FieldProgram:
        """The field, read where it is shown, and against that where it is stated: where the
        known number is stated still the record keeps that."""
        stated = tuple(filter(_is_stated, field.readers))[: MOST_READERS - 1]
        weight = tuned("shown_too.winner") * sum(map(attrgetter("weight"), stated))
        weight = min(_MOST_WEIGHT, round(weight, 4))
        shown = self._readers[0].model_copy(update={"weight": weight})
        update = {"readers": (shown, *stated), "min_agree": self._least_agreement}
        return field.model_copy(update=update)

    @property
    def _least_agreement(self) -> float:
        """Of a row nothing is read where the two differ, so that the others stay."""
        is_page = self.heard[0].row.scope.whole
        return tuned("contradictions.undisputed") * (not (self.spec.required | is_page))


def _move(now: _Now) -> int:
    """Whether the number that is shown is above the stated one, or below."""
    one, shown = now
    return (_DOWN, _UP)[float(str(shown)) > float(str(one.stated))]


def _is_rounded(now: _Now) -> bool:
    """Whether the number that is shown is the stated one with fewer digits."""
    one, shown = now
    short, long = map(_plain, (shown, one.stated))
    last, other = map(_last_digit, (short, long))
    return last > other and abs(short - long) < Decimal(1).scaleb(last)


def _plain(number: Value) -> Decimal:
    """A number without zeros at its end."""
    return Decimal(str(number)).normalize()


def _last_digit(number: Decimal) -> int:
    """The power of ten of the last digit of a number."""
    return int(number.as_tuple().exponent)
