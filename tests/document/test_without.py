from crawloop_assets.document.document import Document
from crawloop_assets.document.without import without_elements
from crawloop_assets.page import Page

URL = "https://shop.example/p/1"
BODY = "<title>Lamp</title><div class=a><b>one</b> tail <i>two</i></div><p>Übrig</p>"


def document() -> Document:
    return Document(Page(url=URL, body=BODY.encode()))


def test_an_element_goes_with_what_is_in_it_and_the_text_behind_it_stays() -> None:
    page = document()
    left = without_elements(page, page.by_tag["b"])
    assert left.text(left.by_tag["div"][0]) == "tail two"
    left = without_elements(page, page.by_tag["div"])
    assert [left.text(one) for one in left.by_tag["body"]] == ["Übrig"]
    assert "i" not in left.by_tag


def test_all_else_of_the_page_is_what_it_was() -> None:
    page = document()
    page.passing = frozenset(("a",))
    left = without_elements(page, page.by_tag["b"])
    assert (left.page.url, left.passing) == (URL, {"a"})
    assert page.text(page.by_tag["b"][0]) == "one"
    assert without_elements(page, []) is page
