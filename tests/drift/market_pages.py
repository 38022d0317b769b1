"""How the shop of market.py says it: a sheet of what one page says, written as HTML or JSON in four families."""

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from html import escape
from typing import Any

from crawloop_assets.page import Page
from tests.drift.market import BASE, Product, Values

ROWS = 20
"""Rows on a page of the listing."""


class Look(StrEnum):
    """A family of the shop's pages."""

    LINKED = "linked"  # a product, with JSON-LD
    PLAIN = "plain"  # a product, without
    JSON = "json"  # a product in an API's answer
    LISTING = "listing"  # twenty products


@dataclass
class Card:
    """What a page says of one product, true or not.

    `stated` is said in structured data or in JSON, `shown` in the page; `texts` are shown texts that are not written as
    their value usually is. `before`, `inside` and `after` hold markup beside the element of a field and words around
    its text; `renamed` keys of JSON, `extra` more of them.
    """

    product: Product
    stated: Values
    shown: Values
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    extra: Values = field(default_factory=dict)
    tag: str = '<li class="tag">{}</li>'
    row: str = '<li class="item">{}</li>'
    hidden: bool = False

    def says(self, **values: Any) -> None:
        """Both in the page and in structured data; None says nothing."""
        for target in (self.stated, self.shown):
            target.update(values)
            for name in [name for name, value in values.items() if value is None]:
                del target[name]

    def text(self, name: str) -> str:
        """What is shown of a field, "" if nothing is."""
        if name in self.texts:
            return self.texts[name]
        return written(name, self.shown[name]) if name in self.shown else ""

    def element(self, name: str, markup: str) -> str:
        """An element with a field's text in place of {}, and what stands beside it; "" without text."""
        text = self.text(name)
        if not text:
            return ""
        said = escape(text, quote=False)
        within = self.inside.get(name, "{}").replace("{}", said)
        return (
            self.before.get(name, "")
            + markup.replace("{}", within)
            + self.after.get(name, "")
        )


@dataclass
class Sheet:
    """What one page says; `related` are other products beside the own ones."""

    url: str
    look: Look
    cards: list[Card]
    related: Sequence[Product] = ()
    title: str = "{} | Market"
    crumbs: str = "{}"
    notice: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    following: str | None = None
    islands: bool | None = None
    """Whether there is JSON-LD, whatever the family usually has."""

    @property
    def card(self) -> Card:
        """The first of the page, and of a product's page the only one."""
        return self.cards[0]

    def page(self) -> Page:
        """The page as a site would answer it."""
        if self.look is Look.JSON:
            body, content = _json(self), "application/json"
        elif self.look is Look.LISTING:
            body, content = _listing(self), "text/html; charset=utf-8"
        else:
            body, content = _detail(self), "text/html; charset=utf-8"
        headers = {"content-type": content, **self.headers}
        return Page(url=self.url, body=body.encode(), headers=headers)


def card_of(product: Product) -> Card:
    """A card that says the truth."""
    return Card(product, deepcopy(product.values), deepcopy(product.values))


def money(value: Decimal) -> str:
    """As the shop writes amounts: €1,249.00."""
    return f"€{value:,.2f}"


def written(name: str, value: Any) -> str:
    """A value as the page shows it."""
    if name in ("price", "list_price") and isinstance(value, Decimal):
        return money(value)
    if name == "weight":
        return f"{value} kg"
    if name == "launch":
        return f"{value.day} {value:%B %Y, %H:%M}"
    if isinstance(value, date):
        return f"{value.day} {value:%B %Y}"
    return str(value)


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else value


def _json(sheet: Sheet) -> str:
    card = sheet.card
    said = {
        card.renamed.get(name, name): _plain(value)
        for name, value in card.stated.items()
    }
    related = [
        {"sku": each.values["sku"], "name": each.values["name"]}
        for each in sheet.related
    ]
    body = {"product": {**said, **card.extra}, "related": related, "page": {"v": 3}}
    return json.dumps(body, ensure_ascii=False, indent=1)


def _linked_data(card: Card) -> str:
    said = {name: _plain(value) for name, value in card.stated.items()}
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "sku": said.get("sku"),
        "name": said.get("name"),
        "brand": {"@type": "Brand", "name": said.get("brand")},
        "description": said.get("description"),
        "image": said.get("image"),
        "category": said.get("category"),
        "offers": {
            "@type": "Offer",
            "price": said.get("price"),
            "priceCurrency": said.get("currency"),
            "url": card.product.url,
        },
        "aggregateRating": {
            "@type": "AggregateRating",
            "ratingValue": said.get("rating"),
            "reviewCount": said.get("reviews"),
        },
        **card.extra,
    }
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def _spec(card: Card, name: str, label: str) -> str:
    markup = f'<dt>{card.labels.get(name, label)}</dt><dd class="{name}">{{}}</dd>'
    return card.element(name, markup)


def _tags(card: Card) -> str:
    return "".join(card.tag.replace("{}", tag) for tag in card.shown["tags"])


def _detail(sheet: Sheet) -> str:
    card = sheet.card
    has_data = sheet.islands
    if has_data is None:
        has_data = sheet.look is Look.LINKED
    name = escape(card.text("name"), quote=False)
    related = "".join(map(_related, sheet.related))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>{sheet.title.replace("{}", name)}</title>
{_linked_data(card) if has_data else ""}</head>
<body><header><a class="logo" href="/">Market</a>
<nav><a href="/garden">Garden</a> <a href="/kitchen">Kitchen</a> <a href="/help">Help and delivery</a></nav></header>
<ol class="crumbs"><li><a href="/">Home</a></li>{card.element("category", '<li class="category">{}</li>')}
<li>{sheet.crumbs.replace("{}", name)}</li></ol>{sheet.notice}
<main class="product">{card.element("name", '<h1 class="name">{}</h1>')}
<div class="maker">by {card.element("brand", '<a class="brand" href="/brands">{}</a>')}</div>
{card.element("image", '<img class="photo" src="{}" alt="">')}
<div class="buy">{card.element("price", '<span class="price">{}</span>')}
{card.element("currency", '<span class="currency">{}</span>')}
{card.element("list_price", '<del class="was">{}</del>')}
<span class="tax">incl. VAT, free delivery over €50.00</span></div>
<div class="stars">{card.element("rating", '<span class="score">{}</span> of 5')}
{card.element("reviews", '<span class="count">{}</span> reviews')}</div>
<p class="avail">{card.element("stock", '<span class="stock">{}</span> in stock')}</p>
{card.element("description", '<div class="text">{}</div>')}
<ul class="tags">{_tags(card)}</ul>
<dl class="specs">{_spec(card, "sku", "Article")}{_spec(card, "released", "Released")}
{_spec(card, "launch", "Sold from")}{_spec(card, "weight", "Weight")}</dl></main>
<aside class="related"><h2>Others looked at</h2>{related}</aside>
<footer>© 2026 Market. Returns within 30 days.</footer></body></html>"""


def _related(product: Product) -> str:
    name = escape(product.values["name"], quote=False)
    price = written("price", product.values["price"])
    return f'<div class="other"><a href="{product.url}">{name}</a> <b>{price}</b></div>'


def _listing(sheet: Sheet) -> str:
    rows = "\n".join(map(_row, sheet.cards))
    following = (
        f'<a class="next" rel="next" href="{sheet.following}">Next page</a>'
        if sheet.following
        else ""
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{sheet.title.replace("{}", "All goods")}</title></head>
<body><header><a class="logo" href="/">Market</a>
<nav><a href="/garden">Garden</a> <a href="/kitchen">Kitchen</a> <a href="/help">Help and delivery</a></nav></header>
<h1>All goods</h1>{sheet.notice}
<ul class="items">
{rows}
</ul>
<p class="pages">{following}</p>
<footer>© 2026 Market. Returns within 30 days.</footer></body></html>"""


def _row(card: Card) -> str:
    url = card.shown.get("url", card.product.url)
    said = "".join(
        (
            card.element("name", f'<h3><a class="name" href="{url}">{{}}</a></h3>'),
            card.element("brand", '<p class="maker">{}</p>'),
            card.element("price", '<span class="price">{}</span>'),
            card.element("list_price", '<del class="was">{}</del>'),
            card.element("reviews", '<small class="count">{} reviews</small>'),
        )
    )
    return card.row.replace("{}", said)


def detail_sheet(product: Product, look: Look, related: Sequence[Product]) -> Sheet:
    """The true page of one product."""
    url = product.url
    if look is Look.JSON:
        url = f"{BASE}/api/products/{product.values['sku']}"
    return Sheet(url, look, [card_of(product)], related)


def listing_sheets(products: Sequence[Product]) -> list[Sheet]:
    """The true pages of a listing."""
    starts = range(0, len(products), ROWS)
    sheets = []
    for number, start in enumerate(starts, start=1):
        cards = [card_of(product) for product in products[start : start + ROWS]]
        more = start + ROWS < len(products)
        following = f"{BASE}/all?page={number + 1}" if more else None
        sheets.append(
            Sheet(f"{BASE}/all?page={number}", Look.LISTING, cards, following=following)
        )
    return sheets
