"""What the sites that are there to be crawled show."""

from decimal import Decimal

from pydantic import BaseModel, Field


class Book(BaseModel):
    """A book of books.toscrape.com."""

    title: str
    price: Decimal = Field(gt=0)


class Quote(BaseModel):
    """A quote of quotes.toscrape.com."""

    text: str
    author: str
    tags: list[str] = []
