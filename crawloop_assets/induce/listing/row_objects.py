"""Lists of objects inside the rows of an API, as the legs of a flight: the rows are laid one
on the other, as one page, and the objects of all of them are a list there. Most books have
one author: no row alone shows that it may have several, nor what an author may lack."""

import json
from collections.abc import Iterator, Sequence
from functools import partial, reduce
from itertools import chain, islice
from operator import attrgetter
from typing import cast

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.islands import Json
from crawloop_assets.induce.listing.learn import induce_inside
from crawloop_assets.induce.listing.phantoms import PlacedRow, rows_of_records
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_MOST_ROWS = 60
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
    assert program.record is not None
    known: list[PlacedRow] = []
    others: list[Scope] = []
    for example in examples:
        document = documents[example.page]
        known += rows_of_records(program, document, example.records)
        others += scopes(document, program.record)
    page = _laid_out(documents[0].page, [*map(attrgetter("scope"), known), *others])
    found = [one for spec in missing for one in _objects(spec, known, page)]
    return program.model_copy(update={"fields": (*program.fields, *found)})


def _is_missing(spec: FieldSpec, program: Program) -> bool:
    """Whether a field is a list of objects that a program does not read."""
    is_list = spec.kind is FieldKind.OBJECT and spec.shape is not Shape.ONE
    return is_list and program.field(spec.name) is None


def _objects(
    spec: FieldSpec, rows: Sequence[PlacedRow], page: Document
) -> Iterator[FieldProgram]:
    """How the objects of the rows on a page are read, if nearly all that is known is: an
    object of several rows, as the author of more than one book, counts once."""
    each = list(chain.from_iterable(row.known.get(spec.name) or () for row in rows))
    forms = map(partial(json.dumps, sort_keys=True), each)
    known = dict(zip(forms, each, strict=True))
    example = Example(page=0, records=tuple(known.values()))
    program = induce_inside(spec, [page], [example])
    if program is not None and program.record is not None:
        at = f"{_ROW}{program.record.at.removeprefix(_BODY)}"
        items = program.record.model_copy(update={"at": at})
        yield FieldProgram(spec=spec, items=items, fields=program.fields)


def _laid_out(page: Page, rows: Sequence[Scope]) -> Document:
    """The rows of a page one on the other, each once, as a page."""
    each = {id(row.data): row.data for row in rows if isinstance(row.data, dict)}
    whole = reduce(_laid_on, islice(each.values(), _MOST_ROWS), cast("Json", {}))
    headers = {"content-type": "application/json"}
    return Document(
        Page(url=page.url, body=json.dumps(whole).encode(), headers=headers)
    )


def _laid_on(below: Json, above: Json) -> Json:
    """Two rows as one: the lists of both one behind the other, of all else what is below."""
    match below, above:
        case dict(), dict():
            both = below.keys() & above.keys()
            laid = {key: _laid_on(below[key], above[key]) for key in both}
            return {**above, **below, **laid}
        case list(), list():
            return [*below, *above]
    return below or above
