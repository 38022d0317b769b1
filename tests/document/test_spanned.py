"""Each row of a table has the cells that span it."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


def rows_of(body: str) -> list[list[str]]:
    """What the cells of each row say."""
    document = Document(Page(url="https://acme.example/1", body=body.encode()))
    rows = map(document.elements.__getitem__, document.by_tag["tr"])
    return [[document.text(document.number[cell]) for cell in row] for row in rows]


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        (
            "<TR><TD ROWSPAN=2>x</TD><TD>a</TD></TR><TR><TD>b</TD></TR>",
            [["x", "a"], ["x", "b"]],
        ),
        (
            "<tr><td rowspan=2>North</td><td>oats</td><td rowspan='2'>May</td></tr>"
            "<tr><td>rye</td></tr><tr><td>South</td></tr>",
            [["North", "oats", "May"], ["North", "rye", "May"], ["South"]],
        ),
        (
            "<tr><td>1</td><td rowspan=3 colspan=2>x</td><td>a</td></tr><tr><td>2</td><td>b</td></tr><tr><td>3</td></tr>",
            [["1", "x", "a"], ["2", "x", "b"], ["3", "x"]],
        ),
        (
            "<tr><td rowspan=2>x</td><td rowspan=3>y</td><td>a</td></tr><tr><td>b</td></tr><tr><td>z</td><td>c</td></tr>",
            [["x", "y", "a"], ["x", "y", "b"], ["z", "y", "c"]],
        ),
        (
            "<tbody><tr><td rowspan=9>x</td><td>a</td></tr></tbody><tbody><tr><td>b</td></tr></tbody>",
            [["x", "a"], ["b"]],
        ),
        (
            "<tr><th rowspan=2>North</th><td>oats</td><td>1</td></tr><tr><td>rye</td><td>2</td></tr>",
            [["North", "oats", "1"], ["North", "rye", "2"]],
        ),
        (
            "<tr><td rowspan=two>x</td><td>a</td></tr><tr><td>b</td></tr>",
            [["x", "a"], ["b"]],
        ),
    ],
)
def test_a_cell_stands_in_all_rows_that_it_spans(
    written: str, rows: list[list[str]]
) -> None:
    assert rows_of(f"<table>{written}</table>") == rows


def test_a_header_beside_one_value_labels_the_first_of_its_rows_alone() -> None:
    written = "<tr><th rowspan=2>Sold</th><th>At</th><td>a</td></tr><tr><th>Until</th><td>b</td></tr>"
    assert rows_of(f"<table>{written}</table>") == [["Sold", "At", "a"], ["Until", "b"]]


def test_a_part_of_the_layout_stands_where_it_is_written() -> None:
    menu = "<ul>" + "<li>a</li>" * 12 + "</ul>"
    written = f"<tr><td rowspan=2>{menu}</td><td>b</td></tr><tr><td>c</td></tr>"
    assert list(map(len, rows_of(f"<table>{written}</table>"))) == [2, 1]


def test_a_page_gets_no_more_cells_than_it_may() -> None:
    written = "<tr>" + "<td rowspan=60000>x</td>" * 90 + "</tr>" + "<tr></tr>" * 400
    assert sum(map(len, rows_of(f"<table>{written}</table>"))) == 90 + 2_000


def test_a_copy_has_no_id_and_spans_no_further() -> None:
    body = "<table><tr><td id=a rowspan=2>x</td></tr><tr></tr></table>"
    document = Document(Page(url="https://acme.example/1", body=body.encode()))
    cells = [document.elements[number].items() for number in document.by_tag["td"]]
    assert cells == [[("id", "a")], []]
