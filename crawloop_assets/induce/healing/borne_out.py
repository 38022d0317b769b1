"""Rows of which none is known, and which bear each other out as the known ones did.

What looks like a row may be one of another list. Where the addresses of the rows have the
same of their other fields in them as ever (`listing/ties.py`), and each field that is not
so tied stands in the one column that is called so, the rows are those of the family.
"""

from collections.abc import Sequence

from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    alive_fields,
    asking_for,
    field_names,
    reads_most,
    rows_read,
)
from crawloop_assets.induce.listing.guess import ListingGuess
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.ties import tied_fields
from crawloop_assets.schema import RecordSchema


def borne_out(
    schema: RecordSchema,
    old: Program,
    guess: ListingGuess,
    documents: Sequence[Document],
    records: Sequence[RecordValues],
) -> Program | None:
    """The guessed program of all that the old one read of the known `records`, if the
    rows of every page vouch for each of these fields; else None."""
    wanted = field_names(old) & frozenset[str]().union(*records)
    made = _of(guess.scored.program, wanted)

    def vouches(document: Document) -> bool:
        """Whether the rows of a page vouch for each field."""
        tied = tied_fields(schema, records, rows_read(made, document))
        is_whole = reads_most(made, document)
        return all((tied, wanted <= tied | guess.alone, is_whole))

    is_alive = wanted <= alive_fields(made, documents, records)
    return made if is_alive and all(map(vouches, documents)) else None


def _of(program: Program, names: frozenset[str]) -> Program:
    """The program with some of its fields only."""
    fields = tuple(field for field in program.fields if field.spec.name in names)
    asking = asking_for(program, names)
    return asking.model_copy(update={"fields": fields})
