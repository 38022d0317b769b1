"""A program whose numbers are said in words on some of its pages, as the known records tell."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run_placed
from crawloop_assets.crawler.program import Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.number_words import (
    may_be_worded,
    with_number_words,
)
from crawloop_assets.induce.proof.match import match_records
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.value import Value

_Row = tuple[Scope, Mapping[str, Value]]
"""Where a known record is, and what is known of it."""


def with_worded_numbers(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    fewest: int = 0,
) -> Program:
    """The program that reads the words for numbers which `known` records tell, each by so
    many of them (0: as many as the table of trust says)."""
    if not any(map(may_be_worded, map(attrgetter("spec"), program.fields))):
        return program
    rows = list(_known_rows(schema, program, documents, known))
    fields = tuple(
        with_number_words(
            field,
            [(scope, record.get(field.spec.name)) for scope, record in rows],
            fewest,
        )
        for field in program.fields
    )
    return program.model_copy(update={"fields": fields})


def _known_rows(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> Iterator[_Row]:
    """The known records that a program finds, each with its place."""
    for example in known:
        extraction, places = run_placed(program, documents[example.page])
        for record, read in match_records(schema, example.records, extraction.records):
            if read is not None:
                yield places[read.row], record
