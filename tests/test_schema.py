"""A record schema as data, made from a pydantic model."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, Optional

import pytest
from pydantic import AnyUrl, BaseModel, Field, HttpUrl, ValidationError

from crawloop_assets.schema import (
    FieldKind,
    FieldSpec,
    Notation,
    RecordSchema,
    Shape,
    notation_of,
    noted,
    schema_of,
)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    name: str
    inside: "Part | None" = None
    thing: "Thing | None" = None


class Thing(BaseModel):
    parts: list[Part] = []


Part.model_rebuild()


def spec_of(annotation: Any, default: Any = ..., **extra: Any) -> FieldSpec:
    """The spec of a field that is declared so."""
    info = Field(default, json_schema_extra=extra) if extra else Field(default)
    body = {"__annotations__": {"f": annotation}, "f": info}
    return schema_of(type("Model", (BaseModel,), body)).field("f")


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (str, FieldKind.TEXT),
        (Any, FieldKind.TEXT),
        (dict, FieldKind.TEXT),
        (bool, FieldKind.BOOLEAN),
        (int, FieldKind.INTEGER),
        (float, FieldKind.NUMBER),
        (Decimal, FieldKind.NUMBER),
        (datetime, FieldKind.DATETIME),
        (date, FieldKind.DATE),
        (timedelta, FieldKind.MINUTES),
        (AnyUrl, FieldKind.URL),
        (HttpUrl, FieldKind.URL),
        (Colour, FieldKind.CHOICE),
        (Literal["a", "b"], FieldKind.CHOICE),
        (Part, FieldKind.OBJECT),
        (int | None, FieldKind.INTEGER),
        (Optional[int], FieldKind.INTEGER),  # noqa: UP045 - people write both
        (Annotated[int, "note"], FieldKind.INTEGER),
        (Annotated[int | None, "note"], FieldKind.INTEGER),
        (int | str, FieldKind.TEXT),
    ],
)
def test_annotations_are_kinds(annotation: Any, kind: FieldKind) -> None:
    spec = spec_of(annotation)
    assert (spec.kind, spec.shape) == (kind, Shape.ONE)


@pytest.mark.parametrize(
    ("annotation", "shape", "kind"),
    [
        (list[int], Shape.LIST, FieldKind.INTEGER),
        (tuple[int, ...], Shape.LIST, FieldKind.INTEGER),
        (set[date], Shape.SET, FieldKind.DATE),
        (frozenset[str], Shape.SET, FieldKind.TEXT),
        (list, Shape.LIST, FieldKind.TEXT),
        (list[int] | None, Shape.LIST, FieldKind.INTEGER),
        (list[int | None], Shape.LIST, FieldKind.INTEGER),
        (list[Part], Shape.LIST, FieldKind.OBJECT),
    ],
)
def test_collections_are_shapes(annotation: Any, shape: Shape, kind: FieldKind) -> None:
    spec = spec_of(annotation)
    assert (spec.shape, spec.kind) == (shape, kind)


def test_a_field_is_required_unless_it_may_be_missing() -> None:
    assert spec_of(str).required
    assert not spec_of(str, "").required
    assert not spec_of(str | None).required


def test_what_a_field_says_of_itself_is_kept() -> None:
    spec = spec_of(int, unit="minutes", aliases=["a", 1], volatile=True)
    assert spec.kind is FieldKind.MINUTES
    assert spec.aliases == ("a", "1")
    assert spec.volatile
    assert spec_of(int, aliases="abc").aliases == ()
    assert spec_of(int, unit="hours").kind is FieldKind.INTEGER
    assert not spec_of(int).volatile


def test_a_model_may_name_what_changes_often() -> None:
    class Offer(BaseModel):
        VOLATILE: ClassVar[set[str]] = {"price"}
        price: Decimal = Field(description="What it costs")
        name: str

    schema = schema_of(Offer)
    assert schema.name == "Offer"
    assert [(spec.name, spec.volatile) for spec in schema.fields] == [
        ("price", True),
        ("name", False),
    ]
    assert schema.field("price").description == "What it costs"
    with pytest.raises(KeyError):
        schema.field("other")


def test_choices_are_texts() -> None:
    assert spec_of(Colour).choices == ("red", "blue")
    assert spec_of(Literal["a", 1]).choices == ("a", "1")
    assert spec_of(set[Colour]).choices == ("red", "blue")
    assert spec_of(str).choices == ()


def test_the_order_of_dates_is_told_to_dates_only() -> None:
    class Dated(BaseModel):
        day: date
        moment: datetime | None = None
        name: str

    schema = schema_of(Dated, "DMY")
    orders = [spec.date_order for spec in schema.fields]
    assert orders == ["DMY", "DMY", None]
    assert schema_of(Dated).field("day").date_order is None


def test_a_model_that_holds_itself_is_described_once() -> None:
    (parts,) = schema_of(Thing).fields
    name, inside, thing = parts.fields
    assert (name.kind, name.fields) == (FieldKind.TEXT, ())
    assert (inside.kind, inside.fields) == (FieldKind.OBJECT, ())
    assert (thing.kind, thing.fields) == (FieldKind.OBJECT, ())


def test_a_schema_is_data_that_travels() -> None:
    schema = schema_of(Thing)
    assert RecordSchema.model_validate_json(schema.model_dump_json()) == schema
    with pytest.raises(ValidationError):
        schema.name = "other"  # type: ignore[misc]


def test_a_notation_is_told_to_the_fields_it_concerns() -> None:
    class Sold(BaseModel):
        day: date
        price: Decimal
        name: str
        shipped: datetime

    class Shop(BaseModel):
        sold: list[Sold]
        count: int

    zone = "Europe/Zagreb"
    notation = Notation(language="hr", decimal=",", dates="DMY", timezone=zone)
    schema = noted(schema_of(Shop), notation)
    day, price, name, shipped = schema.field("sold").fields
    assert (day.language, day.date_order, day.decimal) == ("hr", "DMY", "")
    assert (price.decimal, price.language, price.date_order) == (",", "", None)
    assert (shipped.timezone, shipped.date_order, day.timezone) == (zone, "DMY", "")
    assert name == schema_of(Sold).field("name")
    assert schema.field("count").decimal == ","
    assert notation_of(schema.fields) == notation
    assert noted(schema, Notation(decimal=".", dates="MDY")) == schema
    assert noted(schema_of(Shop), Notation()) == schema_of(Shop)
    assert str(notation) == (
        "language 'hr', decimal ',', dates 'DMY', timezone 'Europe/Zagreb'"
    )


def test_what_has_a_part_that_moves_moves() -> None:
    class Offer(BaseModel):
        VOLATILE: ClassVar[set[str]] = {"price"}

        seller: str
        price: Decimal

    class Ware(BaseModel):
        name: str
        best: Offer
        others: list[Offer] = []

    fields = schema_of(Ware).fields
    assert [one.volatile for one in fields] == [False, True, True]


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": "Croatian"},
        {"decimal": ";"},
        {"dates": "DM"},
        {"point": 1},
        {"timezone": "CEST"},
    ],
)
def test_what_is_no_notation_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Notation.model_validate(wrong)
