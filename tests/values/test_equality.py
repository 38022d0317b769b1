"""Typed equality: what means the same has one form, what does not has two."""

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values import equality
from crawloop_assets.values.equality import (
    both_forms,
    canonical,
    decimal_form,
    same,
)
from crawloop_assets.values.parse import parse_value


def spec(
    kind: FieldKind = FieldKind.TEXT, shape: Shape = Shape.ONE, **more: object
) -> FieldSpec:
    return FieldSpec(name="f", kind=kind, shape=shape, **more)


EQUAL = [
    (FieldKind.TEXT, "Tom &amp; Jerry", "tom & jerry"),
    (FieldKind.TEXT, "<b>1</b>st  place", "1st place"),
    (FieldKind.TEXT, "1½ cups", "1 1/2 cups"),
    (FieldKind.NUMBER, "1.299,00 €", 1299.00),
    (FieldKind.NUMBER, "1 299,00 kr", 1299.00),
    (FieldKind.NUMBER, "CHF 1’234.50", 1234.50),
    (FieldKind.NUMBER, "$1,299", "1299"),
    (FieldKind.NUMBER, "1.5ESE", 1.5),
    (FieldKind.NUMBER, "-5", Decimal("-5.0")),
    (FieldKind.NUMBER, 0.1 + 0.2, "0.3"),
    (FieldKind.INTEGER, "1,204 reviews", 1204),
    (FieldKind.MINUTES, "PT1H30M", "1 hr 30 mins"),
    (FieldKind.MINUTES, "1h30", 90),
    (FieldKind.MINUTES, "prep 10 min, cook 20 min", 10),  # two durations, not their sum
    (FieldKind.MINUTES, timedelta(minutes=5), "5 Minuten"),
    (FieldKind.DATE, "March 3, 2021", "3 mars 2021"),
    (FieldKind.DATE, "2021-03-03T23:00:00Z", date(2021, 3, 3)),
    (FieldKind.DATETIME, "2021-03-03T10:00:00+02:00", "2021-03-03T08:00:00Z"),
    (FieldKind.URL, "http://www.shop.example/a/", "https://shop.example/a"),
    (
        FieldKind.URL,
        "https://x.example/a?b=1&a=2&utm_source=z#top",
        "https://x.example/a?a=2&b=1",
    ),
    (FieldKind.URL, "https://x.example/a.jpg?w=300", "https://x.example/a.jpg"),
    (FieldKind.BOOLEAN, "https://schema.org/InStock", True),
]
DIFFERENT = [
    (FieldKind.TEXT, "Apollo 13", "Ocean's 13"),
    (FieldKind.TEXT, "$5", "£5"),
    (FieldKind.TEXT, "1.5 kg", "15 kg"),
    (FieldKind.TEXT, "3-4", "34"),
    (FieldKind.TEXT, "C++", "C"),
    (FieldKind.TEXT, "-5", "5"),
    (FieldKind.NUMBER, "1.299,00 €", 1.299),
    (FieldKind.NUMBER, "12.5", "12.05"),
    (FieldKind.NUMBER, "1.299", "1299"),  # stored values are plain decimals
    (FieldKind.URL, "https://x.example/1/a", "https://x.example/1/b"),
    (FieldKind.URL, "https://x.example/p?id=1", "https://x.example/p?id=2"),
    (
        FieldKind.URL,
        "https://x.example/a-300x200.jpg",
        "https://x.example/a.jpg",
    ),  # two files, whoever cut the one
    (FieldKind.DATE, "2021-03-04", "2021-04-03"),
    (FieldKind.MINUTES, "1 hour", "1 minute"),
]


@pytest.mark.parametrize(("kind", "a", "b"), EQUAL)
def test_equal_pairs(kind: FieldKind, a: object, b: object) -> None:
    assert same(a, b, spec(kind))


@pytest.mark.parametrize(("kind", "a", "b"), DIFFERENT)
def test_different_pairs(kind: FieldKind, a: object, b: object) -> None:
    assert not same(a, b, spec(kind))


def test_lists_keep_order_and_sets_do_not() -> None:
    assert not same(["a", "b"], ["b", "a"], spec(shape=Shape.LIST))
    assert same(["a", "b"], ["b", "a", "A"], spec(shape=Shape.SET))
    assert canonical([], spec(shape=Shape.LIST)) is None
    assert canonical(["b", "a", ""], spec(shape=Shape.LIST)) == ("b", "a")
    assert canonical({"b", "a"}, spec(shape=Shape.SET)) == ("a", "b")


def test_one_item_counts_as_it_does_in_a_list() -> None:
    assert same(["a"], "a", spec())
    assert not same(["a", "b"], "a", spec())
    assert same("a", ["a"], spec(shape=Shape.LIST))
    assert canonical(None, spec(shape=Shape.LIST)) is None


def test_nothing_equals_only_nothing() -> None:
    for kind in FieldKind:
        assert canonical(None, spec(kind)) is None
        assert canonical("", spec(kind)) is None
        assert not same(None, "1", spec(kind))


def test_punctuation_counts_where_there_is_nothing_else() -> None:
    assert same("…", "…", spec())
    assert not same("…", "!", spec())


def test_a_choice_is_named_in_many_ways() -> None:
    field = spec(FieldKind.CHOICE, choices=("InStock", "OutOfStock"))
    assert same("in stock", "https://schema.org/InStock", field)
    assert not same("in stock", "out of stock", field)
    assert same("perhaps", "Perhaps!", field)


def test_an_enum_counts_by_its_value() -> None:
    class Colour(Enum):
        RED = "red"

    assert same(Colour.RED, "Red", spec())


PARTS = (
    FieldSpec(name="name"),
    FieldSpec(name="price", kind=FieldKind.NUMBER),
)


def test_objects_are_equal_part_by_part() -> None:
    field = spec(FieldKind.OBJECT, fields=PARTS)
    assert same({"price": "5.00", "name": "A"}, {"name": "a", "price": 5}, field)
    assert not same({"name": "a", "price": 5}, {"name": "a", "price": 6}, field)
    assert same({"name": "a", "other": 1}, {"name": "a", "price": ""}, field)
    assert canonical({"other": 1}, field) is None
    assert canonical("not an object", field) == "notanobject"


def test_a_number_has_six_places_however_long_it_is() -> None:
    assert decimal_form("1.2345678") == "1.234568"
    assert decimal_form(Decimal("1.500")) == "1.5"
    assert decimal_form(1e3) == "1000"
    assert decimal_form("9" * 60) == "9" * 60


def test_typed_values_keep_their_meaning() -> None:
    assert canonical(timedelta(seconds=119), spec(FieldKind.MINUTES)) == 1
    assert canonical(1.6, spec(FieldKind.MINUTES)) == 2
    assert canonical(datetime(2021, 3, 4, 5), spec(FieldKind.DATE)) == "2021-03-04"
    assert canonical(date(2021, 3, 4), spec(FieldKind.DATE)) == "2021-03-04"
    assert canonical(True, spec(FieldKind.BOOLEAN)) is True
    assert canonical("no", spec(FieldKind.BOOLEAN)) is False


def test_a_moment_counts_in_utc_to_the_second() -> None:
    field = spec(FieldKind.DATETIME)
    east = timezone(timedelta(hours=2))
    moment = datetime(2021, 3, 4, 1, 2, 3, 456, tzinfo=east)
    assert canonical(moment, field) == "2021-03-03T23:02:03+00:00"
    assert canonical(datetime(2021, 3, 4, 1), field) == "2021-03-04T01:00:00+00:00"
    assert canonical(date(2021, 3, 4), field) == "2021-03-04T00:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("https://x.example:443/a/", "x.example/a"),
        ("https://x.example:8443/a", "x.example:8443/a"),
        ("https://x.example/a%20b", "x.example/a b"),
        ("https://x.example/a?fbclid=F1&b=2&GCLID=x", "x.example/a?b=2"),
        ("https://x.example/a?utm_medium=m&empty=", "x.example/a?empty="),
        ("https://x.example/a.png?W=3&v=2", "x.example/a.png?v=2"),
        ("https://x.example/a?w=3", "x.example/a?w=3"),
    ],
)
def test_the_form_of_a_url(text: str, form: str) -> None:
    assert canonical(text, spec(FieldKind.URL)) == form


def test_a_broken_url_is_compared_as_text() -> None:
    assert same("http://[oops", "http://[oops", spec(FieldKind.URL))
    assert not same("http://[oops", "http://[ouch", spec(FieldKind.URL))


def test_what_is_no_value_of_its_kind_counts_as_text() -> None:
    assert same("sold out", "Sold out!", spec(FieldKind.NUMBER))
    assert not same("sold out", "0", spec(FieldKind.NUMBER))
    assert canonical("?", spec(FieldKind.DATE)) is None


@given(st.text())
def test_equality_is_reflexive(text: str) -> None:
    for kind in FieldKind:
        assert same(text, text, spec(kind))
        assert canonical(text, spec(kind)) == canonical([text], spec(kind))


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_number_survives_both_ways_of_writing_it(number: Decimal) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for text in (f"${english}", f"{german} €"):
        value = parse_value(text, spec(FieldKind.NUMBER))
        assert same(value, number, spec(FieldKind.NUMBER))


@pytest.mark.parametrize("kind", [FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.DATE])
def test_a_number_as_long_as_a_page_is_compared_as_text(kind: FieldKind) -> None:
    spec, long = FieldSpec(name="x", kind=kind), "1" * 10_000
    assert same(long, long, spec)
    assert not same(long, "2" + long, spec)


_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.lists(st.one_of(st.booleans(), st.integers(0, 1), st.text()), max_size=3),
)


@example(1, True, FieldKind.TEXT)
@example([0], [False], FieldKind.TEXT)
@given(_VALUES, _VALUES, st.sampled_from((FieldKind.TEXT, FieldKind.BOOLEAN)))
def test_the_forms_of_two_values_are_those_of_each(
    before: object, after: object, kind: FieldKind
) -> None:
    """Also of 1 and true, which are equal to Python."""
    for shape in (Shape.ONE, Shape.LIST):
        one = spec(kind, shape)
        for now in (after, before):
            forms = canonical(before, one), canonical(now, one)
            assert repr(both_forms(before, now, one)) == repr(forms)


def test_what_is_as_it_was_is_brought_into_form_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []

    def counting(value: object, _: FieldSpec) -> str:
        asked.append(value)
        return str(value)

    monkeypatch.setattr(equality, "canonical", counting)
    price = Decimal(5)
    for before, after in (("Oak", "".join("Oak")), (price, price), ("Oak", "Elm")):
        assert both_forms(before, after, spec()) == (str(before), str(after))
    assert asked == ["Oak", price, "Oak", "Elm"]


def test_a_time_of_day_is_the_same_with_seconds_that_are_none() -> None:
    opens = FieldSpec(name="opens")
    assert same("09:00", "09:00:00", opens)
    assert not same("09:00", "09:00:30", opens)
    assert not same("09:00:00:00", "09:00:00", opens)
