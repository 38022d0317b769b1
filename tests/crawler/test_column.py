"""What a table calls the column of a value."""

import pytest

from crawloop_assets.crawler.column import column_head
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.traits import vote_traits
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec

AT = "td:nth-of-type(2)"
TITLE = FieldProgram(
    spec=FieldSpec(name="title"), readers=(Reader(src=Source.CSS, at=AT),)
)
HEADS = "<tr><th>No.</th><th> Style of\n Cause</th></tr>"
ROWS = "<tr><td>1</td><td>Roe</td></tr><tr><td>2</td><td>Doe</td></tr>"


def document(body: str, kind: str = "text/html") -> Document:
    headers = {"content-type": kind}
    return Document(Page(url="http://a.test/", body=body.encode(), headers=headers))


def rows(table: str) -> list[Scope]:
    page = document(f"<table>{table}</table>")
    return [Scope(page, (number,)) for number in page.by_tag["tr"]]


def test_all_rows_of_a_table_have_its_headers() -> None:
    _, *of_rows = rows(HEADS + ROWS)
    heads = [column_head(TITLE, AT, scope) for scope in of_rows]
    assert heads == ["style of cause"] * 2
    value, vote = vote_on(TITLE, of_rows[1])
    assert (value, vote.head) == ("Doe", "style of cause")
    assert ("head:title", "style of cause") in list(vote_traits("title", vote))


@pytest.mark.parametrize("at", ["", ".", "b", "td:nth-of-type(1)"])
def test_what_the_fields_readers_do_not_find_in_a_cell_has_none(at: str) -> None:
    assert column_head(TITLE, at, rows(HEADS + ROWS)[1]) == ""


def test_pages_lists_and_tables_without_headers_have_none() -> None:
    page = document(f"<table>{HEADS}{ROWS}</table>")
    assert column_head(TITLE, AT, Scope(page)) == ""
    assert column_head(TITLE, AT, rows(ROWS)[0]) == ""
    items = document("<ul><li><td>Roe</td></li></ul>")
    assert column_head(TITLE, AT, Scope(items, (items.by_tag["li"][0],))) == ""
    data = document('[{"title": "Roe"}]', "application/json")
    assert column_head(TITLE, AT, Scope(data, (1,), {"title": "Roe"})) == ""
