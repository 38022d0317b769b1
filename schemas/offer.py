"""One row of a category page."""

from decimal import Decimal
from typing import ClassVar

from pydantic import BaseModel, Field, HttpUrl


class Offer(BaseModel):
    """What a listing says of a product: enough to follow its price without opening its
    page."""

    VOLATILE: ClassVar = {"price", "rating"}

    url: HttpUrl = Field(json_schema_extra={"aliases": ["link", "href"]})
    title: str = Field(
        min_length=3, json_schema_extra={"aliases": ["name", "product name"]}
    )
    price: Decimal = Field(
        gt=0, le=100_000, json_schema_extra={"aliases": ["current price", "amount"]}
    )
    rating: Decimal | None = Field(
        None, ge=0, le=5, json_schema_extra={"aliases": ["stars", "score"]}
    )
    image: HttpUrl | None = Field(
        None, json_schema_extra={"aliases": ["photo", "picture", "thumbnail"]}
    )
