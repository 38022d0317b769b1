"""A value is cut out of its text at a sign beside it."""

import pytest

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.cut_otherwise import (
    at_bracket,
    at_colon,
    behind_code,
    beside_code,
    cut_otherwise,
)


def without(prefix: str = "", suffix: str = "") -> tuple[Step, ...]:
    first = Step(op=Op.STRIP_PREFIX, args=(prefix,))
    last = Step(op=Op.STRIP_SUFFIX, args=(suffix,))
    return (*[first] * bool(prefix), *[last] * bool(suffix))


@pytest.mark.parametrize(
    ("text", "pipe", "other", "there"),
    [
        ("Umber Hall, York", without(suffix=", York"), "Oak Barn, Bath", "Oak Barn"),
        ("Umber Hall, York", without("Umber Hall, "), "Oak Barn, Bath", "Bath"),
        ("Oslo – Bergen", without("Oslo – "), "Rome – Milan", "Milan"),
        ("Oslo — Bergen", without("Oslo — "), "Rome — Milan", "Milan"),
        ("Reed: a play", without(suffix=": a play"), "Ox: an ode: two", "Ox"),
        ("Reed: a play", without("Reed: "), "Ox: an ode: two", "an ode: two"),
        ("Brook at High Mill", without("Brook at "), "Ouse at Ford", "Ford"),
        ("Brook at High Mill", without(suffix=" at High Mill"), "Ouse at Ford", "Ouse"),
        ("Ada Byron (Turin)", without(suffix=" (Turin)"), "Cleo (Rome)", "Cleo"),
    ],
)
def test_the_sign_beside_a_value_is_on_other_pages_too(
    text: str, pipe: tuple[Step, ...], other: str, there: str
) -> None:
    cuts = list(cut_otherwise(text, pipe))
    assert cuts and all(apply(cut, [text]) == apply(pipe, [text]) for cut in cuts)
    assert [there] in [apply(cut, [other]) for cut in cuts]


def test_what_stands_behind_a_sign_is_nothing_where_the_sign_is_missing() -> None:
    (cut,) = cut_otherwise("Umber Hall, York", without("Umber Hall, "))
    assert apply(cut, ["Online"]) == []


@pytest.mark.parametrize(
    ("text", "pipe"),
    [
        ("by Ada", without("by ")),
        ("Ox at Elm at Ash", without(suffix=" at Elm at Ash")),
        ("Ox A Elm", without("Ox A ")),
        ("Lamp of Harlow", without(suffix=" of Harlow")),
        ("Umber Hall, York", ()),
        ("Umber Hall, York", (Step(op=Op.FIRST),)),
    ],
)
def test_other_cuts_have_no_other_way(text: str, pipe: tuple[Step, ...]) -> None:
    assert list(cut_otherwise(text, pipe)) == []


def test_a_number_before_a_colon_is_the_page_s_own() -> None:
    (cut,) = at_colon("B-12: Weaving", "Weaving")
    assert apply(cut, ["C-7: Looms: an outline"]) == ["Looms: an outline"]
    (cut,) = at_colon("Weaving: 12 looms", "Weaving")
    assert apply(cut, ["Dyes: 3 vats"]) == ["Dyes"]
    assert list(at_colon("Craft: Weaving", "Weaving")) == [], "a label, cut as one"
    assert list(at_colon("B-12: Weaving", "B-1")) == []


def test_a_code_before_words_is_the_page_s_own() -> None:
    (cut,) = behind_code("4711-123 Braga", "Braga")
    assert apply(cut, ["1000-9 Vila Nova"]) == ["Vila Nova"]
    assert apply(cut, ["Faro"]) == []
    cuts = cut_otherwise(
        "4711-123 Braga", (Step(op=Op.STRIP_SUFFIX, args=(" Braga",)),)
    )
    assert ["1000-9"] in [apply(cut, ["1000-9 Vila Nova"]) for cut in cuts]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("12 Rose Lane 4", "Rose Lane 4"),  # another number behind
        ("Braga 4711", "4711"),
        ("5 stars", "stars"),  # a count, no code
        ("4711-123 Braga", "4711"),
    ],
)
def test_no_code_before_words(text: str, wanted: str) -> None:
    assert list(behind_code(text, wanted)) == []


def test_what_is_before_a_colon_is_a_label_but_for_a_text_with_a_key() -> None:
    text = "Harbour Talk: A quiet trade"
    label = (Step(op=Op.AFTER, args=("Harbour Talk:",)),)
    assert list(cut_otherwise(text, label)) == []
    assert list(cut_otherwise(text, label, has_key=True)) == [
        (Step(op=Op.AFTER, args=(": ",)),)
    ]


@pytest.mark.parametrize(
    ("text", "wanted", "other", "gives"),
    [
        ("9f3a77  kx-2.0.bin", "9f3a77", "b2c1  mx-10.1.bin", "b2c1"),
        ("kx-2.0.bin 9f3a77", "9f3a77", "mx-10.1.bin b2c1", "b2c1"),
    ],
)
def test_one_of_two_codes(text: str, wanted: str, other: str, gives: str) -> None:
    (cut,) = beside_code(text, wanted)
    assert apply(cut, [other]) == [gives]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("No. 9f3a77", "9f3a77"),  # behind a label, which all pages have
        ("9f3a77 x2 y3", "9f3a77"),
        ("9f3a77 kx-2", "kx"),
    ],
)
def test_no_one_of_two_codes(text: str, wanted: str) -> None:
    assert list(beside_code(text, wanted)) == []


@pytest.mark.parametrize(
    ("text", "wanted", "cuts"),
    [
        ("V (240 km/h)", "V", True),
        ("Oak Barn (12)", "Oak Barn", True),
        ("Oak Barn (Bath)", "Oak Barn", False),
        ("V (240 km/h) new", "V", False),
        ("V (240 km/h)", "240", False),
    ],
)
def test_a_bracket_with_a_number_ends_a_value(
    text: str, wanted: str, cuts: bool
) -> None:
    found = list(at_bracket(text, wanted))
    assert bool(found) is cuts
    other = "Y (300 km/h)"
    assert all(apply(cut, [other]) == ["Y"] for cut in found)
