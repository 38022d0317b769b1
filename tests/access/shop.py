"""Products and their pages: 40-80 KB of HTML each, the same on every machine."""

import json
from dataclasses import dataclass
from functools import lru_cache
from random import Random

_WORDS = (
    "amber birch cedar dusk ember fjord grain hazel iris juniper kelp lunar maple nickel ochre pine quartz russet "
    "slate thyme umber velvet willow zinc frame stand set unit table shelf lamp chair basket mirror clock tray hook"
)
WORDS = _WORDS.split()
STATES = ("InStock", "InStock", "InStock", "OutOfStock", "PreOrder")
STYLE = "".join(
    f".s{i} {{ margin: {i}px; padding: {i % 5}px; display: grid; }}\n"
    for i in range(120)
)
MENU = "".join(
    f'<li class="menu-entry s{i}"><a class="menu-link" href="/list/{i % 25}" data-n="{i}"><span class="icon">'
    f"</span>{WORDS[i % 30]} {WORDS[i % 17]}</a></li>"
    for i in range(120)
)


@dataclass(frozen=True)
class Product:
    """The six values that a crawler has to find."""

    title: str
    price: float
    sku: str
    availability: str
    rating: float
    description: str


@lru_cache(20_000)
def product(number: int, version: int = 0) -> Product:
    """The product of a number; a version changes its price."""
    random = Random(number * 1_000_003)
    name = " ".join(random.choices(WORDS, k=3)).title()
    price = round(random.uniform(5, 900) + version, 2)
    return Product(
        title=f"{name} {number}",
        price=price,
        sku=f"SKU-{number:06d}",
        availability=random.choice(STATES),
        rating=round(random.uniform(1, 5), 1),
        description=_prose(random, 60),
    )


def product_page(number: int, version: int = 0) -> bytes:
    """Its page: JSON-LD, microdata, plain markup, and a lot around them."""
    item, random = product(number, version), Random(number)
    linked = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": item.title,
        "sku": item.sku,
        "offers": {
            "@type": "Offer",
            "price": f"{item.price:.2f}",
            "priceCurrency": "EUR",
        },
    }
    reviews = "".join(_review(random, index) for index in range(random.randint(20, 80)))
    details = "".join(
        f"<tr><th>{_words(random, 2)}</th><td>{_words(random, 3)}</td></tr>"
        for _ in range(random.randint(15, 30))
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{item.title} - Shop</title>
<link rel="canonical" href="/p/{number}"><style>{STYLE}</style>
<script type="application/ld+json">{json.dumps(linked)}</script></head>
<body><header><nav><ul>{MENU}</ul></nav></header>
<main><article class="product"><h1 class="product-title">{item.title}</h1>
<p class="buy"><span class="price" data-amount="{item.price:.2f}">&euro;{item.price:.2f}</span>
<span class="sku">{item.sku}</span> <span class="availability">{item.availability}</span>
<span class="rating" data-value="{item.rating}">{item.rating} of 5</span></p>
<div id="description"><p>{item.description}</p></div><table class="details">{details}</table></article>
<section class="reviews">{reviews}</section></main>
<script>window.state = {json.dumps([_words(random, 6) for _ in range(120)])};</script></body></html>""".encode()


def list_page(numbers: list[int], following: int | None) -> bytes:
    """A page of a listing: links to products and, with rel=next, to the page after it."""
    cards = "".join(
        f'<li class="card"><a class="item" href="/p/{n}">{product(n).title}</a></li>'
        for n in numbers
    )
    onward = (
        ""
        if following is None
        else f'<a rel="next" class="next" href="/list/{following}">more</a>'
    )
    return (
        f"<!DOCTYPE html><html><head><title>All products</title></head><body><nav><ul>{MENU}</ul></nav>"
        f'<ul class="grid">{cards}</ul>{onward}</body></html>'
    ).encode()


def _review(random: Random, index: int) -> str:
    return (
        f'<div class="review s{index}" id="review-{index}"><h3 class="author">{_words(random, 2)}</h3>'
        f'<time datetime="2026-0{1 + index % 9}-1{index % 9}">2026-0{1 + index % 9}-1{index % 9}</time>'
        f'<span class="stars" data-stars="{1 + index % 5}"></span><p>{_prose(random, random.randint(20, 80))}</p>'
        f'<button class="helpful" data-review="{index}">Helpful</button></div>'
    )


def _words(random: Random, count: int) -> str:
    return " ".join(random.choices(WORDS, k=count)).title()


def _prose(random: Random, count: int) -> str:
    return " ".join(random.choices(WORDS, k=count)).capitalize() + "."
