"""Text forms: the quick way for plain texts leads where the careful way does."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.text import (
    ascii_letters,
    clean,
    letters,
    letters_of_each,
    skeleton,
    sound,
    sound_data,
    stem,
    tokens,
    word_set,
)


def test_what_changes_the_meaning_is_kept():
    kept = {
        "1.5": "1.5",
        "3 - 4": "34",
        "3-4": "3-4",
        "C++": "c++",
        "-5 %": "-5%",
        "$ 1,000": "$1,000",
        "a_b c": "abc",
    }
    assert {text: skeleton(text) for text in kept} == kept


@given(st.text(alphabet="ab12 .,$%_:/()\n", max_size=12))
def test_a_plain_text_has_the_skeleton_it_has_beside_a_foreign_letter(text):
    """A letter outside ASCII takes the careful way, character by character."""
    assert skeleton(f"{text}é") == skeleton(f"{text}e")[:-1] + "é"


@given(st.text(alphabet="ab \t\n\r\x0b\x0c\x1c\x1f\x00&<>br;", max_size=12))
def test_a_plain_text_is_cleaned_as_it_is_beside_a_foreign_letter(text):
    assert clean(f"{text} é") == f"{clean(text)} é".strip()


@given(
    st.lists(
        st.text(max_size=8)
        | st.sampled_from(["a\0b", "e\u0301", "\u0301", "Straße_7", "ﬁ", "Σς"])
    )
)
def test_letters_of_many_texts_are_those_of_each(texts):
    assert letters_of_each(texts) == [letters(text) for text in texts]


def test_accents_do_not_split_words() -> None:
    assert tokens("Préparation : Kochzeit") == ("preparation", "kochzeit")
    assert (
        tokens("F\u00f6rberedelse") == tokens("Fo\u0308rberedelse") == ("forberedelse",)
    )
    assert tokens("時間") == ("時間",)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("<p>Salt &amp;\n pepper</p>", "Salt & pepper"),
        ("one<br>two", "one two"),
        ("one<BR/>two", "one two"),
        ("a</p>b</div>c</li>d", "a b c d"),
        ("a</em>b</strong>c<i>d</i>", "abcd"),
        ("a</a>b</i>c</u>d", "abcd"),
        ("1 < 2", "1 < 2"),
        ("a&nbsp;b\u200bc\ufeff", "a b c"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_markup_and_spaces_are_cleaned_away(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("C#", "c#"),
        ("# 1", "1"),
        ("C++", "c++"),
        ("+ 1", "1"),
        ("- 5", "5"),
        ("a-5", "a5"),
        ("(-5", "-5"),
        (")-5", "5"),
        ("--5", "5"),
        ("−5", "-5"),
        ("–5", "-5"),
        ("3–4", "3-4"),
        ("3—4", "3-4"),
        ("3−4", "3-4"),
        ("1 2", "1 2"),
        ("1½", "1 1/2"),
        ("½", "1/2"),
        ("5 %", "5%"),
        ("5€", "5€"),
        ("é 5", "é5"),
        ("5 é", "5é"),
        ("a_é", "aé"),
        ("1_2é", "1_2é"),
        ("-", ""),
        ("É", "é"),
        ("ﬁn", "fin"),
    ],
)
def test_the_skeleton_keeps_signs_that_mean_something(text: str, form: str) -> None:
    assert skeleton(text) == form


@given(st.text(alphabet="aé1-+#%$€ .,–½_", max_size=12))
def test_spaces_around_and_case_do_not_change_a_skeleton(text: str) -> None:
    assert skeleton(f"  {text}\n") == skeleton(text)
    assert skeleton(skeleton(text).upper()).isupper() is False


@pytest.mark.parametrize(
    ("word", "singular"),
    [
        ("berries", "berry"),
        ("ties", "tie"),
        ("ies", "ies"),
        ("steps", "step"),
        ("abs", "abs"),
        ("cups", "cup"),
        ("glass", "glass"),
        ("status", "status"),
        ("basis", "basis"),
        ("series", "sery"),
        ("step", "step"),
        ("s", "s"),
    ],
)
def test_plurals_have_the_stem_of_their_singular(word: str, singular: str) -> None:
    assert stem(word) == singular


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("recipeIngredients", ("recipe", "ingredient")),
        ("PDFFile-2", ("pdf", "file", "2")),
        ("data_key.name", ("data", "key", "name")),
        ("Title", ("title",)),
        ("", ()),
    ],
)
def test_names_are_split_where_people_split_them(
    name: str, words: tuple[str, ...]
) -> None:
    assert tokens(name) == words


def test_letters_are_what_locates_a_text() -> None:
    assert letters("Prep time:") == letters("PREP-TIME") == "preptime"
    assert letters("a\0b_c") == "abc"
    assert letters("Größe: ½") == "grösse12"


@given(st.text() | st.sampled_from(["e-\u0301 ½\0é", "\ud800é", "İ ＿ﬁ‿Σς", "प्रति, 9"]))
def test_letters_are_what_a_pattern_leaves_of_a_text(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    assert letters(text) == re.sub(r"[\W_]+", "", folded)


@given(st.lists(st.text(alphabet="aB1 -_é\n", max_size=6), min_size=1, max_size=6))
def test_ascii_letters_are_letters_but_for_a_mark(texts: list[str]) -> None:
    found = ascii_letters("\0".join(texts).encode()).split("\0")
    assert len(found) == len(texts)
    for text, form in zip(texts, found, strict=True):
        if text.isascii():
            assert form == letters(text)
        else:
            assert "\1" in form


def test_a_table_entry_is_a_set_of_words() -> None:
    assert word_set(" b a\n b ") == {"a", "b"}


def test_text_for_a_table_has_no_nul_no_half_and_no_turning_mark():
    assert sound("a\0\ud800b\u202e\u2066\u200f\u061cc") == "abc"
    assert sound("naïve 😀\u200d") == "naïve 😀\u200d", "the rest stays"
    nested = {"\ud800k": ["\0", {"a": ("b\udfff",)}, 1, None]}
    assert sound_data(nested) == {"k": ["", {"a": ["b"]}, 1, None]}
    assert sound_data({"x\0"}) == ["x"]
