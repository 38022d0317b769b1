"""One product as the shop's JSON API gives it."""

from decimal import Decimal
from typing import ClassVar

from pydantic import BaseModel, Field


class ApiProduct(BaseModel):
    """Stock and price straight from the source.

    `stock` is in pieces.
    """

    VOLATILE: ClassVar = {"price", "stock"}

    sku: str = Field(
        pattern=r"^[A-Z]{2,6}-\d{3,8}$",
        json_schema_extra={"aliases": ["article number", "code"]},
    )
    name: str = Field(
        min_length=3, json_schema_extra={"aliases": ["title", "product title"]}
    )
    brand: str = Field(json_schema_extra={"aliases": ["manufacturer", "vendor"]})
    category: str = Field(json_schema_extra={"aliases": ["department", "product type"]})
    price: Decimal = Field(
        gt=0, le=100_000, json_schema_extra={"aliases": ["amount", "current"]}
    )
    currency: str = Field(
        pattern=r"^[A-Z]{3}$", json_schema_extra={"aliases": ["currency code"]}
    )
    stock: int = Field(
        ge=0, json_schema_extra={"aliases": ["quantity", "available", "inventory"]}
    )
    rating: Decimal | None = Field(
        None, ge=0, le=5, json_schema_extra={"aliases": ["score", "rating value"]}
    )
