"""A listing whose rows are elsewhere, and each of them is what it was.

A site that puts its list into another box changes nothing inside a row. Where no known
row is left on the page, the readers that were right in the rows before are the best
witness of where the rows are now: they were not made for this page, and several of each
field have to say the same.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    FieldProgram,
    Program,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    alive_fields,
    field_names,
    reads_most,
    rows_read,
)
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
    are_rows = partial(_are_rows, documents=documents, records=records)
    count = partial(rows_read, document=first)
    found = filter(are_rows, _elsewhere(program, first))
    return max(found, key=lambda one: len(count(one)), default=None)


def _are_rows(
    program: Program, documents: Sequence[Document], records: Sequence[RecordValues]
) -> bool:
    """Whether what a program finds are rows such as the known ones, several of them."""
    read = run(program, documents[0]).records
    is_alive = alive_fields(program, documents, records) == field_names(program)
    is_list = len(read) >= tuned("guess.fewest_records")
    is_list = is_list and reads_most(program, documents[0])
    return all((is_list, is_alive, *map(partial(_agrees, read), program.fields)))


def _agrees(read: Sequence[ExtractedRecord], field: FieldProgram) -> bool:
    """Whether several readers of a field say the same in the rows that have it."""
    votes = filter(None, (record.votes.get(field.spec.name) for record in read))
    agreements = list(map(attrgetter("agreement"), votes))
    is_shared = len(field.readers) >= _FEWEST_READERS
    return is_shared and sum(agreements) >= tuned("moved_rows.agree") * len(agreements)


def _elsewhere(program: Program, document: Document) -> Iterator[Program]:
    """The program with the likeliest records of a page as its rows, by each of their
    places: a box beside the list may still look as the list did."""
    for group in islice(groups(document), 1):
        for candidate in candidates_for(document, dict(enumerate(group.nodes))):
            yield _at(program, candidate.boundary)


def _at(program: Program, boundary: Boundary) -> Program:
    """The program with its rows at another place."""
    record = program.record or boundary
    moved = record.model_copy(update={"at": boundary.at})
    return program.model_copy(update={"record": moved})
