"""A program whose numbers are said in words on some of its pages, as the known records tell."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.number_words import (
    may_be_worded,
    with_number_words,
)
from crawloop_assets.induce.proof.numbers_beside import KnownInPlace, known_in_place
from crawloop_assets.schema import RecordSchema


def with_worded_numbers(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    fewest: int | None = None,
) -> Program:
    """The program that reads the words for numbers which `known` records tell, each by so
    many of them (None: as many as the table of trust says; 0: any, of a field that is not
    read in some)."""
    if not any(map(may_be_worded, map(attrgetter("spec"), program.fields))):
        return program
    rows = list(known_in_place(schema, program, documents, known))
    fields = tuple(_worded(field, rows, fewest) for field in program.fields)
    return program.model_copy(update={"fields": fields})


def _worded(
    field: FieldProgram, rows: Sequence[KnownInPlace], fewest: int | None
) -> FieldProgram:
    """A field with the words for its numbers."""
    known = [(row.scope, row.known.get(field.spec.name)) for row in rows]
    if fewest == 0 and all(
        _is_heard(field, scope) for scope, value in known if value is not None
    ):
        return field
    return with_number_words(field, known, fewest)


def _is_heard(field: FieldProgram, scope: Scope) -> bool:
    """Whether something is read of a record."""
    return vote_on(field, scope)[0] is not None


def worded_by_few(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> Iterator[str]:
    """The numbers that a program reads from words which too few known records tell."""
    fields = tuple(map(_unworded, program.fields))
    unworded = program.model_copy(update={"fields": fields})
    sure = with_worded_numbers(schema, unworded, documents, known)
    for field in program.fields:
        if field not in (*fields, *sure.fields):
            yield field.spec.name


def _unworded(field: FieldProgram) -> FieldProgram:
    """A number without the words that stand for some."""
    if not may_be_worded(field.spec):
        return field
    readers = tuple(map(_without_words, field.readers))
    return field.model_copy(update={"readers": readers})


def _without_words(reader: Reader) -> Reader:
    """A reader that takes no words for others."""
    pipe = tuple(step for step in reader.pipe if step.op is not Op.MAP)
    return reader.model_copy(update={"pipe": pipe})
