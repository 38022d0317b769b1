"""Text forms: the quick way for plain texts leads where the careful way does."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.text import (
    clean,
    letters,
    letters_of_each,
    skeleton,
    tokens,
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
