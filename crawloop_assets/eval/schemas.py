"""The record models of the benchmark.

Aliases are general vocabulary: nothing here knows a site. Only what names a record is
required, so that a field the compiler cannot reach costs that field and not the
program; `CORE` says which fields make a page useless when they are wrong.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Literal

from pydantic import AnyUrl, BaseModel, Field, create_model

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.pack import PackFamily


def _words(*aliases: str, **extra: Any) -> Any:
    """A field that need not be there, with words it is called by on any site."""
    return Field(default=None, json_schema_extra={"aliases": list(aliases), **extra})


def _minutes(*aliases: str) -> Any:
    """A field of whole minutes, with words it is called by."""
    return _words(*aliases, unit="minutes")


class Recipe(BaseModel):
    title: str = Field(json_schema_extra={"aliases": ["name", "headline"]})
    ingredients: list[str] | None = _words("ingredient", "recipe ingredient")
    instructions: list[str] | None = _words(
        "steps", "directions", "method", "preparation"
    )
    author: str | None = _words("by", "creator", "chef")
    description: str | None = _words("summary", "intro")
    image: AnyUrl | None = _words("photo", "picture")
    yields: Decimal | None = _words("yield", "servings", "serves", "portions", "makes")
    total_time: int | None = _minutes("total", "duration", "ready in")
    prep_time: int | None = _minutes("prep", "preparation time")
    cook_time: int | None = _minutes("cook", "cooking time", "baking time")
    ratings: Decimal | None = _words("rating", "rating value", "stars", "score")
    category: set[str] | None = _words("course", "recipe category", "meal type")
    cuisine: set[str] | None = _words("recipe cuisine", "kitchen")
    keywords: set[str] | None = _words("tags", "keyword")


class Article(BaseModel):
    title: str = Field(json_schema_extra={"aliases": ["headline", "name"]})
    date_published: dt.date | None = _words(
        "date", "published", "published time", "posted", "publication date"
    )
    author: str | None = _words("by", "byline", "writer")
    authors: list[str] | None = _words("author", "by", "byline", "writers")
    lead_image_url: AnyUrl | None = _words("image", "lead image", "photo", "thumbnail")
    dek: str | None = _words(
        "description", "subtitle", "summary", "standfirst", "excerpt"
    )
    summary: list[str] | None = _words(
        "description", "lead", "subtitle", "standfirst", "abstract"
    )
    paragraphs: list[str] | None = _words("body", "text", "article body", "content")
    topics: set[str] | None = _words("tags", "keywords", "subjects", "sections")


class Product(BaseModel):
    price: Decimal | None = Field(
        default=None, json_schema_extra={"aliases": ["offer", "amount", "sale price"]}
    )
    currency: str | None = _words("price currency")
    availability: Literal["InStock", "OutOfStock"] | None = _words(
        "stock", "available", "in stock"
    )
    brand: str | None = _words("manufacturer", "maker")
    sku: str | None = _words(
        "product id", "item number", "article number", "product code"
    )
    mpn: str | None = _words(
        "model", "model number", "part number", "manufacturer number"
    )
    gtin: str | None = _words("ean", "upc", "barcode", "gtin13")


class Opinion(BaseModel):
    name: str | None = _words("case name", "title", "case", "caption", "style")
    date: dt.date | None = _words(
        "filed", "date filed", "issued", "decided", "released"
    )
    url: AnyUrl | None = _words("link", "opinion", "pdf", "document")
    docket_number: str | None = _words("docket", "case number", "number", "no")
    judges: str | None = _words("judge", "justice", "author", "authored by")
    dispositions: str | None = _words("disposition", "result", "ruling", "outcome")


class Meeting(BaseModel):
    title: str | None = _words("name", "meeting", "event", "subject")
    start: dt.datetime | None = _words("date", "time", "when", "starts", "start date")
    end: dt.datetime | None = _words("ends", "until", "end date", "end time")
    description: str | None = _words("details", "notes", "summary")
    source: AnyUrl | None = _words("link", "url")


class Quote(BaseModel):
    text: str = Field(json_schema_extra={"aliases": ["quote", "body"]})
    author: str = Field(json_schema_extra={"aliases": ["by", "name"]})
    tags: list[str] | None = _words("keywords", "topics")


class Author(BaseModel):
    name: str = Field(json_schema_extra={"aliases": ["title", "author"]})
    born_at: str | None = _words("born", "born date", "birth date")
    born_in: str | None = _words("born", "born location", "birth place")
    description: str | None = _words("biography", "bio", "about")


class Document(BaseModel):
    lines: list[str] = Field(json_schema_extra={"aliases": ["text", "body", "content"]})


SCHEMAS: Mapping[str, tuple[type[BaseModel], ...]] = {
    "Recipe": (Recipe,),
    "Article": (Article,),
    "Product": (Product,),
    "Opinion": (Opinion,),
    "Meeting": (Meeting,),
    "Quote": (Quote, Author),
    "Document": (Document,),
}
#: The fields whose loss is drift, by model.
CORE: Mapping[str, frozenset[str]] = {
    "Recipe": frozenset({"title", "ingredients", "instructions"}),
    "Article": frozenset({"title"}),
    "Product": frozenset({"price"}),
    "Opinion": frozenset({"name", "date", "url"}),
    "Meeting": frozenset({"title", "start"}),
    "Quote": frozenset({"text", "author"}),
    "Author": frozenset({"name"}),
    "Document": frozenset({"lines"}),
}
#: Schemas whose gold names only some of the records a page holds: a count cannot be judged.
PARTIAL = frozenset({"Meeting"})
#: A page of these holds one record, whatever its family's kind says.
SINGLE = frozenset({"Author"})


def model_for(family: PackFamily, fields: Collection[str]) -> type[BaseModel]:
    """The model of a family's schema that has most of these fields, or one made of the
    fields it brings itself, none of which is required.

    Raises ConfigError for an unknown schema.
    """
    if family.fields:
        own: dict[str, Any] = {
            name: (held.type | None, None) for name, held in family.fields.items()
        }
        return create_model(family.schema_name, **own)
    models = SCHEMAS.get(family.schema_name)
    if not models:
        raise ConfigError(
            f"the benchmark has no model for schema {family.schema_name!r}",
            hint=f"it knows {', '.join(SCHEMAS)}; of any other a family names its `fields`",
        )
    return max(
        models, key=lambda model: sum(map(model.model_fields.__contains__, fields))
    )


def core_of(family: PackFamily, model: str) -> frozenset[str]:
    """The fields of a model whose loss is drift: of a family that brings its own fields,
    all of them."""
    return CORE.get(model, frozenset(family.fields))
