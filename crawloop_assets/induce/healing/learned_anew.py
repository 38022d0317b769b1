"""Fields that a listing program was made without and that known records have: its pages may
say again what they did not say when it was made."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.broken_fields import BrokenFields
from crawloop_assets.induce.healing.rows import (
    all_records,
    column_of,
    field_names,
    rows_read,
)
from crawloop_assets.induce.healing.still_shown import without_moved
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.schema import RecordSchema


def learned_anew(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> Program | None:
    """A program that reads all of its own fields, with those of the others whose known
    values stand in the rows that have the rest of their records, in half of them at least;
    None if none do."""
    alive = field_names(program)
    known_of = frozenset[str]().union(*all_records(known))
    specs = [spec for spec in schema.fields if spec.name in known_of - alive]
    unread = tuple(FieldProgram(spec=spec) for spec in specs)
    wide = program.model_copy(update={"fields": (*program.fields, *unread)})
    left = without_moved(schema, documents, known)
    learned = BrokenFields(schema, wide, documents, left, known, alive).aligned()
    rows = list(chain.from_iterable(map(partial(rows_read, learned), documents)))
    fields = filter(partial(_is_filled, rows), learned.fields)
    found = program.model_copy(update={"fields": tuple(fields)})
    return found if len(found.fields) > len(program.fields) else None


def _is_filled(rows: Sequence[RecordValues], field: FieldProgram) -> bool:
    """Whether at least half of the records have a field."""
    return 2 * len(column_of(field.spec.name, rows)) >= len(rows)
