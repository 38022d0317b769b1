import pytest

from crawloop_assets.induce.locate.shapes import shape_of, text_kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", "0"),
        ("Ab", "a"),
        ("é", "a"),
        ("-", "-"),
        ("", ""),
        ("a1", "a1"),
        ("\n", " "),
    ],
)
def test_digits_and_letters_are_kinds_other_texts_are_themselves(
    text: str, expected: str
) -> None:
    assert text_kind(text) == expected


@pytest.mark.parametrize(
    ("text", "shape"),
    [("$12.50", "$0.0"), ("5 March 2024", "0 a 0"), ("20-CV-17", "0-a-0"), ("", "")],
)
def test_the_shape_of_a_text_has_runs_of_one_kind_once(text: str, shape: str) -> None:
    assert shape_of(text) == shape
