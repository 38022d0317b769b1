"""Healing a listing: the old program where it still works, the last known records where
they are still on the page, field by field where only some broke, and else what those
records looked like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import extract_rows, run, scopes
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import KnownRecord
from crawloop_assets.induce.listing.guess import (
    SURE,
    VERY_SURE,
    ColumnGuess,
    Profile,
    gated,
    guess_listing,
)
from crawloop_assets.induce.listing.learn import ENOUGH, induce_on
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_FILLED = 0.9  # share of the usual fill from which a field still works
_ALIKE = 0.7  # share of the known values, or of their likeness, that has to be there
_FOUND_AGAIN = 2  # known records that prove a program
_MOST_KNOWN = 48

_Forms = set[tuple[str, str]]
"""The fields of a record with a comparable form of their values."""


class HealedListing(NamedTuple):
    """The program for the changed pages (None: nothing has to change, or nothing better
    can be vouched for), why, the fields that are vouched for, and those of them that
    the old program still reads."""

    program: Program | None
    reason: str
    fields: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()


def heal_listing(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedListing:
    """Heal a listing program on pages it drifted on.

    `known` are last known records by page; few may be left.
    """
    known = [
        Example(page=example.page, records=_sample(example.records))
        for example in known
    ]
    records = [record for example in known for record in example.records]
    if not records or not documents:
        return HealedListing(None, "no record of these pages is known")
    filled = _filled_anywhere(program, documents)
    loose = _asking_for(program, filled)
    alive = _alive(loose, documents, records)
    if alive == _names(program):
        return HealedListing(None, "its records are still found", alive, alive)
    again = _found_again(schema, documents, known)
    if again is not None:
        sure = _alive(again, documents, records)
        reason = "last known records found again"
        return HealedListing(gated(again, sure), reason, sure)
    if 2 * len(alive) < len(program.fields):
        return _guessed(schema, documents, records)
    healed = _BrokenFields(schema, loose, documents, known, alive).heal()
    if healed.program is None:
        return healed
    readable = filled | healed.fields
    return healed._replace(program=_restored(healed.program, program, readable))


def _sample(records: tuple[dict[str, Value], ...]) -> tuple[dict[str, Value], ...]:
    """Records spread evenly over a long list."""
    return records[:: max(1, len(records) // _MOST_KNOWN)]


def _names(program: Program) -> frozenset[str]:
    return frozenset(field.spec.name for field in program.fields)


def _filled_anywhere(program: Program, documents: Sequence[Document]) -> frozenset[str]:
    """Fields that are read anywhere at all, also where what a row needs to be a record
    is missing."""
    loose = _asking_for(program, frozenset())
    filled: set[str] = set()
    for document in documents:
        for row in run(loose, document).records:
            filled.update(row.values)
    return frozenset(filled)


def _asking_for(program: Program, names: frozenset[str]) -> Program:
    """The program that asks only for some fields where it asked for more of a row: a
    broken one must not hide all."""
    record = program.record
    if record is None:
        return program
    asked = {
        "keep_if": tuple(name for name in record.keep_if if name in names),
        "half_of": tuple(name for name in record.half_of if name in names),
    }
    return program.model_copy(update={"record": record.model_copy(update=asked)})


def _restored(healed: Program, program: Program, names: frozenset[str]) -> Program:
    """The healed program that asks again for what it can read of all that the old one
    asked for."""
    return _asking_for(healed.model_copy(update={"record": program.record}), names)


def _alive(
    program: Program, documents: Sequence[Document], records: Sequence[KnownRecord]
) -> frozenset[str]:
    """Fields that every page fills as often as known records do, with values like the
    known ones."""
    alive = _names(program)
    for document in documents:
        rows = [record.values for record in run(program, document).records]
        if not rows:
            return frozenset()
        alive &= {
            field.spec.name
            for field in program.fields
            if _is_filled_alike(field.spec, rows, records)
        }
    return alive


def _is_filled_alike(
    spec: FieldSpec, rows: Sequence[KnownRecord], records: Sequence[KnownRecord]
) -> bool:
    """Whether rows have the field as often as known records, and texts like theirs."""
    before = [record[spec.name] for record in records if spec.name in record]
    values = [row[spec.name] for row in rows if spec.name in row]
    usual = len(before) / len(records)
    if len(values) < _FILLED * usual * len(rows):
        return False
    texts = [value for value in values if isinstance(value, str)]
    is_text = spec.kind in (FieldKind.TEXT, FieldKind.URL) and spec.shape is Shape.ONE
    if not is_text or not texts or not before:
        return bool(values)
    profile = Profile.of(spec, before)
    known_share = profile.share(spec, [str(value) for value in before])
    return profile.share(spec, texts) >= _ALIKE * known_share


def _found_again(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> Program | None:
    """A program made from known records still on the page, if it reads at least two of
    them nearly whole."""
    induced = induce_on(schema, documents, known)
    if not induced:
        return None
    program = induced[0].program
    proved = 0
    for example in known:
        extraction = run(program, documents[example.page])
        rows = [_forms(program, row.values) for row in extraction.records]
        for record in example.records:
            proved += _is_among(_forms(program, record), rows)
    return program if proved >= _FOUND_AGAIN else None


def _is_among(wanted: _Forms, rows: Sequence[_Forms]) -> bool:
    """Whether a row has nearly all of what is wanted."""
    return any(_has_nearly_all(row, wanted) for row in rows)


def _has_nearly_all(row: _Forms, wanted: _Forms) -> bool:
    return len(wanted & row) >= max(2, _ALIKE * len(wanted))


def _forms(program: Program, values: Mapping[str, Value]) -> _Forms:
    """Values as a set; where the program has the field, what means the same is the
    same."""
    forms = set()
    for name, value in values.items():
        field = program.field(name)
        form = canonical(value, field.spec) if field else value
        forms.add((name, repr(form)))
    return forms


@dataclass(frozen=True)
class _BrokenFields:
    """A program whose records are still found, of which only the `alive` fields are
    read."""

    schema: RecordSchema
    program: Program
    documents: Sequence[Document]
    known: Sequence[Example]
    alive: frozenset[str]

    @cached_property
    def records(self) -> list[KnownRecord]:
        """All known records."""
        return [record for example in self.known for record in example.records]

    @cached_property
    def guess(self) -> ColumnGuess | None:
        """What the fields look like on the first page."""
        return guess_listing(self.schema, self.documents[0], self.records)

    def heal(self) -> HealedListing:
        """The program with other readers for broken fields: those of known values in
        the same records, else those of what the field looks like.

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
        alive = self.alive
        if tuple(fields) == self.program.fields:
            reason = "the records are found, some fields are not"
            return HealedListing(None, reason, alive, alive)
        program = self.program.model_copy(update={"fields": tuple(fields)})
        reason = "the records are found, some fields by other readers"
        return HealedListing(program, reason, frozenset(sure), alive)

    def _healed(self, field: FieldProgram) -> tuple[FieldProgram, bool]:
        """A broken field with other readers, and whether they can be vouched for."""
        aligned = self._aligned(field)
        if aligned is not None and self._fits(aligned):
            return aligned, True
        guessed, score = self._guessed(field.spec.name)
        if guessed is None or score < SURE or not self._fits(guessed):
            return field, False
        if score >= VERY_SURE:
            return guessed, True
        return guessed.model_copy(update={"readers": guessed.readers[:1]}), False

    def _guessed(self, name: str) -> tuple[FieldProgram | None, float]:
        """The field by what it looks like, and how sure that is (0..1)."""
        if self.guess is None:
            return None, 0.0
        field = self.guess.scored.program.field(name)
        return field, self.guess.fields.get(name, 0.0)

    def _aligned(self, field: FieldProgram) -> FieldProgram | None:
        """The field read by the known values it has in records that the others tell
        apart; None if fewer than two are read so."""
        cells = self._known_cells(field.spec.name)
        if len(cells) < _FOUND_AGAIN:
            return None
        found = field_readers(field.spec, cells, ())
        if not found or found[0].right < ENOUGH:
            return None
        if round(found[0].right * len(cells)) < _FOUND_AGAIN:
            return None
        readers = tuple(reader.reader for reader in found)
        return field.model_copy(update={"readers": readers, "usual": 0})

    def _known_cells(self, name: str) -> list[KnownCell]:
        """Known values of a field, in the one row of the page that has the rest of
        their record."""
        cells: list[KnownCell] = []
        for example in self.known:
            rows = self._rows(self.documents[example.page])
            for record in example.records:
                if name not in record:
                    continue
                scopes_alike = self._rows_like(record, rows)
                if len(scopes_alike) == 1:
                    cells.append(KnownCell(scopes_alike[0], record[name]))
        return cells

    def _rows_like(
        self, record: KnownRecord, rows: Sequence[tuple[Scope, _Forms]]
    ) -> list[Scope]:
        known = {name: record[name] for name in record if name in self.alive}
        wanted = _forms(self.program, known)
        return [scope for scope, forms in rows if _has_nearly_all(forms, wanted)]

    def _rows(self, document: Document) -> list[tuple[Scope, _Forms]]:
        """The records of a page and what is read in them."""
        record = self.program.record
        places = scopes(document, record) if record is not None else []
        rows = extract_rows(self.program.fields, places)
        forms = (_forms(self.program, row.values) for row in rows)
        return list(zip(places, forms, strict=True))

    def _fits(self, healed: FieldProgram) -> bool:
        """Whether the field is read in the records of the program, with values like the
        known ones."""
        name = healed.spec.name
        fields = list(self.program.fields)
        for at, field in enumerate(fields):
            if field.spec.name == name:
                fields[at] = healed
        program = self.program.model_copy(update={"fields": tuple(fields)})
        return name in _alive(program, self.documents, self.records)


def _guessed(
    schema: RecordSchema, documents: Sequence[Document], records: Sequence[KnownRecord]
) -> HealedListing:
    """The program of what looks like the known records."""
    guess = guess_listing(schema, documents[0], records)
    if guess is None or guess.sureness < SURE:
        return HealedListing(None, "no repetition looks like the known records")
    required = [spec.name for spec in schema.fields if spec.required]
    missing = [name for name in required if name not in guess.fields]
    if missing:
        return HealedListing(None, f"nothing looks like {', '.join(missing)}")
    sure = frozenset(name for name, score in guess.fields.items() if score >= VERY_SURE)
    program = gated(guess.scored.program, sure)
    return HealedListing(program, "rows like the known records", sure)
