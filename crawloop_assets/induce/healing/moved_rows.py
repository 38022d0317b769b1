"""A listing whose rows are elsewhere, and each of them is what it was.

A site that puts its list into another box changes nothing inside a row. Where no known
row is left on the page, the readers that were right in the rows before are the best
witness of where the rows are now: they were not made for this page, and several of each
field have to say the same.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Program,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import alive_fields, field_names, rows_read
from crawloop_assets.induce.listing.boundary import candidates_for
from crawloop_assets.induce.listing.groups import groups
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.trust import tuned

_FEWEST_READERS = 2


def moved_rows(
    program: Program, documents: Sequence[Document], records: Sequence[RecordValues]
) -> Program | None:
    """The program with its rows elsewhere, where every page fills all of its fields as
    often as the known `records` do, with values that look like theirs; of several the
    one that finds most rows. None if there is none."""
    first = documents[0]
    found = {one: len(rows_read(one, first)) for one in _elsewhere(program, first)}
    many = [one for one, rows in found.items() if rows >= tuned("guess.fewest_records")]
    for one in sorted(many, key=lambda each: -found[each]):
        is_alive = alive_fields(one, documents, records) == field_names(program)
        if is_alive and all(map(partial(_agrees, one, first), program.fields)):
            return one
    return None


def _agrees(program: Program, document: Document, field: FieldProgram) -> bool:
    """Whether several readers of a field say the same in the rows of a page."""
    records = run(program, document).records
    votes = filter(None, (record.votes.get(field.spec.name) for record in records))
    agreements = list(map(attrgetter("agreement"), votes))
    is_shared = len(field.readers) >= _FEWEST_READERS
    return is_shared and sum(agreements) >= tuned("moved_rows.agree") * len(agreements)


def _elsewhere(program: Program, document: Document) -> Iterator[Program]:
    """The program with each place of a page that repeats as the place of its rows."""
    record = program.record
    if record is None or record.mode is BoundaryMode.JSON:
        return
    for group in groups(document):
        for candidate in candidates_for(document, dict(enumerate(group.nodes))):
            yield _at(program, record, candidate.boundary.at)


def _at(program: Program, record: Boundary, place: str) -> Program:
    """The program with its rows at another place."""
    moved = record.model_copy(update={"at": place})
    return program.model_copy(update={"record": moved})
