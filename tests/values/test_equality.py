from datetime import date, timedelta
from decimal import Decimal
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from crawloop_assets.record import to_values, validate
from crawloop_assets.schema import FieldKind, FieldSpec, Shape, schema_of
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.parse import parse


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


def test_choice_is_read_from_vocabulary_urls() -> None:
    field = spec(FieldKind.CHOICE, choices=("InStock", "OutOfStock"))
    assert parse("https://schema.org/InStock", field) == "InStock"
    assert same("in stock", "InStock", field)
    assert parse("maybe", field) is None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Price: 12.50 USD", FieldKind.NUMBER, "12.50"),
        ("none", FieldKind.NUMBER, None),
        ("4.5", FieldKind.INTEGER, None),
        ("A4 paper, 500 sheets", FieldKind.INTEGER, 500),
        ("1 Std. 20 Min.", FieldKind.MINUTES, 80),
        ("30-40 minutes", FieldKind.MINUTES, 40),
        ("12. März 2019", FieldKind.DATE, "2019-03-12"),
        ("yesterday", FieldKind.DATE, None),
        ("Tue 12th Mar 2019 at 4:30 pm", FieldKind.DATETIME, "2019-03-12T16:30:00"),
        ("../a?x=1", FieldKind.URL, "https://x.example/a?x=1"),
        ("javascript:alert(1)", FieldKind.URL, None),
        ("  a\n b&nbsp;c ", FieldKind.TEXT, "a b c"),
    ],
)
def test_parse(text: str, kind: FieldKind, value: object) -> None:
    assert parse(text, spec(kind), "https://x.example/b/c") == value


def test_ambiguous_dates_follow_the_declared_order() -> None:
    assert parse("03/04/2021", spec(FieldKind.DATE)) == "2021-03-04"
    assert parse("03/04/2021", spec(FieldKind.DATE, date_order="DMY")) == "2021-04-03"
    assert parse("25/04/2021", spec(FieldKind.DATE, date_order="MDY")) == "2021-04-25"


def test_a_list_field_parses_one_item() -> None:
    assert parse("flour", spec(shape=Shape.LIST)) == ["flour"]


@given(st.text())
def test_equality_is_reflexive_and_parsing_total(text: str) -> None:
    for kind in FieldKind:
        assert same(text, text, spec(kind))
        value = parse(text, spec(kind), "https://x.example/")
        assert value is None or same(value, value, spec(kind))


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_number_survives_both_ways_of_writing_it(number: Decimal) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert same(
        parse(f"${english}", spec(FieldKind.NUMBER)), number, spec(FieldKind.NUMBER)
    )
    assert same(
        parse(f"{german} €", spec(FieldKind.NUMBER)), number, spec(FieldKind.NUMBER)
    )


class Colour(Enum):
    RED = "red"


class Offer(BaseModel):
    seller: str
    price: Decimal


class Thing(BaseModel):
    title: str
    price: Decimal
    day: date | None = None
    cook: timedelta | None = None
    tags: set[str] = set()
    colour: Colour | None = None
    offers: list[Offer] = []


def test_a_record_survives_the_way_to_json_and_back() -> None:
    thing = Thing(
        title="A",
        price=Decimal("12.50"),
        day=date(2021, 3, 4),
        cook=timedelta(minutes=90),
        tags={"b", "a"},
        colour=Colour.RED,
        offers=[Offer(seller="x", price=Decimal("3"))],
    )
    values = to_values(thing, schema_of(Thing))
    assert values == {
        "title": "A",
        "price": "12.50",
        "day": "2021-03-04",
        "cook": 90,
        "tags": ["a", "b"],
        "colour": "red",
        "offers": [{"seller": "x", "price": "3"}],
    }
    assert validate(Thing, values) == thing


def test_an_example_is_read_as_its_kind_and_empty_fields_are_left_out() -> None:
    values = to_values(
        {"title": "A", "price": "1.299,00 €", "day": "", "other": 1}, schema_of(Thing)
    )
    assert values == {"title": "A", "price": "1299.00"}


def test_validation_is_pydantics() -> None:
    with pytest.raises(ValidationError):
        validate(Thing, {"title": "A"})
