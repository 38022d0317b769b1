"""Records between the user's model and typed JSON values."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

import pytest
from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from crawloop_assets.record import (
    RecordState,
    objection_to,
    to_values,
    validate,
    with_url,
    wrong_parts,
)
from crawloop_assets.schema import (
    FieldKind,
    FieldSpec,
    Notation,
    RecordSchema,
    Shape,
    noted,
    schema_of,
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


@pytest.mark.parametrize(
    "said",
    ["23/11/2026 17:17", datetime(2026, 11, 23, 17, 17), "2026-11-23T16:17:00Z"],
)
def test_a_moment_is_written_on_the_clocks_of_the_pages(said: object) -> None:
    class Talk(BaseModel):
        begins: datetime

    notation = Notation(dates="DMY", timezone="Europe/Madrid")
    known = to_values({"begins": said}, noted(schema_of(Talk), notation))
    assert known == {"begins": "2026-11-23T17:17:00+01:00"}


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


def test_lists_without_items_are_given_to_models_that_take_them() -> None:
    read = validate(Thing, {"title": "A", "price": "1"}, ["tags", "offers"])
    assert {"tags", "offers"} <= read.model_fields_set
    assert (read.tags, read.offers) == (set(), [])  # type: ignore[attr-defined]

    class Tagged(BaseModel):
        tags: list[str] | None = Field(None, min_length=1)

    assert validate(Tagged, {}, ["tags"]).model_fields_set == set()
    with pytest.raises(ValidationError, match="price"):
        validate(Thing, {"title": "A"}, ["tags"])


def test_an_example_is_read_as_its_kind_and_empty_fields_are_left_out() -> None:
    values = to_values(
        {"title": "A", "price": "1.299,00 €", "day": "", "other": 1}, schema_of(Thing)
    )
    assert values == {"title": "A", "price": "1299.00"}


def test_validation_is_pydantics() -> None:
    with pytest.raises(ValidationError):
        validate(Thing, {"title": "A"})


def read(value: object, kind: FieldKind, shape: Shape = Shape.ONE) -> object:
    """A value of an example as it is typed; None where it is left out."""
    spec = FieldSpec(name="f", kind=kind, shape=shape)
    return to_values({"f": value}, RecordSchema(name="r", fields=(spec,))).get("f")


@pytest.mark.parametrize(
    ("value", "kind", "typed"),
    [
        (timedelta(seconds=119), FieldKind.MINUTES, 1),
        (1.6, FieldKind.MINUTES, 2),
        ("1 h", FieldKind.MINUTES, 60),
        (datetime(2021, 3, 4, 5), FieldKind.DATE, "2021-03-04"),
        (date(2021, 3, 4), FieldKind.DATETIME, "2021-03-04"),
        (1614834000000, FieldKind.DATETIME, "2021-03-04T05:00:00+00:00"),
        ("1614834000", FieldKind.DATE, "2021-03-04"),
        (1614834000, FieldKind.INTEGER, 1614834000),
        (datetime(2021, 3, 4, 5), FieldKind.DATETIME, "2021-03-04T05:00:00"),
        (Decimal("1E+2"), FieldKind.NUMBER, "100"),
        (0.1, FieldKind.NUMBER, "0.1"),
        (7, FieldKind.NUMBER, "7"),
        (7.0, FieldKind.INTEGER, 7),
        (Decimal("7.9"), FieldKind.INTEGER, 7),
        (True, FieldKind.BOOLEAN, True),
        (False, FieldKind.BOOLEAN, False),
        (True, FieldKind.TEXT, True),
        ("yes", FieldKind.BOOLEAN, True),
        (5, FieldKind.TEXT, "5"),
        ("no date", FieldKind.DATE, "no date"),
        (Colour.RED, FieldKind.TEXT, "red"),
        (time(9), FieldKind.TEXT, "09:00"),
        (time(9, 30, 5), FieldKind.TEXT, "09:30:05"),
        ("no object", FieldKind.OBJECT, "no object"),
        ("", FieldKind.TEXT, None),
        (None, FieldKind.TEXT, None),
    ],
)
def test_python_values_are_typed_by_their_field(
    value: object, kind: FieldKind, typed: object
) -> None:
    result = read(value, kind)
    assert result == typed and type(result) is type(typed)


def test_items_are_typed_one_by_one_and_empty_ones_left_out() -> None:
    assert read(["1", "", 2], FieldKind.INTEGER, Shape.LIST) == [1, 2]
    assert read({"b", "a"}, FieldKind.TEXT, Shape.SET) == ["a", "b"]
    assert read(("b", "a"), FieldKind.TEXT, Shape.SET) == ["b", "a"]
    assert read("a", FieldKind.TEXT, Shape.LIST) == ["a"]
    assert read([], FieldKind.TEXT, Shape.LIST) is None


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(InvalidOperation):
        read(float("inf"), FieldKind.NUMBER)


def test_only_declared_minutes_become_durations() -> None:
    class Timed(BaseModel):
        cook: timedelta
        count: int

    assert validate(Timed, {"cook": 90, "count": 3}) == Timed(
        cook=timedelta(minutes=90), count=3
    )
    assert validate(Timed, {"cook": "PT5M", "count": 3}) == Timed(
        cook=timedelta(minutes=5), count=3
    )


def test_what_was_asked_for_but_is_no_field_of_the_model_is_left_out() -> None:
    schema = RecordSchema(name="r", fields=(FieldSpec(name="other"),))
    assert to_values(Offer(seller="x", price=Decimal(1)), schema) == {}


def test_the_states_are_those_that_are_stored() -> None:
    assert [state.value for state in RecordState] == [
        "new",
        "same",
        "changed",
        "removed",
    ]


def test_a_url_is_the_pages_own_where_the_schema_has_one() -> None:
    url = "http://shop.test/1"
    schema = RecordSchema(
        name="Tea", fields=(FieldSpec(name="title"), FieldSpec(name="url"))
    )
    assert with_url({"title": "Tea"}, schema, url) == {"title": "Tea", "url": url}
    assert with_url({"url": "/x"}, schema, url) == {"url": "/x"}
    bare = RecordSchema(name="Bare", fields=(FieldSpec(name="title"),))
    assert with_url({"title": "Tea"}, bare, url) == {"title": "Tea"}


class Priced(BaseModel):
    """A model of which values are refused for their kind, a bound, a rule of its own."""

    title: str
    price: Decimal = Field(gt=0)
    code: str | None = None

    @field_validator("code", mode="before")
    @classmethod
    def _cased(cls, code: str | None) -> str | None:
        if code == "none":
            raise ValueError("is a word")
        return code

    @model_validator(mode="after")
    def _whole(self) -> "Priced":
        raise ValueError("never whole")


class Shelf(BaseModel):
    """A model with a record inside."""

    best: Priced | None = None
    tags: list[str] = []


def test_a_model_names_the_part_of_a_record_that_it_objects_to() -> None:
    value: Any = {"title": "A", "price": "dear"}
    assert objection_to(Shelf, "best", value) == (
        "price: Input should be a valid decimal"
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("best", {"title": "A", "price": "3"}, ""),
        (
            "best",
            {"titel": "A", "cost": "3", "code": "B"},
            "'cost', 'titel': it is a record of title, price, code",
        ),
        ("best", "A", "'A': it is a record of title, price, code"),
        ("tags", ["A"], ""),
    ],
)
def test_what_is_no_part_of_a_record_is_said(name: str, value: Any, said: str) -> None:
    assert wrong_parts(schema_of(Shelf).field(name), value) == said


@pytest.mark.parametrize(
    ("name", "value", "objection"),
    [
        ("price", "12.50", ""),
        ("price", "dear", "Input should be a valid decimal"),
        ("price", "-3", "Input should be greater than 0"),
        ("code", "none", "Value error, is a word"),
        ("code", "A1", ""),
        ("title", "A", ""),
    ],
)
def test_a_model_objects_to_a_value_whatever_else_a_record_lacks(
    name: str, value: str, objection: str
) -> None:
    assert objection_to(Priced, name, value) == objection
