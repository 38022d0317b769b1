"""A field of the rows of a page, of which a person says one value of one row: readers
of the place where it stands in that row, the same in all others."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, compress, product
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.interpreter import extract_rows, records_of, scopes
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.pointed import PointedField
from crawloop_assets.induce.detail.pointed_places import chosen_readers
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.listing.judging import (
    FoundReader,
    judge_location,
    judge_reader,
)
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.listing.phantoms import PlacedRow, without_phantoms
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.scales import in_other_units
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_WHOLE = Reader(src=Source.CSS, at=".")
_LONG_ENOUGH = 4
"""What has fewer letters and digits stands in other rows by chance."""

_NO_ROWS = "the rows of the page are not found by anything but what was said"


class FoundRow(NamedTuple):
    """A row of a page: where it is, and what is read there."""

    page: int
    scope: Scope
    values: Mapping[str, Value]


class TaughtCell(NamedTuple):
    """What a person says of a row: the page, its position among the known rows, what
    is known of it, and the value; None if there is none."""

    page: int
    row: int
    known: Mapping[str, Value]
    value: Value


def found_rows(
    program: Program | None, documents: Sequence[Document]
) -> list[FoundRow]:
    """The rows that a program finds on pages, in order; none without a program."""
    if program is None or program.record is None:
        return []
    found = []
    for page, document in enumerate(documents):
        for scope in scopes(document, program.record):
            rows = extract_rows(program.fields, [scope], program.record.keep_if)
            for record in records_of(rows, program.record):
                found.append(FoundRow(page, scope, record.values))
    return found


def known_among(
    rows: Sequence[FoundRow], known: Sequence[Example], schema: RecordSchema
) -> list[Example]:
    """What is known of pages on which one of their known rows is left; of all others
    the position tells which row is meant."""
    left = []
    for example in known:
        on_page = [row for row in rows if row.page == example.page]
        pairs = product(on_page, example.records)
        if any(_is_row(*pair, schema) for pair in pairs):
            left.append(example)
    return left


def known_rows(
    rows: Sequence[FoundRow], known: Sequence[Example], schema: RecordSchema
) -> list[FoundRow]:
    """The rows of pages that are known ones."""
    records = records_by_page(known)
    return [
        row
        for row in rows
        if any(_is_row(row, record, schema) for record in records.get(row.page, ()))
    ]


def pointed_cell(
    schema: RecordSchema,
    spec: FieldSpec,
    rows: Sequence[FoundRow],
    said: Sequence[TaughtCell],
    lacking: Sequence[TaughtCell] = (),
) -> PointedField:
    """The field, from the rows of which its value was said; of those that are known to
    be `lacking` one, no reader gives a neighbour's if another does as well."""
    named = [cell for cell in said if cell.value is not None]
    taught = [(row_of(cell, schema, rows), cell.value) for cell in named]
    known = [
        KnownCell.of(spec, row.scope, value, row.values)
        for row, value in taught
        if row is not None
    ]
    if len(known) < len(named):
        return PointedField(FieldProgram(spec=spec), _NO_ROWS, is_lost=True)
    none = [cell for cell in said if cell.value is None]
    empty, without = (_rows_of(cells, schema, rows) for cells in (none, lacking))
    tried = _tried_cells(spec, known, empty, without)
    chosen, reason = chosen_readers(spec, tried, list(map(attrgetter("scope"), rows)))
    if reason:
        return PointedField(FieldProgram(spec=spec), reason)
    # Two readers of one place would look like two witnesses.
    readers = (chosen[0].candidate.reader,)
    return PointedField(FieldProgram(spec=spec, readers=readers), "")


def _rows_of(
    cells: Sequence[TaughtCell], schema: RecordSchema, rows: Sequence[FoundRow]
) -> list[PlacedRow]:
    """Those of some rows that are found, with what is read there of other fields."""
    found = filter(None, (row_of(cell, schema, rows) for cell in cells))
    return [PlacedRow(row.scope, row.values) for row in found]


def row_of(
    cell: TaughtCell, schema: RecordSchema, rows: Sequence[FoundRow]
) -> FoundRow | None:
    """The row that something was said of: the one with what is known of it, else the
    one in its position, or the only one in which it stands."""
    on_page = [row for row in rows if row.page == cell.page]
    if cell.known:
        known = (row for row in on_page if _is_row(row, cell.known, schema))
        return next(known, None)
    there = dict(enumerate(on_page)).get(cell.row)
    if cell.value is None:
        return there
    holding = [row for row in on_page if _stands_in(row, cell.value)]
    return holding[0] if there and len(holding) == 1 else there


def _stands_in(row: FoundRow, value: Value) -> bool:
    """Whether the text of a row holds a value of some length, as it is written.

    Dates and amounts that the row writes otherwise are not found so; then the position
    has to tell the row.
    """
    said = letters(str(value))
    text = "".join(read_texts(_WHOLE, row.scope))
    return len(said) >= _LONG_ENOUGH and said in letters(text)


def _is_row(row: FoundRow, known: Mapping[str, Value], schema: RecordSchema) -> bool:
    """True if nothing that is known of a row is read otherwise, and something is read
    so."""
    compared = []
    for name in row.values.keys() & known.keys():
        spec = schema.field(name)
        if not spec.volatile:
            compared.append(same(row.values[name], known[name], spec))
    return bool(compared) and all(compared)


def _is_uncut(found: FoundReader) -> bool:
    """Whether a reader takes a text as it is, be it one of several."""
    return all(step.op is Op.NTH for step in found.reader.pipe)


def _tightest(
    found: Sequence[FoundReader], known: Sequence[KnownCell]
) -> list[FoundReader]:
    """Those of some readers in whose texts the fewest digits stand: a row whose first
    number is the one that was said is no place of it, its cell is."""
    digits = list(map(partial(_count_digits, known), found))
    fewest = min(digits, default=0)
    return list(compress(found, map(fewest.__eq__, digits)))


def _count_digits(known: Sequence[KnownCell], found: FoundReader) -> int:
    """How many digits a reader finds in the rows of which a value was said."""
    texts = (read_texts(found.reader, cell.scope) for cell in known)
    return sum(map(str.isdigit, chain.from_iterable(chain.from_iterable(texts))))


def _found_in(spec: FieldSpec, known: Sequence[KnownCell]) -> list[FoundReader]:
    """The readers of the places where something of what was said stands in its row."""
    found: list[FoundReader] = []
    for location in find_locations(spec, known):
        found += judge_location(spec, location, known, ())
    return found


def _in_another_unit(spec: FieldSpec, known: Sequence[KnownCell]) -> list[FoundReader]:
    """The readers of what was said of a row in a unit that differs by a power of ten: a
    page may say cents where the field has euros."""
    found = list[FoundReader]()
    as_said = spec.model_copy(update={"kind": FieldKind.NUMBER})
    for cell in known[:1]:
        for step, said in in_other_units(cell.value, spec):
            for one in _found_in(as_said, [cell._replace(value=said)]):
                pipe = {"pipe": (*one.reader.pipe, step)}
                reader = one.reader.model_copy(update=pipe)
                found.append(judge_reader(spec, reader, known, (), one.prior))
    return _tightest([one for one in found if one.right == 1.0], known)


def _tried_cells(
    spec: FieldSpec,
    known: Sequence[KnownCell],
    empty: Sequence[PlacedRow],
    lacking: Sequence[PlacedRow],
) -> list[Tried]:
    """Every reader of the rows that gives what was said in each of them, and nothing in
    the empty ones; one that cuts a text only where no place is the value as it is."""
    found = _found_in(spec, known) or _in_another_unit(spec, known)
    proved = [one for one in found if one.right == 1.0]
    proved = [
        one
        for one in proved
        if all(read(one.reader, row.scope, spec) is None for row in empty)
    ]
    proved = without_phantoms(spec, proved, lacking)
    whole = _tightest(list(filter(_is_uncut, proved)), known)
    return [
        Tried(CandidateReader(one.reader, one.prior, 0.0), len(known), 0, 0)
        for one in whole or proved
    ]
