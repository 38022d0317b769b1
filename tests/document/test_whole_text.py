"""The text of a page as bytes says what it says as a text of Python."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.document import clean_markup
from crawloop_assets.document.whole_text import (
    WholeText,
    beyond_ascii,
    utf8_words,
)

SPACES = "".join(filter(str.isspace, map(chr, range(sys.maxunicode + 1))))
CODED = st.characters(codec="utf-8", exclude_characters="\0")
TEXTS = st.text(CODED | st.sampled_from(SPACES + "\u200b\ufeff€ab"))


def words(text: str) -> list[bytes]:
    return utf8_words(text.encode(), beyond_ascii(text.encode()))


@given(TEXTS)
def test_words_of_bytes_are_those_of_the_text(text):
    assert b" ".join(words(text)).decode() == clean_markup(text)


def test_each_space_of_python_parts_words():
    for space in SPACES:
        assert words(f"a{space}b") == [b"a", b"b"], ascii(space)


def test_spaces_of_no_width_part_nothing():
    assert words("a\u200bb\ufeffc") == [b"abc"]


@given(st.lists(TEXTS))
def test_all_pieces_are_one_text(pieces):
    whole = WholeText(pieces)
    text = clean_markup("".join(pieces))
    assert whole.text == text
    assert whole.line == text.encode()
    assert whole.chars == len(text)
    assert whole.written.decode().split("\0") == (pieces or [""])


@given(TEXTS, st.integers(0, 12))
def test_a_lead_is_cut_between_characters(text, chars):
    assert WholeText([text]).lead(chars) == clean_markup(text)[:chars]
