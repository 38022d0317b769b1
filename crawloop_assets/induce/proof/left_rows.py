"""Rows that a version leaves out on the pages of the examples."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import extract_rows, records_of, scopes
from crawloop_assets.crawler.program import Boundary, BoundaryMode, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned


class LeftRows(NamedTuple):
    """A page of which `rows` are read, of `total` elements that look like its rows."""

    url: str
    rows: int
    total: int

    @property
    def are_few(self) -> bool:
        """Whether less than half of them are read."""
        return 2 * self.rows < self.total

    def __str__(self) -> str:
        return f"{self.rows} of {self.total} row-like elements are read on {self.url}"


def rows_left_out(
    program: Program, documents: Iterable[Document]
) -> Iterator[LeftRows]:
    """Each page on which elements that look like its rows, or items of its list of JSON,
    give no record."""
    boundary = program.record
    if boundary is None:
        return
    for document in documents:
        rows = _rows(program, boundary, document)
        if boundary.mode is BoundaryMode.JSON:
            total = len(scopes(document, boundary))
        else:
            total = _row_like(document, rows)
        if len(rows) < total and len(rows) >= tuned("examples.fewest_rows"):
            yield LeftRows(document.page.url, len(rows), total)


def _rows(program: Program, boundary: Boundary, document: Document) -> list[int]:
    """The first elements of the places that give a record."""
    found: list[int] = []
    for place in scopes(document, boundary):
        rows = extract_rows(program.fields, [place], boundary.keep_if)
        if records_of(rows, boundary):
            found.append(place.nodes[0])
    return found


def _row_like(document: Document, rows: Sequence[int]) -> int:
    """How many elements are children of what holds rows, have the tag of a row, and
    nearly all that is in one; the rows are among them."""
    kinds = list(zip(document.parent, document.tags, strict=True))
    known = {_steps(document, row) for row in rows}
    wanted = set(map(kinds.__getitem__, rows))
    total = 0
    for number, kind in enumerate(kinds):
        total += kind in wanted and _is_alike(_steps(document, number), known)
    return total


def _steps(document: Document, number: int) -> frozenset[str]:
    """The tags and classes of what is in an element."""
    inside = range(number + 1, document.end[number])
    return frozenset(f"{document.tags[at]}.{document.classes[at]}" for at in inside)


def _is_alike(steps: frozenset[str], rows: Iterable[frozenset[str]]) -> bool:
    """True if what is in an element is nearly what is in one of the rows."""
    return any(
        len(steps & row) >= tuned("examples.alike") * len(steps | row) for row in rows
    )
