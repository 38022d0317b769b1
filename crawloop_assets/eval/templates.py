"""Page templates: known records, shown as eight other sites might show them.

Written before anything was fitted to them. A page of each has what a person needs to
read the record, and around it what pages have: a head, a footer, and a line about other
records, which is nobody's value.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from html import escape
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value, as_list

_HEADINGS = ("title", "name", "headline", "model", "text")
_PICTURES = ("image", "photo", "picture")
_GERMAN = {
    "address": "Anschrift",
    "author": "Verfasst von",
    "authors": "Verfasst von",
    "availability": "Verfügbarkeit",
    "brand": "Marke",
    "category": "Kategorie",
    "company": "Firma",
    "cook_time": "Kochzeit",
    "cuisine": "Küche",
    "date": "Datum",
    "date_posted": "Veröffentlicht am",
    "date_published": "Veröffentlicht am",
    "dek": "Kurz gesagt",
    "description": "Beschreibung",
    "director": "Regie",
    "docket_number": "Aktenzeichen",
    "end": "Ende",
    "engine": "Motor",
    "genre": "Genre",
    "gtin": "Strichcode",
    "ingredients": "Zutaten",
    "instructions": "Zubereitung",
    "isbn_13": "ISBN",
    "judges": "Gericht",
    "keywords": "Stichwörter",
    "location": "Ort",
    "manufacturer": "Hersteller",
    "paragraphs": "Text",
    "phone": "Telefon",
    "prep_time": "Vorbereitung",
    "price": "Preis",
    "publication_date": "Erschienen am",
    "publisher": "Verlag",
    "ratings": "Bewertung",
    "sku": "Artikelnummer",
    "start": "Beginn",
    "summary": "Zusammenfassung",
    "topics": "Themen",
    "total_time": "Gesamtzeit",
    "type": "Art",
    "website": "Netzseite",
    "yields": "Portionen",
}
"""What fields are called on a German page; those that are not here have no label."""


class Template(StrEnum):
    """How a page shows a record."""

    TABLE = "table"
    DEFINITIONS = "definitions"
    CARDS = "cards"
    NESTED = "nested"
    HASHED = "hashed"
    TRANSLATED = "translated"
    ISLAND = "island"
    MOBILE = "mobile"

    @property
    def is_shown(self) -> bool:
        """Whether values stand in the markup."""
        return self is not Template.ISLAND


def templated_id(page: str, template: Template) -> str:
    """What a capture is called when a template shows its record."""
    return f"{page}@{template.value}"


def template_of(page: str) -> tuple[str, Template | None]:
    """The capture of a page, and the template that shows its record, if one does."""
    capture, _, name = page.partition("@")
    return capture, Template(name) if name else None


class _Shown(NamedTuple):
    """A field of a record as people read it: its label, its texts, and whether it heads
    the page."""

    spec: FieldSpec
    label: str
    texts: tuple[str, ...]
    heads: bool


def templated(
    template: Template, schema: RecordSchema, record: Mapping[str, Value]
) -> bytes:
    """A page that shows a record."""
    fields = list(_shown(schema, record))
    title = next((one.texts[0] for one in fields if one.heads), schema.name)
    body = _BODIES[template](fields)
    other = "Others looked at this, too: see the whole list"
    page = (
        f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{escape(title)} - All of it</title></head>"
        f"<body><header><a href='/'>Start</a> <a href='/all'>Everything</a></header>{body}"
        f"<aside><a href='/all'>{other}</a></aside><footer><p>All rights reserved.</p></footer></body></html>"
    )
    return page.encode()


def _shown(schema: RecordSchema, record: Mapping[str, Value]) -> Iterator[_Shown]:
    """The fields that a record has, in the order of the schema."""
    filled = [spec for spec in schema.fields if record.get(spec.name)]
    names = list(map(attrgetter("name"), filled))
    heads = next(filter(names.__contains__, _HEADINGS), "")
    for spec in filled:
        texts = tuple(map(partial(_text, spec), as_list(record[spec.name])))
        label = spec.name.replace("_", " ").capitalize()
        yield _Shown(spec, label, texts, spec.name == heads)


def _text(spec: FieldSpec, value: Value) -> str:
    """A value as people write it."""
    text = str(value)
    if spec.kind is FieldKind.MINUTES:
        return f"{text} min"
    if spec.kind is FieldKind.DATE:
        return f"{date.fromisoformat(text):%B %d, %Y}"
    if spec.kind is FieldKind.DATETIME:
        return f"{datetime.fromisoformat(text):%B %d, %Y %H:%M}"
    return text


# -- values as elements ----------------------------------------------------------------


def _element(one: _Shown, tag: str, attributes: str = "", item: str = "li") -> str:
    """The value in an element; several in a list, an address as what it leads to."""
    if one.spec.kind is FieldKind.URL:
        inner = "".join(map(partial(_link, one.spec.name), one.texts))
    elif len(one.texts) > 1:
        inner = "".join(f"<{item}>{escape(text)}</{item}>" for text in one.texts)
        inner = f"<ul>{inner}</ul>" if item == "li" else inner
    else:
        inner = escape(one.texts[0])
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _link(name: str, address: str) -> str:
    """A picture, or a link."""
    if any(word in name for word in _PICTURES):
        return f"<img src='{escape(address)}' alt=''>"
    return f"<a href='{escape(address)}'>Open it</a>"


def _heading(fields: Sequence[_Shown], tag: str, attributes: str = "") -> str:
    """What heads the page."""
    return "".join(_element(one, tag, attributes) for one in fields if one.heads)


def _rest(fields: Sequence[_Shown], write: Callable[[_Shown], str]) -> str:
    """All other fields."""
    return "".join(write(one) for one in fields if not one.heads)


# -- the templates ---------------------------------------------------------------------


def _table(fields: Sequence[_Shown]) -> str:
    """A row of a table for each field, its name before it."""

    def row(one: _Shown) -> str:
        return f"<tr><th>{one.label}</th>{_element(one, 'td')}</tr>"

    return f"{_heading(fields, 'h1')}<table class='facts'>{_rest(fields, row)}</table>"


def _definitions(fields: Sequence[_Shown]) -> str:
    """A list of terms and definitions."""

    def entry(one: _Shown) -> str:
        return f"<dt>{one.label}:</dt>{_element(one, 'dd')}"

    return f"<article>{_heading(fields, 'h2')}<dl>{_rest(fields, entry)}</dl></article>"


def _cards(fields: Sequence[_Shown]) -> str:
    """A card with a part for each field, whose class names it."""

    def part(one: _Shown) -> str:
        name = one.spec.name.replace("_", "-")
        return f"<div class='card__part'>{_element(one, 'div', f' class=card__{name}')}</div>"

    head = _heading(fields, "h1", " class='card__head'")
    return f"<main><section class='card'>{head}{_rest(fields, part)}</section></main>"


def _nested(fields: Sequence[_Shown]) -> str:
    """Elements without any name, in one another."""

    def part(one: _Shown) -> str:
        return f"<div><div><span>{one.label}</span></div><div>{_element(one, 'div', item='div')}</div></div>"

    return f"<div><div>{_heading(fields, 'div')}</div>{_rest(fields, part)}</div>"


def _hashed(fields: Sequence[_Shown]) -> str:
    """Classes that say nothing, and no labels but for short values."""

    def part(one: _Shown) -> str:
        made = hashlib.sha256(one.spec.name.encode()).hexdigest()
        label = f"<span class='css-{made[9:15]}'>{one.label}</span>"
        return f"<div class='css-{made[:6]}'>{label}{_element(one, 'div', f' class=sc-{made[15:21]}')}</div>"

    return f"<main class='css-1a2b3c'>{_heading(fields, 'h1', ' class=sc-9f8e7d')}{_rest(fields, part)}</main>"


def _translated(fields: Sequence[_Shown]) -> str:
    """The labels are German, the values are not."""

    def part(one: _Shown) -> str:
        label = _GERMAN.get(one.spec.name, "")
        return f"<p><strong>{label}</strong></p>{_element(one, 'div')}"

    return f"<section>{_heading(fields, 'h1')}{_rest(fields, part)}</section>"


def _island(fields: Sequence[_Shown]) -> str:
    """All there is stands in data for a script; of what people see only the head is
    there."""
    data = {
        "".join(map(str.capitalize, one.spec.name.split("_"))): list(one.texts)
        if len(one.texts) > 1
        else one.texts[0]
        for one in fields
    }
    state = json.dumps({"page": {"props": {"item": data}}}).replace("<", "\\u003c")
    script = f"<script id='state' type='application/json'>{state}</script>"
    return f"<div id='root'>{_heading(fields, 'h1')}</div>{script}"


def _mobile(fields: Sequence[_Shown]) -> str:
    """A narrow page: a row of tabs, and behind each a field."""

    def tab(one: _Shown) -> str:
        return f"<details open><summary>{one.label}</summary>{_element(one, 'p', item='span')}</details>"

    return f"<nav>Back</nav>{_heading(fields, 'h3')}{_rest(fields, tab)}"


_BODIES: Mapping[Template, Callable[[Sequence[_Shown]], str]] = {
    Template.TABLE: _table,
    Template.DEFINITIONS: _definitions,
    Template.CARDS: _cards,
    Template.NESTED: _nested,
    Template.HASHED: _hashed,
    Template.TRANSLATED: _translated,
    Template.ISLAND: _island,
    Template.MOBILE: _mobile,
}
