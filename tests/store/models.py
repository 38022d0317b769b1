"""Record models for the store's tests."""

from datetime import date
from decimal import Decimal

from pydantic import BaseModel, Field


class Row(BaseModel):
    """A listing row without a url of its own."""

    title: str = Field(description="What it's called")
    price: Decimal | None = Field(None, json_schema_extra={"volatile": True})


class Link(BaseModel):
    """A listing row that names the page it leads to."""

    url: str
    title: str


class Offer(BaseModel):
    """Looks like a struct and like an entry of a map."""

    key: str
    value: Decimal


class Full(BaseModel):
    """One field of most kinds."""

    title: str
    price: Decimal
    tags: list[str] = []
    offers: list[Offer] = []
    specs: dict[str, str] = {}
    published: date | None = None
    order: int | None = None
