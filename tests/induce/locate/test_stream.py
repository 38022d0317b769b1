from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.stream import LetterStream
from tests.induce.pages import page

BODY = "<body><p>Oak <b>floor</b> lamp</p><div>Oak</div><i></i></body>"


def stream(body: str = BODY) -> tuple[Document, LetterStream]:
    document = Document(page(0, f"<html>{body}</html>"))
    return document, LetterStream(document)


def test_the_letters_of_all_pieces_are_one_string() -> None:
    assert stream()[1].letters == "oakfloorlampoak"


def test_every_position_of_a_text_is_found_also_those_that_overlap() -> None:
    assert list(stream()[1].positions("oak")) == [0, 12]
    assert list(stream("<p>aaa</p>")[1].positions("aa")) == [0, 1]
    assert list(stream()[1].positions("pine")) == []


def test_a_position_leads_to_its_piece_and_the_elements_around_it() -> None:
    document, letters = stream()
    for position, text in ((0, "Oak "), (3, "floor"), (7, "floor"), (8, " lamp")):
        assert document.pieces[letters.piece_at(position)].text == text

    def tags(position: int) -> list[str]:
        around = letters.elements_around(letters.piece_at(position))
        return [str(document.elements[number].tag) for number in around]

    assert tags(3) == ["b", "p", "body", "html"]
    assert tags(8) == ["p", "body", "html"], "a tail is in the parent"
    assert tags(12) == ["div", "body", "html"]


def test_the_span_of_an_element_covers_its_letters() -> None:
    document, letters = stream()

    def text(tag: str) -> str:
        first, last = letters.span(document.by_tag[tag][0])
        return letters.letters[first:last]

    assert text("p") == "oakfloorlamp"
    assert text("b") == "floor"
    assert text("div") == "oak"
    assert text("i") == ""
    assert text("html") == letters.letters


def test_letters_fill_their_pieces_or_not() -> None:
    _, letters = stream()
    assert letters.fills(0, 3) and letters.fills(0, 8)
    assert not letters.fills(0, 2) and not letters.fills(4, 8)


def test_letters_are_whole_elements_one_after_the_other_or_none() -> None:
    document, letters = stream()
    p, div = document.by_tag["p"][0], document.by_tag["div"][0]
    assert letters.elements_within(0, 15) == [0]
    assert letters.elements_within(0, 12) == [p]
    assert letters.elements_within(3, 5) == [document.by_tag["b"][0]]
    assert letters.elements_within(0, 8) == [], "a part of them is of the first"
    document, letters = stream(f"{BODY[:-7]}<u>end</u></body>")
    last = document.by_tag["u"][0]
    assert letters.elements_within(12, 6) == [div, last]
