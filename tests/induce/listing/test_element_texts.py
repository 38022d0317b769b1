from crawloop_assets.induce.listing.element_texts import texts_of_element
from tests.induce.listing.documents import document, scope


def texts(row: str, at: int = 0) -> dict[str, str]:
    """What is read of the first element inside a row, of the row itself with 1."""
    place = scope(document(f"<ul><li>{row}</li></ul>"), "li", 0)
    return dict(texts_of_element(place, place.nodes[0] + 1 - at))


def test_an_element_is_read_whole_and_without_its_children() -> None:
    assert texts("<p>Judge <i>Ames</i> of Ely</p>") == {
        "text": "Judge Ames of Ely",
        "own": "Judge of Ely",
        "head": "Judge",
    }


def test_what_stands_behind_an_element_is_not_behind_its_row() -> None:
    assert texts("<b>Judge</b> Ames") == {"text": "Judge", "tail": "Ames"}
    assert "tail" not in texts("<b>Judge</b> Ames", at=1)


def test_attributes_are_read_but_for_those_of_the_look() -> None:
    found = texts("<a href='/a' class='x' title='Ames'>1</a>")
    assert found == {"text": "1", "@href": "/a", "@title": "Ames"}


def test_what_is_empty_or_too_long_is_not_read() -> None:
    assert texts("<p title=''></p>") == {}
    assert texts(f"<p title='{'x' * 3_001}'>{'y' * 3_001}</p>") == {}
