"""Readers of a field that read a neighbour in a record that has no value of it.

Where a cell is missing the next one moves up, and what counts elements, or goes by what
stands before, gives that. Only a record of which everything else is known tells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import extract_rows, scopes, vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.said_none import without_none
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.absence import tells_absence

_MOST_LACKING = 24
_FEWEST_VOLATILE = 3
"""Records that tell more than a volatile value that has come since."""


class PlacedRow(NamedTuple):
    """A record of a page, and what is known of it."""

    scope: Scope
    known: RecordValues


def without_phantoms(
    spec: FieldSpec, found: list[FoundReader], lacking: Sequence[PlacedRow]
) -> list[FoundReader]:
    """Readers that read nothing in records without the field, if one of them reads half
    of what any does; as much, where a volatile value may only have moved."""
    lacking = lacking[:_MOST_LACKING]
    clean = [one for one in found if not _is_phantom(spec, one.reader, lacking)]
    enough = _most_right(found) * (1.0 if spec.volatile else 0.5)
    return clean if _most_right(clean) >= enough else found


def with_none_said(
    spec: FieldSpec,
    found: Sequence[FoundReader],
    lacking: Sequence[PlacedRow],
    samples: Sequence[KnownCell],
) -> Iterator[FoundReader]:
    """Readers, and before each that reads something in records without the field the same one
    without the texts that say there that it has none."""
    rows = lacking[:_MOST_LACKING]
    empty, filled = (list(map(attrgetter("scope"), one)) for one in (rows, samples))
    for one in found:
        if _is_phantom(spec, one.reader, rows):
            less = without_none(one.reader, empty, filled)
            yield from (replace(one, reader=reader) for reader in less)
        yield one


def without_inventors(
    spec: FieldSpec,
    found: list[FoundReader],
    lacking: Sequence[PlacedRow],
    samples: Sequence[KnownCell],
) -> list[FoundReader]:
    """Readers but for those that give something of more records without a field, which
    does not come and go, than are known with it: they read what all records have."""
    rows = lacking[:_MOST_LACKING]
    if spec.volatile or len(rows) <= len(samples):
        return found
    counts = (
        sum(read(one.reader, row.scope, spec) is not None for row in rows)
        for one in found
    )
    few = (count <= len(samples) for count in counts)
    return list(compress(found, few))


def _is_phantom(spec: FieldSpec, reader: Reader, lacking: Sequence[PlacedRow]) -> bool:
    """Whether a reader gives something of a record without the field; of what is volatile,
    which comes and goes, another value of the record, a text that says that there is none, or
    something of all of several."""
    given = [(read(reader, row.scope, spec), row.known) for row in lacking]
    invented = [(value, known) for value, known in given if value is not None]
    if not spec.volatile or any(
        tells_absence(value) or str(value) in map(str, known.values())
        for value, known in invented
    ):
        return bool(invented)
    return len(invented) == len(lacking) >= _FEWEST_VOLATILE


def _most_right(found: Sequence[FoundReader]) -> float:
    """The best share of samples read right, 0 without readers."""
    return max(map(attrgetter("right"), found), default=0.0)


def cleared(
    program: Program, known: Sequence[tuple[Document, Sequence[RecordValues]]]
) -> Program:
    """The program without the readers that are found out by known records of other
    pages than the one it was made from."""
    rows = [row for page in known for row in rows_of_records(program, *page)]
    fields = tuple(_cleared(field, rows) for field in program.fields)
    return program.model_copy(update={"fields": fields})


def rows_of_records(
    program: Program, document: Document, records: Sequence[RecordValues]
) -> Iterator[PlacedRow]:
    """The records of a page that are known ones: most of what is known is read there."""
    if program.record is None:
        return
    places = scopes(document, program.record)
    rows = extract_rows(program.fields, places)
    for record in records:
        rights = [_right(program, record, row.values) for row in rows]
        most = max(rights, default=0)
        if 2 * most > len(record):
            yield PlacedRow(places[rights.index(most)], record)


def _right(program: Program, record: RecordValues, row: RecordValues) -> int:
    """How many values of a known record a row has."""
    specs = map(attrgetter("spec"), program.fields)
    return sum(is_right(row.get(one.name), record.get(one.name), one) for one in specs)


def _cleared(field: FieldProgram, rows: Sequence[PlacedRow]) -> FieldProgram:
    """A field without its readers of neighbours, and how many speak wherever it is known."""
    spec = field.spec
    lacking = [row for row in rows if spec.name not in row.known]
    samples = [
        KnownCell(row.scope, row.known[spec.name])
        for row in rows
        if spec.name in row.known
    ]
    if not samples:
        return field
    found = [judge_reader(spec, reader, samples, (), 0.0) for reader in field.readers]
    readers = tuple(map(attrgetter("reader"), without_phantoms(spec, found, lacking)))
    if readers == field.readers:
        return field
    left = field.model_copy(update={"readers": readers})
    return left.model_copy(
        update={"usual": min(field.usual, usual_readers(left, samples))}
    )


def usual_readers(field: FieldProgram, samples: Sequence[KnownCell]) -> int:
    """How many readers of a field speak in every known record that has it; 0 if none is
    heard."""
    live = [vote_on(field, scope)[1].live_readers for scope, _, _ in samples]
    return min(filter(None, live), default=0)
