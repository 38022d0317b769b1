"""A listing whose rows are elsewhere, and each of them is what it was.

A site that puts its list into another box, or under another key, changes nothing inside
a row. Known rows that the old readers read whole elsewhere say so. Where no known row is
left on the page, those readers are the best witness of where the rows are now: they were
not made for this page, and several of each field have to say the same.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter, itemgetter

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Program,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    RowForms,
    alive_fields,
    all_records,
    field_names,
    filled_anywhere,
    forms_of,
    is_one_of,
    reads_most,
    rows_read,
)
from crawloop_assets.induce.listing.boundary import candidates_for
from crawloop_assets.induce.listing.groups import groups
from crawloop_assets.induce.listing.json_arrays import arrays, grouped
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.proof.right import is_read
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


def carried_rows(
    program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> Program | None:
    """The program with its rows elsewhere, where most of the known records are among
    the rows, with every field that any of them has, as most of its readers say; the one
    that has most of them. None if there is none, or they still are where they were."""
    records = all_records(known)
    least = max(tuned("listing.found_again"), len(records) / 2)
    filled = frozenset(chain.from_iterable(records))
    count = partial(count_again, documents=documents, known=known)
    found = max(_elsewhere(program, documents[0]), key=count, default=program)
    is_whole = filled <= filled_anywhere(found, documents)
    is_carried = is_whole and count(program) < least <= count(found)
    return found if is_carried and _is_shared(found, documents[0]) else None


def _is_shared(program: Program, document: Document) -> bool:
    """Whether each field is read by most of its readers: one or two of them may fit rows
    of another build."""
    rows = run(program, document).records
    return all(map(partial(_are_read, rows), program.fields))


def _are_read(rows: Sequence[ExtractedRecord], field: FieldProgram) -> bool:
    """Whether most rows in which any reader of a field reads something are read by enough
    of them."""
    name = field.spec.name
    votes = filter(None, (row.votes.get(name) for row in rows))
    having = sum(vote.agreement > 0 for vote in votes)
    return 2 * sum(is_read(row, name) for row in rows) >= having


def count_again(
    program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> int:
    """How many known records are nearly whole among the rows of their pages; what moves
    need not be the same."""
    count = 0
    for example in known:
        rows = rows_read(program, documents[example.page])
        forms = [_steady_forms(program, row) for row in rows]
        for record in example.records:
            count += is_one_of(_steady_forms(program, record), forms)
    return count


def _steady_forms(program: Program, values: RecordValues) -> RowForms:
    """What is comparable of a record and does not move."""
    moving = {field.spec.name for field in program.fields if field.spec.volatile}
    steady = {name: value for name, value in values.items() if name not in moving}
    return forms_of(program, steady)


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
    places: a box beside the list may still look as the list did. Of JSON, every list,
    and the lists of groups as one."""
    if program.record and program.record.mode is BoundaryMode.JSON:
        single = arrays(document)
        found = map(itemgetter(0), [*single, *grouped(single)])
        ats = filterfalse(program.record.at.__eq__, found)
        boundaries = (Boundary(mode=BoundaryMode.JSON, at=at) for at in ats)
        yield from map(partial(_at, program), boundaries)
        return
    for group in islice(groups(document), 1):
        for candidate in candidates_for(document, dict(enumerate(group.nodes))):
            yield _at(program, candidate.boundary)


def _at(program: Program, boundary: Boundary) -> Program:
    """The program with its rows at another place."""
    record = program.record or boundary
    moved = record.model_copy(update={"at": boundary.at})
    return program.model_copy(update={"record": moved})
