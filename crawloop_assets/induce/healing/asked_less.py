"""Known rows that a listing program leaves out, for want of one field that it asks of
every row."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    RowForms,
    asking_for,
    field_names,
    forms_of,
    is_one_of,
    rows_read,
)
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.trust import tuned


class _Rows(NamedTuple):
    """How many rows a program reads, and how many of them are known ones."""

    read: int
    known: int


def asking_less(
    program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> Program | None:
    """The program that asks one field less of a row, where it reads several known rows
    more so, and fewer others; None if there is none."""
    asked = program.record.keep_if if program.record else ()
    before = _counted(program, documents, known)
    if before.known == sum(map(len, map(attrgetter("records"), known))):
        return None
    found: list[tuple[int, Program]] = []
    for name in asked:
        other = asking_for(program, field_names(program) - {name})
        now = _counted(other, documents, known, name)
        more = now.known - before.known
        is_others = 2 * more <= now.read - before.read
        if more >= tuned("listing.found_again") and not is_others:
            found.append((more, other))
    return max(found, key=lambda one: one[0])[1] if found else None


def _counted(
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    without: str = "",
) -> _Rows:
    """What a program reads, and how many known records are rows of it by what they say
    but for one field."""
    rows, found = 0, 0
    for example in known:
        read = [
            forms_of(program, row)
            for row in rows_read(program, documents[example.page])
        ]
        rows += len(read)
        wanted = map(partial(_forms, program, without), example.records)
        found += sum(is_one_of(one, read) for one in wanted)
    return _Rows(rows, found)


def _forms(program: Program, without: str, row: RecordValues) -> RowForms:
    """A known record to compare, without a field."""
    return forms_of(program, {name: row[name] for name in row.keys() - {without}})
