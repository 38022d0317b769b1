import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.locate.similarity import resembles, value_likeness
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

TEXT = FieldSpec(name="f")
LIST = FieldSpec(name="f", shape=Shape.LIST)
SET = FieldSpec(name="f", shape=Shape.SET)
URL = FieldSpec(name="f", kind=FieldKind.URL)

LISTS = st.lists(st.sampled_from(["oak", "ash", "elm", "fir"]), max_size=6)


def test_likeness_is_the_share_of_items_that_are_the_same_in_order() -> None:
    assert value_likeness(["a", "b", "c", "d"], ["a", "b", "x", "d"], LIST) == 0.75
    assert value_likeness(["A.", "b"], ["a", "b", "c", "d"], LIST) == 0.5
    assert value_likeness(["b", "a"], ["a", "b"], LIST) == 0.5
    assert value_likeness("a", ["a"], LIST) == 0.0
    assert value_likeness(["a"], None, LIST) == 0.0
    assert value_likeness([], [], LIST) == 0.0


@given(LISTS, LISTS)
def test_likeness_is_one_for_equals_alone(left: list[str], right: list[str]) -> None:
    likeness = value_likeness(left, right, LIST)
    assert 0.0 <= likeness <= 1.0
    assert (likeness == 1.0) == (left == right != [])


@pytest.mark.parametrize(
    ("got", "wanted", "spec", "alike"),
    [
        ("Oak lamp", "The oak lamp, new", TEXT, True),
        ("The oak lamp, new", "Oak lamp", TEXT, True),
        ("Oak floor lamps", "Oak floor lights", TEXT, True),
        ("Oak floor lamp", "Brass wall light", TEXT, False),
        ("https://x.example/i/walnut-300.jpg", "https://c.example/b/walnut.jpg?w=9", URL, True),
        ("https://x.example/i/a/walnut.jpg", "https://x.example/i/a/maple.jpg", URL, False),
        ("https://x.example/i/walnut/5", "https://x.example/i/walnut/6", URL, True),
        ("https://x.example/i/walnut/a/b", "https://x.example/i/walnut/c/d", URL, False),
        ("https://x.example/i/a/1", "https://x.example/i/a/2", URL, False),
        ("https://x.example/i/a/oak5", "https://x.example/i/a/oak5", URL, False),
        (["oak", "ash"], ["oak", "fir"], SET, True),
        (["oak", "ash", "elm"], ["oak", "fir", "yew"], SET, False),
        (["oak wood"], ["oak"], SET, False),
        (["oak wood"], ["oak"], LIST, True),
        (["oak"], ["fine oak wood", "ash"], LIST, True),
        (["oak", "-"], ["fir", "ash"], LIST, False),
        (["-"], ["oak"], LIST, False),
        ("12", "12.0", FieldSpec(name="f", kind=FieldKind.NUMBER), False),
        ("2024-05-06", "2024-05-06", FieldSpec(name="f", kind=FieldKind.DATE), False),
    ],
)  # fmt: skip
def test_what_resembles_what(
    got: object, wanted: object, spec: FieldSpec, alike: bool
) -> None:
    assert resembles(got, wanted, spec) is alike


def test_long_texts_resemble_each_other_only_as_parts() -> None:
    text = "walnut " * 200
    changed = "maple" + text[5:]
    assert not resembles(text, changed, TEXT)
    assert resembles(text, text + "end", TEXT)
    short = "walnut " * 20
    assert resembles(short, "maple" + short[5:], TEXT)
