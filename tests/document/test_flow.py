from crawloop_assets.document.document import Document
from crawloop_assets.document.flow import flow
from crawloop_assets.page import Page


def lines(body: str) -> list[str]:
    html = f"<html><body>{body}</body></html>"
    document = Document(
        Page(
            url="https://a.example/",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )
    )
    return flow(document, document.by_tag["body"][0])


def test_blocks_and_breaks_are_lines() -> None:
    assert lines("<h2>Fees</h2><p>One <b>two</b><br>three</p>four") == [
        "Fees",
        "One two",
        "three",
        "four",
    ]


def test_items_of_ordered_lists_show_their_number() -> None:
    assert lines("<ol start=3><li><p>c</p></li><li>d</li></ol><ul><li>e</li></ul>") == [
        "3. c",
        "4. d",
        "e",
    ]
    assert lines("<ol start=x><li></li><li>b</li></ol>") == ["2. b"]


def test_a_table_row_is_one_line_but_not_a_row_that_holds_a_table() -> None:
    assert lines(
        "<table><tr><th>A</th><th>B</th></tr><tr><td><p>1</p></td><td>2</td></tr></table>end"
    ) == [
        "A B",
        "1 2",
        "end",
    ]
    nested = "<table><tr><td><p>x</p><p>y</p><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    assert lines(nested) == ["x", "y", "1 2"]


def test_a_list_starts_where_it_says() -> None:
    assert lines("<ol start=12345><li>a</ol>") == ["12345. a"]
    assert lines("<ol start=123456><li>a</ol>") == ["1. a"]
    assert lines("<ol start=-1><li>a</ol>") == ["1. a"]
    assert lines("<ol><li>a<ol><li>b</ol><li>c</ol>") == ["1. a", "1. b", "2. c"]


def test_texts_around_a_row_are_lines_of_their_own() -> None:
    html = "a<table><tr><td>1<td>2</tr><tr></tr><tr><td>3</td></tr></table>b"
    assert lines(html) == ["a", "1 2", "3", "b"]
    assert lines("<ol><li><table><tr><td>1<td>2</table></ol>") == ["1. 1 2"]


def test_only_what_is_inside_the_element_is_shown() -> None:
    html = "<p>x</p><div><p>a</p>b</div><p>y</p>"
    page = Document(Page(url="https://a.example/", body=html.encode()))
    assert flow(page, page.by_tag["div"][0]) == ["a", "b"]
