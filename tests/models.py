"""Record models for tests."""

from decimal import Decimal

from pydantic import BaseModel, Field


class Item(BaseModel):
    """A small product."""

    url: str | None = None
    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})
