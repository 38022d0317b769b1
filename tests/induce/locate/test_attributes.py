import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.attributes import telling_attributes
from tests.induce.pages import page


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<p data-price='5' class='a' id='b'>x</p>", [("@data-price", "5")]),
        ("<p style='color: red'>x</p>", []),
        ("<p style='background: url(/a.jpg)'>x</p>", ["@style"]),
        ("<p title=''>x</p>", []),
        (f"<p title='{'x' * 20_000}'>x</p>", []),
    ],
)
def test_attributes_with_content_may_hold_a_value(markup: str, found: list) -> None:
    document = Document(page(0, f"<html><body>{markup}</body></html>"))
    told = [(one.get, one.text) for one in telling_attributes(document)]
    assert [one if isinstance(found[0], tuple) else one[0] for one in told] == found


def test_how_a_page_is_encoded_is_no_value() -> None:
    """It was a place of the number 8, of "utf-8"."""
    head = "<head><meta charset='utf-8'></head>"
    document = Document(page(0, f"<html>{head}<body title='8'></body></html>"))
    found = [(one.get, one.text) for one in telling_attributes(document)]
    assert found == [("@title", "8")]
