"""Record models for tests."""

from decimal import Decimal

from pydantic import BaseModel, Field, create_model

from schemas.product import Product as Shipped


class Item(BaseModel):
    """A small product."""

    url: str | None = None
    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})


class Linked(BaseModel):
    """What every record has an address of."""

    url: str
    title: str


class Stocked(BaseModel):
    """What an API says of a product."""

    sku: str
    title: str
    price: Decimal = Field(ge=0)


class Dated(BaseModel):
    """A product that says since when there is one."""

    title: str
    released: str | None = None


class Numbered(BaseModel):
    """A product that its page names by a number of the shop."""

    sku: str
    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})


class Ware(BaseModel):
    """A product with a maker, and with a former price while it is reduced."""

    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})
    list_price: Decimal | None = Field(None, json_schema_extra={"volatile": True})
    brand: str | None = None
    stock: int | None = Field(None, lt=10_000, json_schema_extra={"volatile": True})


#: The shop's product before somebody asked for ratings too.
Product = create_model(
    "Product",
    **{
        name: (field.annotation, field)
        for name, field in Shipped.model_fields.items()
        if name != "rating"
    },  # type: ignore[call-overload]
)


class Cheap(Shipped):
    """A product of the demo shop that is no treasure."""

    price: Decimal = Field(gt=0, le=300)


class Sold(BaseModel):
    """A product that is sold or not; nobody who says nothing of it has sold it, or has a review."""

    title: str
    sold: bool = Field(default=False, json_schema_extra={"volatile": True})
    reviews: int = Field(default=0, json_schema_extra={"volatile": True})
