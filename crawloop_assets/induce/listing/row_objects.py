"""Lists of objects inside the rows of an API, as the legs of a flight: each row is a page
of its own, and its objects are a list there."""

import json
from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.learn import induce_inside
from crawloop_assets.induce.listing.phantoms import PlacedRow, rows_of_records
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_BODY, _ROW = "body", "$"
"""How paths begin in a page that is JSON, and in a row."""


def with_objects(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    examples: Sequence[Example],
) -> Program:
    """A program of rows of JSON with the lists of objects that no reader gives."""
    missing = [spec for spec in schema.fields if _is_missing(spec, program)]
    if not missing:
        return program
    rows = [
        row
        for example in examples
        for row in rows_of_records(program, documents[example.page], example.records)
        if isinstance(row.scope.data, dict)
    ]
    found = [one for spec in missing for one in _objects(spec, rows)]
    return program.model_copy(update={"fields": (*program.fields, *found)})


def _is_missing(spec: FieldSpec, program: Program) -> bool:
    """Whether a field is a list of objects that a program does not read."""
    is_list = spec.kind is FieldKind.OBJECT and spec.shape is not Shape.ONE
    return is_list and program.field(spec.name) is None


def _objects(spec: FieldSpec, rows: Sequence[PlacedRow]) -> Iterator[FieldProgram]:
    """How the objects of a row are read, if nearly all that is known is read so."""
    having = [row for row in rows if row.known.get(spec.name)]
    pages = list(map(_page, having))
    examples = [
        Example(page=at, records=tuple(row.known[spec.name]))
        for at, row in enumerate(having)
    ]
    program = induce_inside(spec, pages, examples)
    if program is not None and program.record is not None:
        at = f"{_ROW}{program.record.at.removeprefix(_BODY)}"
        items = program.record.model_copy(update={"at": at})
        yield FieldProgram(spec=spec, items=items, fields=program.fields)


def _page(row: PlacedRow) -> Document:
    """A row as a page of its own."""
    page = row.scope.document.page
    body = json.dumps(row.scope.data).encode()
    headers = {"content-type": "application/json"}
    return Document(Page(url=page.url, body=body, headers=headers))
