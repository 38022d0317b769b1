"""Healing a listing whose records are still found: other readers for the fields that
are not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import extract_rows, scopes
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.added_words import without_added
from crawloop_assets.induce.healing.nearby import moved_numbers
from crawloop_assets.induce.healing.rows import (
    RowForms,
    alive_fields,
    all_records,
    column_of,
    forms_of,
    has_nearly_all,
    rows_read,
)
from crawloop_assets.induce.listing.guess import (
    ListingGuess,
    guess_listing,
)
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.otherwise import row_places
from crawloop_assets.induce.listing.phantoms import PlacedRow
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.locate.moved_on import as_of_now
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.locate.number_words import with_number_words
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.present import present
from crawloop_assets.values.value import texts_among


class _Row(NamedTuple):
    """A record of a page, and what is read in it."""

    scope: Scope
    forms: RowForms


class _Found(NamedTuple):
    """The row of a known record, and that without and with the volatile values that
    have moved."""

    scope: Scope
    record: RecordValues
    entire: RecordValues


@dataclass(frozen=True)
class BrokenFields:
    """The fields of a program that are not `alive`: its records are found on changed
    pages, but these fields are no longer read in them.

    `known` are last known records by page, without volatile values that have moved;
    `whole` are the same with them.
    """

    schema: RecordSchema
    program: Program
    documents: Sequence[Document]
    known: Sequence[Example]
    whole: Sequence[Example]
    alive: frozenset[str]

    @cached_property
    def records(self) -> list[RecordValues]:
        """All known records."""
        return all_records(self.known)

    @cached_property
    def guess(self) -> ListingGuess | None:
        """What the fields look like on the first page."""
        return guess_listing(self.schema, self.documents[0], self.records)

    def heal(self) -> tuple[Program, frozenset[str]]:
        """The program with other readers for broken fields: those of known values in
        the same records, else those of what the field looks like. And the fields that
        can be vouched for.

        A field that neither finds stays as it is.
        """
        fields, sure = [], set(self.alive)
        for field in self.program.fields:
            if field.spec.name in self.alive:
                fields.append(field)
                continue
            healed, is_sure = self._healed(field)
            fields.append(healed)
            if is_sure:
                sure.add(field.spec.name)
        program = self.program.model_copy(update={"fields": tuple(fields)})
        return program, frozenset(sure)

    def counted(self) -> Program:
        """The program with the broken numbers that have moved and are found by their names
        or by what they were, what else moves where its name still is, and without all else
        that is broken."""
        fields = map(self._counted, self.program.fields)
        return self.program.model_copy(update={"fields": tuple(filter(None, fields))})

    def aligned(self) -> Program:
        """The program with the broken fields by the known values that stand in the same
        records, and without those of which none do."""
        fields = map(self._kept_or_aligned, self.program.fields)
        return self.program.model_copy(update={"fields": tuple(filter(None, fields))})

    def _kept_or_aligned(self, field: FieldProgram) -> FieldProgram | None:
        """A field that is alive as it is, another one by its known values."""
        return field if field.spec.name in self.alive else self._aligned(field)

    def _counted(self, field: FieldProgram) -> FieldProgram | None:
        """A field that is alive, or a number that has moved, or what else moves under the
        name that it had, filled as the known ones were; None for another."""
        if field.spec.name in self.alive:
            return field
        found = self._aligned(field) if may_move(field.spec) else _by_name(field)
        before = all_records(self.whole)  # what moved is not known any more
        return found if found and self._fits(found, before) else None

    def _healed(self, field: FieldProgram) -> tuple[FieldProgram, bool]:
        """A broken field with other readers, and whether they can be vouched for.

        A guess that cannot be keeps one reader, so that no gate lets it pass.
        """
        for sure in present((self._aligned(field), self._without_added(field))):
            if self._fits(sure, self.records):
                return sure, True
        guessed, score = self._guessed(field.spec.name)
        if guessed is None or score < tuned("guess.sure"):
            return field, False
        if not self._fits(guessed, self.records):
            return field, False
        if score >= tuned("guess.very_sure"):
            return guessed, True
        only = guessed.model_copy(update={"readers": guessed.readers[:1]})
        return only, False

    def _guessed(self, name: str) -> tuple[FieldProgram | None, float]:
        """The field by what it looks like, and how sure that is (0..1)."""
        if self.guess is None:
            return None, 0.0
        field = self.guess.scored.program.field(name)
        return field, self.guess.fields.get(name, 0.0)

    def _aligned(self, field: FieldProgram) -> FieldProgram | None:
        """The field read by the known values it has in records that the others tell
        apart, of a count that has moved in most rows by what it is near: a few of those
        stand there by chance. None if fewer than two are read so."""
        spec = self.schema.field(field.spec.name)  # a program has no other names
        known, by_nearness = self._known_cells(spec), list(self._moved_cells(spec))
        cells = sorted((known, by_nearness), key=len, reverse=True)
        found = next(filter(None, map(partial(self._read_by, field), cells)), None)
        return found and self._worded(found)

    def _worded(self, field: FieldProgram) -> FieldProgram:
        """The field with the words that are numbers in the records of which it is known."""
        name = field.spec.name
        known = [(one.scope, one.entire.get(name)) for one in self._found]
        return with_number_words(field, known)

    def _without_added(self, field: FieldProgram) -> FieldProgram | None:
        """The field without words that all rows have beside it since; None for one that
        is no text, or if there are none."""
        name = field.spec.name
        read = map(partial(rows_read, self.program), self.documents)
        texts = texts_among(column_of(name, list(chain.from_iterable(read))))
        known = texts_among(column_of(name, self.records))
        return without_added(self.schema, field, texts, known)

    def _read_by(
        self, field: FieldProgram, cells: Sequence[KnownCell]
    ) -> FieldProgram | None:
        """The field read by known cells; None if fewer than two are read so."""
        if len(cells) < tuned("broken_fields.found_again"):
            return None
        spec = self.schema.field(field.spec.name)
        found = field_readers(spec, cells, (), self._lacking(spec))
        share = found[0].right if found else 0.0
        if share < tuned("inherited.least_right") or round(share * len(cells)) < tuned(
            "broken_fields.found_again"
        ):
            return None
        readers = tuple(map(attrgetter("reader"), found))
        return field.model_copy(update={"readers": readers, "usual": 0})

    def _lacking(self, spec: FieldSpec) -> list[PlacedRow]:
        """The known records without a field."""
        return [
            PlacedRow(one.scope, one.entire)
            for one in self._found
            if spec.name not in one.entire
        ]

    def _known_cells(self, spec: FieldSpec) -> list[KnownCell]:
        """Known values of a field, of a count what it is now, in the rows that have the
        rest of their records."""
        cells: list[KnownCell] = []
        for scope, record, entire in self._found:
            if spec.name in entire:
                now = as_of_now(spec, scope, entire[spec.name])
                value = record.get(spec.name) if now is None else now
                cells.append(KnownCell.of(spec, scope, value, entire))
        return [cell for cell in cells if cell.value is not None]

    def _moved_cells(self, spec: FieldSpec) -> Iterator[KnownCell]:
        """What a number is now in the rows of which it is known, by the one place that says
        numbers near the known ones: under a header that nobody knows."""
        found = [one for one in self._found if spec.name in one.entire]
        before = [(one.scope, one.entire[spec.name]) for one in found]
        share = tuned("nearby.rows")
        now = moved_numbers(spec, before, partial(_places, spec), share)
        for one, value in zip(found, now, strict=False):
            if value is not None:
                yield KnownCell.of(spec, one.scope, value, one.entire)

    @cached_property
    def _found(self) -> list[_Found]:
        """The known records that one row of their page has, each with that."""
        found: list[_Found] = []
        for example, whole in zip(self.known, self.whole, strict=True):
            rows = self._rows(self.documents[example.page])
            for record, entire in zip(example.records, whole.records, strict=True):
                scope = self._scope_of(rows, record)
                if scope is not None:
                    found.append(_Found(scope, record, entire))
        return found

    def _rows(self, document: Document) -> list[_Row]:
        """The records of a page."""
        record = self.program.record
        if record is None:
            return []
        places = scopes(document, record)
        rows = extract_rows(self.program.fields, places)
        return [
            _Row(scope, forms_of(self.program, row.values))
            for scope, row in zip(places, rows, strict=True)
        ]

    def _scope_of(self, rows: Sequence[_Row], record: RecordValues) -> Scope | None:
        """The row of a page that is a known record, by the fields still read; None if
        it is not there, or several rows may be it."""
        known = {name: record[name] for name in record if name in self.alive}
        wanted = forms_of(self.program, known)
        found = []
        for row in rows:
            if has_nearly_all(row.forms, wanted):
                found.append(row.scope)
        return found[0] if len(found) == 1 else None

    def _fits(self, healed: FieldProgram, before: Sequence[RecordValues]) -> bool:
        """Whether the field is read in the records of the program, with values like those
        of known records before."""
        name = healed.spec.name
        fields = list(self.program.fields)
        for at, field in enumerate(fields):
            if field.spec.name == name:
                fields[at] = healed
        program = self.program.model_copy(update={"fields": tuple(fields)})
        return name in alive_fields(program, self.documents, before)


def _by_name(field: FieldProgram) -> FieldProgram | None:
    """What may be another value in every row by now, by the key that it has in the data of
    its row; None if it has none, or hardly ever changes."""
    readers = tuple(one for one in field.readers if one.kin is Kin.JSON)
    named = field.model_copy(update={"readers": readers})
    return named if readers and field.spec.volatile else None


def _places(spec: FieldSpec, row: Scope) -> Iterator[Reader]:
    """The places of a row that may say a number."""
    return map(itemgetter(0), row_places(spec, row))
