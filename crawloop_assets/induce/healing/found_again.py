"""The program that known records make which still are on the page, and what proves it.

Two values tell a row from others that share one with it, and two such rows tell the list.
Where records have one value only, or a page has one record, that is never reached: there
the rows have to be the known ones, hardly one more and hardly one less. Where a redesign
leaves fields out, no row is whole: there most known records have to be rows with all that
is read of them, several values each, if the program before finds no rows any more.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    RowForms,
    field_names,
    forms_of,
    is_one_of,
    rows_read,
)
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.row_objects import with_objects
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema


def found_again(
    schema: RecordSchema,
    documents: Sequence[Document],
    known: Sequence[Example],
    *,
    are_lost: bool = False,
) -> Program | None:
    """A program made from known records still on the page, if it reads at least two of
    them nearly whole, or hardly anything but what is known. Where the rows of the program
    before `are_lost`, also if it reads what is left of most of them."""
    induced = induce_on(schema, documents, known)
    if not induced:
        return None
    program = with_objects(schema, induced[0].program, documents, known)
    proved, same, most, left = 0, 0, 0, 0
    for example in known:
        rows = _forms(program, rows_read(program, documents[example.page]))
        records = _forms(program, example.records)
        proved += sum(map(partial(is_one_of, rows=rows), records))
        same += _values(set(rows) & set(records))
        most += max(_values(rows), _values(records))
        left += _left_of(program, example.records, rows)
    is_same = same >= max(tuned("listing.same_values"), tuned("rows.alike") * most)
    every = sum(map(len, map(attrgetter("records"), known)))
    is_left = 2 * left >= max(every, 2 * tuned("listing.fewest_left"))
    is_proved = proved >= tuned("listing.found_again")
    return program if any((is_same, is_proved, are_lost and is_left)) else None


def _left_of(
    program: Program, records: Iterable[RecordValues], rows: Sequence[RowForms]
) -> int:
    """How many records are rows with all that is read of them, of several values."""
    names = field_names(program)
    read = [{name: row[name] for name in names & row.keys()} for row in records]
    several = filter(_are_several, _forms(program, read))
    return sum(any(map(one.issubset, rows)) for one in several)


def _are_several(values: RowForms) -> bool:
    """Whether so many values of a row are no chance."""
    return len(values) >= tuned("listing.left_values")


def _forms(program: Program, records: Iterable[RecordValues]) -> list[RowForms]:
    """Records to compare."""
    return list(map(partial(forms_of, program), records))


def _values(rows: Iterable[RowForms]) -> int:
    """How many values these rows have."""
    return sum(map(len, rows))
