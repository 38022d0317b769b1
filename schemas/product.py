"""A product on its own page.

An example of a record schema: a pydantic model with hints for the compiler. The
description and `aliases` are the words a page may use for a field; they anchor it when
the layout changes. Fields named in `VOLATILE` change from day to day, so a new value
there is news, not drift. Bounds are checks: a record that breaks one is held back.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import BaseModel, Field, HttpUrl


class Availability(StrEnum):
    """Whether the product can be had now."""

    IN_STOCK = "in stock"
    OUT_OF_STOCK = "out of stock"
    PREORDER = "pre-order"


def _words(*aliases: str) -> dict[str, Any]:
    return {"aliases": list(aliases)}


class Product(BaseModel):
    """One product.

    `url` is filled with the address of the page when no reader fills it.
    """

    VOLATILE: ClassVar = {"price", "list_price", "availability", "rating", "reviews"}

    url: HttpUrl | None = None
    title: str = Field(
        min_length=3, max_length=200, json_schema_extra=_words("name", "product name")
    )
    brand: str = Field(json_schema_extra=_words("manufacturer", "maker"))
    sku: str = Field(
        pattern=r"^[A-Z]{2,6}-\d{3,8}$",
        json_schema_extra=_words("article number", "item no", "product code"),
    )
    price: Decimal = Field(
        gt=0,
        le=100_000,
        description="What it costs now, with tax",
        json_schema_extra=_words("current price", "amount"),
    )
    currency: str = Field(
        pattern=r"^[A-Z]{3}$",
        json_schema_extra=_words("price currency", "currency code"),
    )
    list_price: Decimal | None = Field(
        None,
        gt=0,
        le=100_000,
        json_schema_extra=_words("regular price", "was", "before", "old price"),
    )
    availability: Availability = Field(json_schema_extra=_words("stock", "delivery"))
    rating: Decimal | None = Field(
        None, ge=0, le=5, json_schema_extra=_words("rating value", "stars", "score")
    )
    reviews: int | None = Field(
        None, ge=0, json_schema_extra=_words("review count", "ratings", "opinions")
    )
    description: str = Field(
        min_length=20, json_schema_extra=_words("summary", "about")
    )
    image: HttpUrl | None = Field(None, json_schema_extra=_words("photo", "picture"))
