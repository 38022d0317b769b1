"""Rows that a version leaves out."""

import json
from collections.abc import Callable

import pytest

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.left_rows import LeftRows, rows_left_out
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec

TITLE = FieldSpec(name="title", required=True)
URL = "https://shop.test/list"


def document(body: str, kind: str = "text/html") -> Document:
    return Document(Page(url=URL, body=body.encode(), headers={"content-type": kind}))


def program(mode: BoundaryMode, rows: str, src: Source, at: str) -> Program:
    get = "value" if src is Source.JSON else "text"
    reader = Reader(src=src, at=at, get=get)
    field = FieldProgram(spec=TITLE, readers=(reader,))
    boundary = Boundary(mode=mode, at=rows, keep_if=("title",))
    return Program(kind=FamilyKind.LISTING, record=boundary, fields=(field,))


SHELF = program(BoundaryMode.NODES, "li.row", Source.CSS, "h3")
API = program(BoundaryMode.JSON, "body.rows[*]", Source.JSON, "$.title")


def shelf(rows: int, others: int) -> Document:
    kinds = ["row"] * rows + ["row sale"] * others
    items = [f"<li class='{kind.split()[-1]}'><h3>Good</h3></li>" for kind in kinds]
    return document(f"<html><body><ul>{''.join(items)}</ul></body></html>")


def api(rows: int, others: int) -> Document:
    items = [{"title": f"Good {at}"} for at in range(rows)] + [
        {"name": "Good"}
    ] * others
    return document(json.dumps({"rows": items}), "application/json")


@pytest.mark.parametrize(("made", "shown"), [(SHELF, shelf), (API, api)])
def test_what_looks_like_a_row_and_gives_none_is_counted(
    made: Program, shown: Callable[[int, int], Document]
) -> None:
    (few,) = rows_left_out(made, [shown(4, 6)])
    assert few == LeftRows(URL, 4, 10) and few.are_few
    assert str(few) == f"4 of 10 row-like elements are read on {URL}"
    (most,) = rows_left_out(made, [shown(6, 6)])
    assert not most.are_few
    assert list(rows_left_out(made, [shown(6, 0)])) == []
    assert list(rows_left_out(made, [shown(2, 9)])) == [], "too few to be like"


def test_pages_of_one_record_leave_no_row_out() -> None:
    one = Program(fields=SHELF.fields)
    assert list(rows_left_out(one, [shelf(4, 6)])) == []
