"""How many tokens a text is, about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.model_tokens import model_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Copper kettle", 2),
        ("internationalisation", 3),
        ("1.234,50", 5),
        ("<a href=", 4),
        ("Ключ", 2),
        ("東京都", 3),
    ],
)
def test_words_numbers_and_signs_are_counted(text: str, tokens: int) -> None:
    assert model_tokens(text) == tokens


@given(st.text(), st.text())
def test_two_texts_are_as_many_tokens_as_their_parts(a: str, b: str) -> None:
    assert model_tokens(f"{a}\n{b}") == model_tokens(a) + model_tokens(b) + 1
