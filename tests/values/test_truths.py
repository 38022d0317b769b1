"""Yes and no in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.truths import is_said, truth_is, truth_of


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("Yes", "No"),
        ("Ja.", "Nein!"),
        ("Sí", "No"),
        ("Sim", "Não"),
        ("כן", "לא"),
        ("Tak", "Nie"),
        ("ДА", "НЕТ"),
        ("Evet", "Hayır"),
        ("ναι", "όχι"),
        ("हाँ", "नहीं"),
        ("はい", "いいえ"),
        ("有", "无"),
        ("✔️", "✗"),
        ("○", "×"),
        ("true", "false"),
        ("https://schema.org/InStock", "https://schema.org/OutOfStock"),
    ],
)
def test_yes_and_no(yes: str, no: str) -> None:
    assert truth_of(yes) is True and truth_of(no) is False
    assert is_said(yes, True) and is_said(no, False)
    assert not is_said(yes, False) and not is_said(no, True)


def test_decomposed_letters_are_the_same_word() -> None:
    assert truth_of("Si\u0301") is True and truth_of("Na\u0303o") is False


def test_a_sign_of_data_is_said_by_no_word_of_a_page() -> None:
    assert truth_of("1") is True and not is_said("1", True)
    assert truth_of("n") is False and not is_said("n", False)


@given(st.text(max_size=60))
def test_no_text_is_both(text: str) -> None:
    assert not (is_said(text, True) and is_said(text, False))
    assert truth_of(text) in (True, False, None)


@pytest.mark.parametrize("text", ["", "perhaps", "yes and no", "not", "x" * 41])
def test_what_is_neither(text: str) -> None:
    assert truth_of(text) is None


def test_data_says_it_by_a_digit_as_well() -> None:
    assert truth_is("1", True) and truth_is("0", False) and truth_is("off", False)
    assert not truth_is("1", False) and not truth_is("2", True)
    assert not is_said("1", True)
