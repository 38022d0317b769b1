"""A field of the rows of a page, of which a person says one value of one row: readers
of the place where it stands in that row, the same in all others."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import extract_rows, records_of, scopes
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import Segment, join_path
from crawloop_assets.induce.detail.pointed import PointedField, chosen_readers
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_PLAIN_CLASS = re.compile(r"[a-zA-Z_][\w-]*")
_NO_ROWS = "the rows of the page are not found by anything but what was said"


class FoundRow(NamedTuple):
    """A row of a page: where it is, and what is read there."""

    page: int
    scope: Scope
    values: Mapping[str, Value]


class TaughtCell(NamedTuple):
    """What a person says of a row: the page, its position among the known rows, what
    is known of it, and the value."""

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


def pointed_cell(
    schema: RecordSchema,
    spec: FieldSpec,
    rows: Sequence[FoundRow],
    said: Sequence[TaughtCell],
) -> PointedField:
    """The field, from the rows of which its value was said."""
    taught = [(row_of(cell, schema, rows), cell.value) for cell in said]
    known = [(row.scope, value) for row, value in taught if row is not None]
    if len(known) < len(said):
        return PointedField(FieldProgram(spec=spec), _NO_ROWS, is_lost=True)
    tried = list(_tried_cells(spec, known))
    chosen, reason = chosen_readers(spec, tried, list(map(attrgetter("scope"), rows)))
    if reason:
        return PointedField(FieldProgram(spec=spec), reason)
    # Two readers of one place would look like two witnesses.
    best = max(chosen, key=lambda trial: trial.candidate.prior)
    readers = (best.candidate.reader,)
    return PointedField(FieldProgram(spec=spec, readers=readers), "")


def row_of(
    cell: TaughtCell, schema: RecordSchema, rows: Sequence[FoundRow]
) -> FoundRow | None:
    """The row that something was said of: the one with what is known of it, else the
    one in its position."""
    on_page = [row for row in rows if row.page == cell.page]
    if cell.known:
        on_page = [row for row in on_page if _is_row(row, cell.known, schema)]
        return next(iter(on_page), None)
    return dict(enumerate(on_page)).get(cell.row)


def _is_row(row: FoundRow, known: Mapping[str, Value], schema: RecordSchema) -> bool:
    """True if nothing that is known of a row is read otherwise, and something is read
    so."""
    compared = []
    for name in row.values.keys() & known.keys():
        spec = schema.field(name)
        if not spec.volatile:
            compared.append(same(row.values[name], known[name], spec))
    return bool(compared) and all(compared)


def _tried_cells(
    spec: FieldSpec, known: Sequence[tuple[Scope, Value]]
) -> Iterator[Tried]:
    """Every reader of the first row that gives what was said there and in the others."""
    scope, _ = known[0]
    for candidate in _cells(scope):
        right = [
            same(read(candidate.reader, place, spec), value, spec)
            for place, value in known
        ]
        if all(right):
            yield Tried(candidate, len(right), 0, 0)


def _cells(scope: Scope) -> Iterable[CandidateReader]:
    """A reader for each place of a row."""
    if scope.data is not None:
        return map(_json_cell, _leaf_paths(scope.data, ()))
    return _element_cells(scope)


def _json_cell(path: tuple[Segment, ...]) -> CandidateReader:
    """The reader of a path in the JSON of a row."""
    at = join_path("$", path)
    reader = Reader(src=Source.JSON, at=at, get="value", kin=Kin.JSON)
    return CandidateReader(reader, tuned("pointed_cells.by_class"), 0.0)


def _leaf_paths(
    data: object, path: tuple[Segment, ...]
) -> Iterator[tuple[Segment, ...]]:
    """The paths to all plain values of some JSON."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _leaf_paths(value, (*path, str(key)))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _leaf_paths(value, (*path, at))
    else:
        yield path


def _element_cells(scope: Scope) -> Iterator[CandidateReader]:
    """By class and by position, the own text of each element of a row."""
    document, root = scope.document, scope.nodes[0]
    for number in range(root + 1, document.end[scope.nodes[-1]]):
        for name in filter(_PLAIN_CLASS.fullmatch, document.classes[number].split()):
            yield _cell(
                f"{document.tags[number]}.{name}",
                Kin.CLASS,
                tuned("pointed_cells.by_class"),
            )
        yield _cell(
            _path(document, number, scope.nodes),
            Kin.PATH,
            tuned("pointed_cells.by_path"),
        )


def _cell(at: str, kin: Kin, prior: float) -> CandidateReader:
    """The reader of the own text of what a selector finds in a row."""
    reader = Reader(src=Source.CSS, at=at, get="own", kin=kin)
    return CandidateReader(reader, prior, 0.0)


def _path(document: Document, number: int, roots: Sequence[int]) -> str:
    """The way down from the row to an element, by position among those of its tag."""
    steps: list[str] = []
    while number not in roots and number >= 0:
        tag, position = document.tags[number], document.position(number, "nth-of-type")
        steps.append(f"{tag}:nth-of-type({position})")
        number = document.parent[number]
    return " > ".join(reversed(steps))
