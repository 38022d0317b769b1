import pytest

from crawloop_assets.induce.detail.name_match import (
    is_in_menu,
    plainness,
    record_elements,
)
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import tokens
from tests.induce.detail.documents import document

RATING = words_of(FieldSpec(name="rating"))
LABEL = words_of(FieldSpec(name="label"))


def of(name: str) -> float:
    return plainness(tokens(name), RATING, frozenset(("recipe",)))


def test_a_name_of_nothing_but_the_field_says_it() -> None:
    assert of("rating") == 1.0
    assert of("rating-box") == 1.0  # what kind of box it is


def test_a_name_that_says_the_record_first_says_more() -> None:
    assert of("recipe-rating") == 1.5
    assert of("page-recipe-rating") == 1.5
    assert of("rating-recipe") == 0.0


def test_other_words_beside_the_field_say_less() -> None:
    assert of("star-big-rating") < of("rating")
    assert of("one-two-three-rating") == 0.0
    assert of("green-rating") == 0.0  # no more than half is the field's
    assert of("rating-green") == 0.0  # the head word is another


@pytest.mark.parametrize("name", ["rating-count", "review-count", "green", "value"])
def test_names_of_other_fields_say_nothing(name: str) -> None:
    assert of(name) == 0.0


def test_a_name_of_more_words_is_that_of_another_field() -> None:
    time = words_of(FieldSpec(name="time"))
    about = frozenset[str]()
    assert plainness(("time",), time, about) == 1.0
    assert plainness(("prep", "time"), time, about) == 0.0
    prep = words_of(FieldSpec(name="prep_time"))
    assert plainness(("prep", "time"), prep, about) == 1.0


def test_the_label_of_a_value_is_not_the_value() -> None:
    tags = words_of(FieldSpec(name="tags", aliases=("keywords",)))
    assert plainness(("label",), tags, frozenset()) == 0.0
    assert plainness(("label",), LABEL, frozenset()) == 1.0


def kept(body: str) -> list[str]:
    page = document(body)
    return [page.tags[number] for number in record_elements(page)][3:]


@pytest.mark.parametrize(
    "part",
    [
        "<nav><b>x</b></nav>",
        "<aside><b>x</b></aside>",
        "<div class='big sidebar'><b>x</b></div>",
        "<div id='related-posts'><b>x</b></div>",
        "<div class='my-comment-list'><b>x</b></div>",
    ],
)
def test_parts_of_other_pages_are_left_out_with_all_they_hold(part: str) -> None:
    assert kept(f"<p>a</p>{part}<u>b</u>") == ["p", "u"]


def test_what_holds_the_heading_of_the_page_is_no_part_of_others() -> None:
    beside = "<div class='sidebar'><b>x</b><h1>Others</h1></div>"
    held = "<div class='content-sidebar-wrap'>{}<h1>a</h1><u>b</u>" + beside + "</div>"
    assert kept(held.format("")) == ["div", "h1", "u"]
    # Of several headings the first one is the page's, and a tag says more than a class.
    assert kept(f"<h1>a</h1>{held.format('')}") == ["h1"]
    assert kept("<nav class='menu'><h1>a</h1></nav><u>b</u>") == ["u"]


def test_a_menu_that_was_never_closed_is_none() -> None:
    held = "<nav><i>x</i><main><b>a</b></main></nav>"
    assert kept(held) == ["nav", "i", "main", "b"]
    page = document(f"{held}<footer><u>y</u></footer>")
    menus = {tag: is_in_menu(page, page.by_tag[tag][0]) for tag in "biu"}
    assert menus == {"b": False, "i": False, "u": True}
    assert is_in_menu(document("<main>a</main><nav><b>x</b></nav>"), 5)


def test_the_rest_of_a_page_is_kept() -> None:
    assert kept("<p class='a-b-comment'>a</p><b id='menus2x'>b</b>") == ["p", "b"]
    assert kept("<main class='comment'><b>x</b></main>") == ["main", "b"]
    assert list(record_elements(document("", "")))[:1] == [0]
