"""What stands behind a label in its own line."""

from crawloop_assets.crawler.read import Scope, transformed_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.label_lines import lines_behind_label
from crawloop_assets.page import Page


def lines(body: str) -> list[list[str]]:
    html = f"<html><body>{body}</body></html>".encode()
    page = Page(url="http://x.test/", body=html, headers={"content-type": "text/html"})
    document = Document(page)
    found = lines_behind_label(document)
    return [transformed_texts(reader, Scope(document)) for reader in found]


def test_each_label_that_begins_a_line_has_what_stands_behind_it() -> None:
    body = "<div>State: let<br>Size (m²): 40</div><ul><li><b>Of:</b> Ada</li></ul>"
    assert lines(body) == [["let"], ["40"], ["Ada"]]


def test_a_label_of_two_lines_and_what_is_none_are_left_out() -> None:
    assert lines("State: let<br>State: sold<br>12: 30<br>none") == []
    assert lines("At 12:30 we met") == []
    assert lines(f"State: {'long ' * 60}") == []


def test_a_label_inside_another_one_is_another() -> None:
    assert lines("State: let<br>Old State: sold") == [["let"], ["sold"]]
