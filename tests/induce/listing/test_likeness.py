import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.listing.likeness import Likeness
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

TEXT = FieldSpec(name="docket")


def test_what_texts_have_in_common_is_described() -> None:
    assert Likeness.of(TEXT, ["A-17", "12 B"]) == Likeness(
        4, 4, True, None, frozenset({"a", "0"})
    )
    assert Likeness.of(TEXT, ["ab", "(cde)"]) == Likeness(
        2, 5, False, False, frozenset({"a", "."})
    )
    assert Likeness.of(TEXT, []) == Likeness(0, 0, None, None, frozenset())


@given(st.lists(st.text(min_size=1), min_size=1))
def test_known_values_are_like_themselves(values: list[str]) -> None:
    likeness = Likeness.of(TEXT, values)
    assert all(likeness.holds(value) for value in values)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("20-CV-1", True),
        (None, False),
        ("2", False),
        ("2-" + "x" * 30, False),
        ("20-CV-1 B", False),
        ("CV-2017", False),
        ("(20-CV)", False),
        (5, True),
    ],
)
def test_values_of_another_form_are_not_alike(value: Value, expected: bool) -> None:
    likeness = Likeness.of(TEXT, ["20-CV-17", "3-CV-5"])
    assert likeness.holds(value) is expected


def test_words_without_digits_are_not_like_words_with_them() -> None:
    assert not Likeness.of(TEXT, ["Ames", "Birch"]).holds("Ames2")
    assert Likeness.of(TEXT, ["Ames", "Birch"]).holds("Coles")
    assert Likeness.of(TEXT, ["New Ames", "Old Birch"]).holds("Ames")


def test_fields_of_other_kinds_are_not_described() -> None:
    number = FieldSpec(name="price", kind=FieldKind.NUMBER)
    likeness = Likeness.of(number, ["49.90", "5"])
    assert likeness.longest == 0
    assert likeness.holds("anything at all")
    assert not likeness.holds(None)
