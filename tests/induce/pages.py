"""Small pages of one made-up shop in two designs, with and without structured data."""

import json

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Product",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="brand"),
        FieldSpec(name="features", shape=Shape.LIST),
        FieldSpec(name="released", kind=FieldKind.DATE, aliases=("release_date",)),
    ),
)

PRODUCTS: list[dict[str, Value]] = [
    {
        "title": "Walnut desk lamp",
        "price": "49.90",
        "brand": "Lumen & Sons",
        "features": ["Solid walnut foot", "Dimmable", "Two metre cord"],
        "released": "2024-03-05",
    },
    {
        "title": "Oak floor lamp",
        "price": "129.00",
        "brand": "Nordlys",
        "features": ["Oiled oak", "Linen shade"],
        "released": "2023-11-20",
    },
    {
        "title": "Brass wall light",
        "price": "1299.00",
        "brand": "Officina Otto",
        "features": ["Hand-spun brass", "Hard wired", "Warm white", "Made to order"],
        "released": "2022-07-14",
    },
    {
        "title": "Paper pendant",
        "price": "24.50",
        "brand": "Washi Works",
        "features": ["Folded paper", "Flat packed"],
        "released": "2021-01-30",
    },
]


def url(at: int) -> str:
    return f"https://shop.example/p/{at}"


def price_text(price: str) -> str:
    return f"€{float(price):,.2f}"


def before(at: int, linked: bool = False) -> Page:
    product = PRODUCTS[at]
    features = "".join(
        f"<li class='feature'>{text}</li>" for text in product["features"]
    )
    script = (
        f"<script type='application/ld+json'>{json.dumps(linked_data(product))}</script>"
        if linked
        else ""
    )
    body = f"""<!DOCTYPE html><html><head><title>{product["title"]} | Lamp shop</title>{script}</head><body>
    <nav><a href='/'>Home</a><a href='/lamps'>Lamps</a></nav>
    <main><h1 class='product-title'>{product["title"]}</h1>
    <p class='by'>Brand: <a class='brand-link'>{product["brand"].replace("&", "&amp;")}</a></p>
    <div class='buy'><span class='price-now'>{price_text(product["price"])}</span><button>Add to cart</button></div>
    <h2>Features</h2><ul class='feature-list'>{features}</ul>
    <dl><dt>Release date</dt><dd class='release'>{product["released"]}</dd>
    <dt>Weight</dt><dd>{at + 2} kg</dd></dl></main>
    <footer>About us, {2000 + at}</footer></body></html>"""
    return page(at, body)


def after(at: int, changes: dict[str, Value] | None = None) -> Page:
    product = {**PRODUCTS[at], **(changes or {})}
    features = "".join(
        f"<div class='bullet'><p>{text}</p></div>" for text in product["features"]
    )
    body = f"""<!DOCTYPE html><html><head><title>{product["title"]} - buy online</title></head><body>
    <header><div class='logo'>Lamp shop</div></header>
    <section id='pdp'><div class='crumbs'>Home / Lamps</div>
    <div class='name-box'><h1>{product["title"]}</h1></div>
    <table class='specs'><tr><th>Brand</th><td>{product["brand"].replace("&", "&amp;")}</td></tr>
    <tr><th>Release date</th><td>{product["released"]}</td></tr></table>
    <div class='cost'><b>Price</b> <strong data-role='price'>{price_text(product["price"])}</strong></div>
    <h3>Features</h3><div class='bullets'>{features}</div></section></body></html>"""
    return page(at, body)


def lost() -> Page:
    return page(
        9,
        "<html><head><title>Sign in</title></head><body><h1>Sign in</h1><form><input name='q'></form></body></html>",
    )


def linked_data(product: dict[str, Value]) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "BreadcrumbList", "itemListElement": []},
            {
                "@type": "Product",
                "name": product["title"],
                "brand": {"@type": "Brand", "name": product["brand"]},
                "offers": {
                    "@type": "Offer",
                    "price": product["price"],
                    "priceCurrency": "EUR",
                },
                "releaseDate": product["released"],
            },
        ],
    }


def page(at: int, body: str) -> Page:
    return Page(
        url=url(at),
        body=body.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def example(page_at: int, product_at: int) -> Example:
    return Example(page=page_at, records=(dict(PRODUCTS[product_at]),))
