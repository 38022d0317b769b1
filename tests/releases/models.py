"""The record model of the projects that released versions left behind.

Never changed.
"""

from decimal import Decimal

from pydantic import BaseModel, Field


class Lamp(BaseModel):
    """A lamp of a small shop."""

    url: str | None = None
    title: str = Field(description="What it is called.")
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})
    colours: list[str] = []
