"""The program that known records make which still are on the page, and what proves it.

Two values tell a row from others that share one with it, and two such rows tell the list.
Where records have one value only, or a page has one record, that is never reached: there
the rows have to be the known ones, hardly one more and hardly one less.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    RowForms,
    forms_of,
    is_one_of,
    rows_read,
)
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema


def found_again(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> Program | None:
    """A program made from known records still on the page, if it reads at least two of
    them nearly whole, or hardly anything but what is known."""
    induced = induce_on(schema, documents, known)
    if not induced:
        return None
    program = induced[0].program
    proved, same, most = 0, 0, 0
    for example in known:
        rows = _forms(program, rows_read(program, documents[example.page]))
        records = _forms(program, example.records)
        proved += sum(map(partial(is_one_of, rows=rows), records))
        same += _values(set(rows) & set(records))
        most += max(_values(rows), _values(records))
    is_same = same >= max(tuned("listing.same_values"), tuned("rows.alike") * most)
    return program if is_same or proved >= tuned("listing.found_again") else None


def _forms(program: Program, records: Iterable[RecordValues]) -> list[RowForms]:
    """Records to compare."""
    return list(map(partial(forms_of, program), records))


def _values(rows: Iterable[RowForms]) -> int:
    """How many values these rows have."""
    return sum(map(len, rows))
