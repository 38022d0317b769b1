"""Healing a listing: the old program where it still works, the last known records where
they are still on the page, field by field where only some broke, and else what those
records looked like."""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import extract_rows, run, scopes
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.guess import (
    SURE,
    VERY_SURE,
    gated,
    guess_listing,
)
from crawloop_assets.induce.listing.inherited import LEAST_RIGHT
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.listing.scoring import Scored
from crawloop_assets.schema import FieldKind, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_FILLED = 0.9
_ALIKE = 0.7
_FOUND_AGAIN = 2
_MOST_KNOWN = 48


class HealedListing(NamedTuple):
    """The program for the changed pages (None: nothing has to change, or nothing better
    can be vouched for), why, the fields that are vouched for, and those of them that
    the old program still reads."""

    program: Program | None
    reason: str
    fields: frozenset[str]
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
        return HealedListing(None, "no record of these pages is known", frozenset())
    spoken = _spoken(program, documents)
    loose = _asking(program, spoken)
    alive = _alive(loose, documents, records)
    if alive == _names(program):
        return HealedListing(None, "its records are still found", alive, alive)
    again = _found_again(schema, documents, known)
    if again is not None:
        sure = _alive(again.program, documents, records)
        return HealedListing(
            gated(again.program, sure), "last known records found again", sure
        )
    if 2 * len(alive) >= len(program.fields):
        healed = _some_fields(schema, loose, documents, known, alive)
        return healed._replace(
            program=healed.program
            and _restored(healed.program, program, spoken | healed.fields)
        )
    return _guessed(schema, documents, records)


def _sample(records: tuple[dict[str, Value], ...]) -> tuple[dict[str, Value], ...]:
    """Records spread evenly over a long list."""
    return records[:: max(1, len(records) // _MOST_KNOWN)]


def _names(program: Program) -> frozenset[str]:
    return frozenset(field.spec.name for field in program.fields)


def _spoken(program: Program, documents: Sequence[Document]) -> frozenset[str]:
    """Fields that are read anywhere at all, also where what a row needs to be a record
    is missing."""
    rows = [
        row
        for document in documents
        for row in run(_asking(program, frozenset()), document).records
    ]
    return frozenset(name for row in rows for name in row.values)


def _asking(program: Program, names: frozenset[str]) -> Program:
    """The program that asks only for some fields where it asked for more of a row: a
    broken one must not hide all."""
    if program.record is None:
        return program
    kept = {
        at: tuple(name for name in getattr(program.record, at) if name in names)
        for at in ("keep_if", "half_of")
    }
    return program.model_copy(update={"record": program.record.model_copy(update=kept)})


def _restored(healed: Program, program: Program, names: frozenset[str]) -> Program:
    """The healed program that asks again for what it can read of all that the old one
    asked for."""
    return _asking(healed.model_copy(update={"record": program.record}), names)


def _alive(
    program: Program, documents: Sequence[Document], records: Sequence[RecordValues]
) -> frozenset[str]:
    """Fields that every page fills as often as known records do, with values like the
    known ones."""
    alive = _names(program)
    for document in documents:
        rows = [record.values for record in run(program, document).records]
        alive &= {
            field.spec.name
            for field in program.fields
            if rows and _reads(field, rows, records)
        }
    return alive


def _reads(
    field: FieldProgram, rows: Sequence[RecordValues], records: Sequence[RecordValues]
) -> bool:
    name = field.spec.name
    before = [record[name] for record in records if name in record]
    usual = len(before) / len(records)
    values = [row[name] for row in rows if name in row]
    if len(values) < _FILLED * usual * len(rows):
        return False
    texts = [value for value in values if isinstance(value, str)]
    if (
        field.spec.kind not in (FieldKind.TEXT, FieldKind.URL)
        or field.spec.shape is not Shape.ONE
        or not texts
        or not before
    ):
        return bool(values)
    profile = Profile.of(field.spec, before)
    return profile.share(field.spec, texts) >= _ALIKE * profile.share(
        field.spec, list(map(str, before))
    )


def _found_again(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> Scored | None:
    """A program made from known records still on the page, if it reads at least two of
    them nearly whole."""
    for one in induce_on(schema, documents, known)[:1]:
        proved = 0
        for example in known:
            rows = [
                record.values
                for record in run(one.program, documents[example.page]).records
            ]
            forms = [
                {_form(one.program, name, value) for name, value in row.items()}
                for row in rows
            ]
            for record in example.records:
                wanted = {
                    _form(one.program, name, value) for name, value in record.items()
                }
                proved += any(
                    len(wanted & form) >= max(2, 0.7 * len(wanted)) for form in forms
                )
        if proved >= _FOUND_AGAIN:
            return one
    return None


def _some_fields(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    alive: frozenset[str],
) -> HealedListing:
    """The program whose records are still found, with other readers for the fields that
    are not: those of known values in the same records, else those of what the field
    looks like.

    A field that neither finds stays as it is.
    """
    records = [record for example in known for record in example.records]
    guess = guess_listing(schema, documents[0], records)
    fields, sure = [], set(alive)
    for field in program.fields:
        name = field.spec.name
        again = (
            None
            if name in alive
            else _aligned_field(program, field, documents, known, alive)
        )
        guessed = (
            guess.scored.program.field(name) if guess and name not in alive else None
        )
        made = next(
            (
                one
                for one in (again, guessed)
                if one and _fits(program, one, documents, records)
            ),
            None,
        )
        score = guess.fields.get(name, 0.0) if guess else 0.0
        if made is not None and (made is again or score >= VERY_SURE):
            sure.add(name)
        elif made is not None:
            made = (
                made.model_copy(update={"readers": made.readers[:1]})
                if score >= SURE
                else None
            )
        fields.append(made or field)
    if tuple(fields) == program.fields:
        return HealedListing(
            None, "the records are found, some fields are not", alive, alive
        )
    healed = program.model_copy(update={"fields": tuple(fields)})
    return HealedListing(
        healed,
        "the records are found, some fields by other readers",
        frozenset(sure),
        alive,
    )


def _aligned_field(
    program: Program,
    field: FieldProgram,
    documents: Sequence[Document],
    known: Sequence[Example],
    alive: frozenset[str],
) -> FieldProgram | None:
    """The field read by the known values it has in records that the others tell; None
    if fewer than two are read so."""
    samples: list[KnownCell] = []
    for example in known:
        rows = _rows(program, documents[example.page])
        for record in example.records:
            told = {
                _form(program, name, value)
                for name, value in record.items()
                if name in alive
            }
            places = [
                scope
                for scope, forms in rows
                if len(told & forms) >= max(2, _ALIKE * len(told))
            ]
            if len(places) == 1 and field.spec.name in record:
                samples.append(KnownCell(places[0], record[field.spec.name]))
    found = (
        field_readers(field.spec, samples, ()) if len(samples) >= _FOUND_AGAIN else []
    )
    if (
        not found
        or found[0].right < LEAST_RIGHT
        or round(found[0].right * len(samples)) < _FOUND_AGAIN
    ):
        return None
    return field.model_copy(
        update={"readers": tuple(one.reader for one in found), "usual": 0}
    )


def _rows(
    program: Program, document: Document
) -> list[tuple[Scope, set[tuple[str, str]]]]:
    """The records of a page and what is read in them."""
    places = scopes(document, program.record) if program.record else []
    rows = extract_rows(program.fields, places)
    forms = (
        {_form(program, name, value) for name, value in row.values.items()}
        for row in rows
    )
    return list(zip(places, forms, strict=True))


def _fits(
    program: Program,
    field: FieldProgram,
    documents: Sequence[Document],
    records: Sequence[RecordValues],
) -> bool:
    """Whether the field is read in the records of the program, with values like the
    known ones."""
    fields = tuple(
        field if one.spec.name == field.spec.name else one for one in program.fields
    )
    return field.spec.name in _alive(
        program.model_copy(update={"fields": fields}), documents, records
    )


def _form(program: Program, name: str, value: object) -> tuple[str, str]:
    field = program.field(name)
    return name, repr(canonical(value, field.spec)) if field else repr(value)


def _guessed(
    schema: RecordSchema, documents: Sequence[Document], records: Sequence[RecordValues]
) -> HealedListing:
    guess = guess_listing(schema, documents[0], records)
    if guess is None or guess.sureness < SURE:
        return HealedListing(
            None, "no repetition looks like the known records", frozenset()
        )
    missing = [
        spec.name
        for spec in schema.fields
        if spec.required and spec.name not in guess.fields
    ]
    if missing:
        return HealedListing(
            None, f"nothing looks like {', '.join(missing)}", frozenset()
        )
    sure = frozenset(name for name, score in guess.fields.items() if score >= VERY_SURE)
    return HealedListing(
        gated(guess.scored.program, sure), "rows like the known records", sure
    )
