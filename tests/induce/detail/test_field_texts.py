import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.detail.field_texts import FieldTexts
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

BASE = "https://acme.example/"


def field(name: str, **spec: object) -> FieldTexts:
    whole = FieldSpec(**{"name": name, **spec})
    return FieldTexts(whole, words_of(whole))


AUTHOR = field("author", aliases=("by",))
STEPS = field("steps", shape=Shape.LIST)
TAGS = field("tags", shape=Shape.SET)
SUMMARY = field("description")
TIME = field("cook_time", kind=FieldKind.MINUTES)
COUNT = field("servings", kind=FieldKind.INTEGER)
CURRENCY = field("currency")


def test_a_label_before_a_text_is_no_part_of_it() -> None:
    assert AUTHOR.values(["By Jane Doe"], BASE) == ["Jane Doe"]
    assert AUTHOR.values(["Words: Jane Doe"], BASE) == ["Jane Doe"]
    assert AUTHOR.values(["Jane Doe"], BASE) == ["Jane Doe"]
    assert AUTHOR.values(["By"], BASE) == ["By"]


def test_running_numbers_are_no_part_of_items() -> None:
    bare = [["Chop.", "Stir."]]
    assert STEPS.values(["1. Chop.", "2. Stir."], BASE) == bare
    assert STEPS.values(["Step 1 Chop.", "Step 2 Stir."], BASE) == bare
    eggs = ["2 eggs", "1 onion"]
    assert STEPS.values(eggs, BASE) == [eggs]
    half = ["1 egg", "salt"]
    assert STEPS.values(half, BASE) == [half]


@pytest.mark.parametrize(
    ("of", "least", "longest"),
    [(AUTHOR, 1, 120), (SUMMARY, 40, 1500), (STEPS, 1, 1500), (TAGS, 1, 120)],
)
def test_values_are_as_long_as_the_field_has_them(
    of: FieldTexts, least: int, longest: int
) -> None:
    assert of.values(["a" * least], BASE)
    assert of.values(["a" * longest], BASE)
    assert not of.values(["a" * (least - 1)], BASE)
    assert not of.values(["a" * (longest + 1)], BASE)


def test_many_descriptions_may_be_short() -> None:
    many = field("description", shape=Shape.SET)
    assert many.values(["Short."], BASE)
    assert many.values(["a" * 1500], BASE)


def test_one_text_that_does_not_fit_is_enough_to_refuse() -> None:
    assert not STEPS.values(["Stir.", "a" * 1501], BASE)
    assert not AUTHOR.values([], BASE)


def test_a_duration_has_to_say_its_unit() -> None:
    assert TIME.values(["20 min"], BASE) == [20]
    assert TIME.values(["20"], BASE) == []


def test_a_text_that_ends_with_a_colon_is_a_label() -> None:
    assert AUTHOR.values(["Author:"], BASE) == []
    assert TAGS.values(["Soup", "Tags:"], BASE) == []
    assert STEPS.values(["For the soup:", "Stir."], BASE) != []


def test_tags_are_cut_at_commas() -> None:
    assert TAGS.values(["red, hot"], BASE) == [["red", "hot"]]
    counts = field("sizes", shape=Shape.SET, kind=FieldKind.INTEGER)
    assert counts.values(["12"], BASE) == [[12]]
    assert STEPS.values(["Chop, then stir."], BASE) == [["Chop, then stir."]]


def test_a_currency_is_the_sign_beside_a_price() -> None:
    assert CURRENCY.values(["from € 39.50"], BASE) == ["€"]
    assert CURRENCY.values(["39.50 zł"], BASE) == ["zł"]
    assert CURRENCY.values(["39.50"], BASE) == []


@pytest.mark.parametrize(
    ("value", "head", "agrees"),
    [
        ("Jane Doe", "jane doe", True),
        ("Jane Doe, 3 May", "Jane Doe", True),
        ("Jane Does", "Jane Doe", False),
        ("Jan, 3 May", "Jan", False),
        ("Jane, 3 May", "Jane", True),
        ("3 May, Jane Doe", "Jane Doe", False),
        ("Jane Doe", "Jane Doe, 3 May", False),
    ],
)
def test_a_text_agrees_with_what_it_begins_with(
    value: str, head: str, agrees: bool
) -> None:
    assert AUTHOR.agrees(value, head) is agrees


def test_what_is_no_text_agrees_with_its_equal_only() -> None:
    assert TIME.agrees(20, 20)
    assert not TIME.agrees(205, 20)
    assert STEPS.agrees(["Chop.", "Stir."], ["Chop", "Stir"])
    assert not STEPS.agrees(["Chop.", "Stir."], ["Chop."])


@given(st.text("abcdefgh ", min_size=4).filter(str.strip), st.text("., ", min_size=1))
def test_every_text_agrees_with_its_own_head(head: str, behind: str) -> None:
    assert AUTHOR.agrees(head + behind + "x", head)


@pytest.mark.parametrize(
    ("of", "value", "telling"),
    [
        (AUTHOR, "Jane", True),
        (AUTHOR, "Jan", False),
        (AUTHOR, "Jane Doe | 3 May", False),
        (AUTHOR, "Jane Doe (London)", False),
        (SUMMARY, "3 May: soup", True),
        (COUNT, 0, False),
        (COUNT, 1, True),
        (TIME, 0, False),
        (CURRENCY, "€", True),
        (STEPS, ["a"], True),
        (field("made", kind=FieldKind.DATE), "2021-05-03", True),
    ],
)
def test_a_name_alone_makes_some_values_believable(
    of: FieldTexts, value: Value, telling: bool
) -> None:
    assert of.is_telling(value) is telling
