"""Gives each row of a table the cells that span it.

A cell with `rowspan` is written in the first of its rows alone, and belongs to all of them:
the others would lack what it says, and their cells would stand a column too far left.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from lxml import etree

_CELLS = ("td", "th")
_SPAN = b"rowspan"
_NUMBER = re.compile(r"\s*+([0-9]{1,5})\s*+")
_SECTIONS = etree.XPath("//*[tr/*[@rowspan]]")
_MOST_CELLS = 2_000
"""Cells that are added to a page."""
_MOST_ROWS = 200
_MOST_COLUMNS = 100
_MOST_ELEMENTS = 12
_MOST_CHARS = 300
"""What a cell has at most that says something of rows, and is no part of a layout."""


class _Span(NamedTuple):
    """A cell that reaches into so many rows more, and the first and next column of it."""

    column: int
    end: int
    rows: int
    cell: etree._Element


class _Added(NamedTuple):
    """A cell that a row lacks, and the one it stands before; at the end without one."""

    cell: etree._Element
    row: etree._Element
    before: etree._Element | None


def with_spanned_cells(root: etree._Element, written: bytes) -> etree._Element:
    """The root of a page whose cells stand in each of their rows; most pages have none in
    what is `written`, and are not looked through."""
    if _SPAN not in written.lower():
        return root
    lacking = chain.from_iterable(map(_added, _SECTIONS(root)))
    for added in list(islice(lacking, _MOST_CELLS)):
        _add(added)
    return root


def _added(section: etree._Element) -> Iterator[_Added]:
    """The cells that rows of one section lack, in order."""
    above: list[_Span] = []
    for row in section.iterchildren("tr"):
        below: list[_Span] = []
        column = 0
        for cell in (*row.iterchildren(*_CELLS), None):
            while above and (cell is None or above[0].column <= column):
                span = above.pop(0)
                below.append(span._replace(rows=span.rows - 1))
                column = max(column, span.end)
                yield _Added(span.cell, row, cell)
            if cell is not None:
                below.append(_span(cell, column))
                column = below[-1].end
        above = sorted(filter(_goes_on, below), key=attrgetter("column"))


def _goes_on(span: _Span) -> bool:
    """Whether a cell reaches into the next row."""
    return span.rows > 0


def _span(cell: etree._Element, column: int) -> _Span:
    """How far a cell of a column reaches."""
    width = min(_whole(cell, "colspan"), _MOST_COLUMNS)
    return _Span(
        column, column + width, min(_whole(cell, "rowspan"), _MOST_ROWS) - 1, cell
    )


def _whole(cell: etree._Element, name: str) -> int:
    """An attribute that is a number from 1 on; 1 if it is none."""
    said = _NUMBER.fullmatch(cell.get(name, "1"))
    return max(1, int(said[1])) if said else 1


def _add(added: _Added) -> None:
    """Write a cell in one row more, unless it is a part of the layout, or the label of the
    first of its rows."""
    cell, row, before = added
    if _is_layout(cell) or (cell.tag == "th" and len(row.findall("td")) < 2):
        return
    cell.attrib.pop("rowspan", None)
    copy = deepcopy(cell)
    copy.tail = None
    copy.attrib.pop("id", None)
    if before is None:
        row.append(copy)
    else:
        before.addprevious(copy)


def _is_layout(cell: etree._Element) -> bool:
    """Whether a cell holds more than says something of rows."""
    elements = sum(1 for _ in islice(cell.iter(), _MOST_ELEMENTS + 1))
    chars = sum(map(len, cell.itertext()))
    return elements > _MOST_ELEMENTS or chars > _MOST_CHARS
