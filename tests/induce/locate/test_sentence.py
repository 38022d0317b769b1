"""A value in a sentence, between the words beside it."""

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.sentence import between_words

TEXT = "This bright home in Westhafen has 2 rooms and a garden."


def test_the_words_beside_a_value_find_it_on_other_pages() -> None:
    (pipe,) = between_words(TEXT, "Westhafen")
    assert [str(step) for step in pipe] == ["between('home in ', ' has')"]
    other = "Our small home in Alt Moor has 5 rooms."
    assert apply(pipe, [other]) == ["Alt Moor"]
    assert apply(pipe, ["Our small home in 5 rooms."]) == [], "it is not said there"


def test_any_word_that_begins_the_text_is_enough() -> None:
    (pipe,) = between_words("By Ada Reed on 3 March", "Ada Reed")
    assert apply(pipe, ["By Jo van Mol on 4 May 2025"]) == ["Jo van Mol"]
    assert list(between_words("A story by Ada on 3 March", "Ada"))
    assert list(between_words("Written 3 by Ada on it", "Ada")) == []
    assert list(between_words("– Ada on it", "Ada")) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A home in Moor, as in Moor has 2", "Moor"),
        ("12 Westhafen has 2 rooms", "Westhafen"),
        ("This home in Westhafen", "Westhafen"),
        ("Westhafen has 2 rooms", "Westhafen"),
        ("in Westhafen has a home", "afen"),
        ("home in Westhafen or a home in 5 has", "Westhafen"),
        ("x " * 300 + "home in Westhafen has", "Westhafen"),
        ("home in Westhafen has", ""),
    ],
)
def test_there_is_none_where_nothing_stands_beside_it(text: str, value: str) -> None:
    assert list(between_words(text, value)) == []
