import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.labelling import (
    first_piece,
    heading_before,
    heading_share,
    label_in_piece,
    share_in_piece,
)
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from tests.induce.detail.documents import document

WORDS = words_of(FieldSpec(name="wood_parts"))


def piece(page: Document, text: str) -> int:
    return next(
        position for position, each in enumerate(page.pieces) if each.text == text
    )


def label(text: str) -> str | None:
    page = document(f"<b>{text}</b>")
    return label_in_piece(page, piece(page, text))


def test_a_label_is_known_by_its_letters() -> None:
    assert label("Wood parts:") == "woodparts"
    assert label("ab") == "ab"
    assert label("a" * 40) == "a" * 40


@pytest.mark.parametrize("text", ["a", "1 part", "a" * 41, "::"])
def test_short_and_long_texts_and_numbers_are_no_labels(text: str) -> None:
    assert label(text) is None


def test_no_text_is_no_label_and_names_nothing() -> None:
    page = document("")
    assert label_in_piece(page, None) is None
    assert share_in_piece(page, None, WORDS) == 0.0


@given(st.text("abcdefgh", min_size=2, max_size=40))
def test_all_letters_of_a_label_are_kept(text: str) -> None:
    assert label(text) == text


def test_a_text_names_the_field_by_its_words() -> None:
    page = document("<b>Wood parts</b><b>Wood</b><b>Tools</b>")
    shares = [
        share_in_piece(page, piece(page, text), WORDS)
        for text in ("Wood parts", "Wood", "Tools")
    ]
    assert shares[0] == 1.0
    assert 0 < shares[1] < 1
    assert shares[2] == 0.0


def first_of(page: Document, tag: str) -> int:
    return page.first_piece[page.by_tag[tag][0]]


def before(body: str) -> str | None:
    page = document(body)
    found = heading_before(page, first_of(page, "ul"), WORDS)
    return None if found is None else page.pieces[found].text


LIST = "<ul><li>Oak</li></ul>"


@pytest.mark.parametrize("tag", ["h2", "dt", "th", "strong", "summary"])
def test_the_nearest_heading_comes_before_nearer_texts(tag: str) -> None:
    assert before(f"<{tag}>Parts</{tag}><p>All of them</p>{LIST}") == "Parts"


def test_a_nearer_text_that_says_the_field_and_little_else_is_the_heading() -> None:
    assert before(f"<h2>A desk</h2><b>Wood parts:</b>{LIST}") == "Wood parts:"
    sentence = "Lay out the parts on the floor"
    assert before(f"<h2>A desk</h2><p>{sentence}</p>{LIST}") == "A desk"


def test_a_heading_may_hold_its_text_in_one_element_more() -> None:
    assert before(f"<h3><a>Parts</a></h3><p>All of them</p>{LIST}") == "Parts"
    near = "".join(f"<p>Text {letter}</p>" for letter in "abc")
    assert before(f"<h3><i><a>Parts</a></i></h3>{near}{LIST}") == "Text c"


def test_without_heading_the_nearest_text_is_taken() -> None:
    far = "".join(f"<p>Text {letter}</p>" for letter in "abcd")
    assert before(f"<h2>Parts</h2>{far}{LIST}") == "Text d"
    near = "".join(f"<p>Text {letter}</p>" for letter in "abc")
    assert before(f"<h2>Parts</h2>{near}{LIST}") == "Parts"


def test_where_no_text_comes_before_there_is_no_heading() -> None:
    assert before(LIST) is None
    assert before(f"<p>All</p>{LIST}") is None


def test_a_heading_names_the_list_behind_it() -> None:
    page = document(f"<h2>Wood parts</h2>{LIST}")
    assert heading_share(page, first_of(page, "ul"), WORDS) == 1.0
    page = document(LIST)
    assert heading_share(page, first_of(page, "ul"), WORDS) == 0.0


@pytest.mark.parametrize(
    ("tag", "get", "text"),
    [
        ("p", "text", "Parts"),
        ("p", "own", ": oak and ash"),
        ("b", "tail", ": oak and ash"),
        ("b", "text", "Parts"),
        ("i", "text", None),
        ("i", "tail", None),
    ],
)
def test_the_first_text_of_a_place_is_where_it_is_read(
    tag: str, get: str, text: str | None
) -> None:
    page = document("<p><b>Parts</b>: oak and ash</p><p><i> </i></p>")
    found = first_piece(page, Place(page.by_tag[tag][0], get, ()))
    assert (None if found is None else page.pieces[found].text) == text
