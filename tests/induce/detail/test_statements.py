import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.detail.statements import (
    is_address,
    is_one_block,
    is_title,
    pipe_for,
    pipe_without_site,
)
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import document

TEXT = FieldSpec(name="author")
TITLE = FieldSpec(name="title")
LIST = FieldSpec(name="parts", shape=Shape.LIST)
URL = FieldSpec(name="image", kind=FieldKind.URL)


@pytest.mark.parametrize(
    "text", ["https://a.example/b", "http://a", "/people/jo", "#jo"]
)
def test_addresses_are_no_texts(text: str) -> None:
    assert is_address(text, TEXT)
    assert is_address([text, "/b"], LIST)
    assert not is_address([text, "Jo"], LIST)
    assert not is_address(text, URL)


@pytest.mark.parametrize("text", ["Jo", "see https://a.example", "/a b", "a/b"])
def test_texts_are_no_addresses(text: str) -> None:
    assert not is_address(text, TEXT)


def test_one_long_item_is_a_whole_list() -> None:
    assert is_one_block(["a" * 251], LIST, "parts")
    assert not is_one_block(["a" * 250], LIST, "parts")
    assert not is_one_block(["a" * 251] * 2, LIST, "parts")
    assert not is_one_block([], LIST, "parts")
    assert not is_one_block(["a" * 251], TEXT, "parts")


@pytest.mark.parametrize("path", ["recipeIngredient", "recipeInstructions"])
def test_one_text_of_what_a_thing_has_several_of_is_all_of_them(path: str) -> None:
    assert is_one_block(["Cut the leeks. Stir."], LIST, path)
    assert not is_one_block(["Cut the leeks.", "Stir."], LIST, path)
    assert not is_one_block(["Cut the leeks. Stir."], TEXT, path)


def test_texts_are_cut_or_joined_as_statements_of_their_name_are_written() -> None:
    cut = pipe_for(["a, b"], "keywords", LIST)
    assert apply(cut, ["a, b"]) == ["a", "b"]
    assert pipe_for(["a, b"], "name", LIST) == ()
    joined = pipe_for(["a", "b"], "recipeCuisine", TEXT)
    assert apply(joined, ["a", "b"]) == ["a, b"]
    assert pipe_for(["a", "b"], "author", TEXT) == ()
    assert pipe_for(["a"], "recipeCuisine", TEXT) == ()
    assert pipe_for(["1, 2"], "keywords", URL) == ()


def test_the_title_is_what_names_the_record() -> None:
    assert is_title(words_of(TITLE))
    assert not is_title(words_of(LIST))


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Soup | Acme", "Soup"),
        ("Soup: red – Acme", "Soup: red"),
        ("Soup - red and hot", "Soup - red and hot"),
        ("Soup", "Soup"),
        (": Acme", ": Acme"),
        ("汤：Acme", "汤"),
    ],
)
def test_the_sites_name_is_cut_off_the_end_of_a_title(title: str, bare: str) -> None:
    pipe = pipe_without_site(document(""), [title], TITLE, words_of(TITLE))
    assert apply(pipe, [title]) == [bare]
    assert bool(pipe) == (title != bare)


def test_the_sites_name_stays_in_other_fields() -> None:
    page, texts = document(""), ["Soup | Acme"]
    assert pipe_without_site(page, texts, LIST, words_of(LIST)) == ()
    titles = TITLE.model_copy(update={"shape": Shape.LIST})
    assert pipe_without_site(page, texts, titles, words_of(titles)) == ()
    assert pipe_without_site(page, [], TITLE, words_of(TITLE)) == ()
