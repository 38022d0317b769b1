"""Layout A: BEM class names, JSON-LD, specifications in a table, prices like
€1,299.00."""

# ruff: noqa: E501 - templates read best unbroken

import json
from collections.abc import Mapping
from typing import Any

from crawloop_assets.demo.site.goods import CURRENCY, Item
from crawloop_assets.demo.site.views import (
    FEE,
    FOOTER,
    FREE,
    GIFT,
    REPAIR,
    SCRIPT,
    SHOP,
    ApiView,
    CategoryView,
    ProductView,
    availability_label,
    departments,
    e,
    english,
    faq,
    vocabulary,
)

_STYLE = """
body{margin:0;font:16px/1.5 Georgia,serif;color:#222}.site-header{border-bottom:1px solid #ddd;padding:1rem 2rem}
.site-nav__list{display:flex;gap:1.5rem;list-style:none}.site-nav__panel{display:none;position:absolute;background:#fff}
.site-nav__item:hover .site-nav__panel{display:block}.product{display:grid;grid-template-columns:1fr 1fr;gap:3rem;padding:2rem}
.product__title{font-size:2rem;margin:.2em 0}.price--current{font-size:1.6rem;color:#1c5f3a}.price--old{color:#999}
.spec-table{width:100%;border-collapse:collapse}.spec-table__label{text-align:left;width:40%;font-weight:normal;color:#666}
.product-grid{display:grid;grid-template-columns:repeat(4,1fr);gap:1.5rem;list-style:none;padding:0 2rem}
.product-card__title{font-size:1rem}.rating__stars{display:inline-block;background:linear-gradient(90deg,#e8a33d,#e8a33d);height:.8em}
.site-footer{background:#f4f1ea;padding:2rem;display:flex;gap:4rem}.pager{padding:2rem;display:flex;gap:1rem}
"""


def _money(amount: Any) -> str:
    """€1,299.00"""
    return f"€{english(amount)}"


def _menu() -> str:
    """The departments with what each sells, as lists in lists."""
    return "".join(
        f'<li class="site-nav__item"><a class="site-nav__link" href="{path}">{e(name)}</a><ul class="site-nav__panel">'
        + "".join(
            f'<li><a href="{path}#{e(noun.lower().replace(" ", "-"))}">{e(noun)}</a></li>'
            for noun in nouns
        )
        + "</ul></li>"
        for path, name, nouns in departments()
    )


def _footer_columns() -> str:
    """Links under their headings: texts that a reader must not take for a product's."""
    return "".join(
        f'<div class="site-footer__column"><h4 class="site-footer__title">{title}</h4><ul>'
        + "".join(
            f'<li><a href="/page/{e(text.lower().replace(" ", "-"))}">{text}</a></li>'
            for text in texts
        )
        + "</ul></div>"
        for title, texts in FOOTER
    )


def _questions() -> str:
    """Answers that mention money which is no price of a product, to be unfolded."""
    return "".join(
        f'<details class="faq__item"><summary class="faq__title">{question}</summary><p>{answer}</p></details>'
        for question, answer in faq(
            {
                "fee": _money(FEE),
                "free": _money(FREE),
                "repair": _money(REPAIR),
                "gift": _money(GIFT),
            }
        )
    )


def _page(title: str, canonical: str, head: str, body: str, kind: str) -> str:
    """A whole page around its body: menu, questions that mention money of their own,
    footer."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{e(title)} | {SHOP}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="{e(canonical)}">
<link rel="stylesheet" href="/assets/a/site.css">
<style>{_STYLE}</style>
{head}
</head>
<body class="page page--{kind}">
<header class="site-header">
  <a class="site-header__logo" href="/">{SHOP}</a>
  <form class="search" action="/search"><input class="search__input" name="q" placeholder="Search 300 products"><button>Search</button></form>
  <a class="site-header__cart" href="/cart">Basket <span class="cart__count">0</span> <span class="cart__total">€0.00</span></a>
  <nav class="site-nav"><ul class="site-nav__list">{_menu()}</ul></nav>
</header>
{body}
<section class="faq"><h2 class="faq__heading">Good to know</h2>{_questions()}</section>
<footer class="site-footer">{_footer_columns()}
  <p class="site-footer__small">Free delivery from {_money(FREE)}. All prices include VAT. © 2026 {SHOP}</p>
</footer>
<script>{SCRIPT % {"version": "a.41"}}</script>
</body>
</html>
"""


def _price(item: Item) -> str:
    """The price, and the one it was if it is reduced."""
    old = (
        f' <del class="price price--old">{_money(item.list_price)}</del>'
        if item.list_price
        else ""
    )
    return f'<span class="price price--current">{_money(item.price)}</span>{old}'


def _rating(item: Item) -> str:
    """The stars as a width, the number beside them; "" where nobody rated."""
    if item.rating is None:
        return ""
    return (
        f'<div class="rating"><span class="rating__stars" style="width:{item.rating * 20:.0f}%"></span>'
        f'<span class="rating__value">{item.rating}</span> out of 5 '
        f'<a class="rating__count" href="{item.path}#reviews">({item.reviews} reviews)</a></div>'
    )


def _card(item: Item) -> str:
    """A product on a page of many."""
    return f"""<li class="product-card">
  <a class="product-card__link" href="{item.path}"><img class="product-card__image" src="{item.image}" alt="{e(item.title)}" width="280" height="280" loading="lazy">
  <h3 class="product-card__title">{e(item.title)}</h3></a>
  {_rating(item)}
  <div class="product-card__price">{_price(item)}</div>
  <button class="button button--small" data-sku="{item.sku}">Add to basket</button>
</li>"""


def _linked(view: ProductView) -> str:
    """The product as schema.org's JSON-LD; the price before a reduction is not in
    it."""
    item = view.item
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": item.title,
        "sku": item.sku,
        "brand": {"@type": "Brand", "name": item.brand},
        "description": item.description,
        "image": [view.base_url + item.image],
        "url": view.base_url + item.path,
        "category": item.category.name,
        "offers": {
            "@type": "Offer",
            "price": f"{item.price:.2f}",
            "priceCurrency": CURRENCY,
            "availability": f"https://schema.org/{vocabulary(item)}",
            "itemCondition": "https://schema.org/NewCondition",
        },
    }
    if item.rating is not None:
        data["aggregateRating"] = {
            "@type": "AggregateRating",
            "ratingValue": str(item.rating),
            "reviewCount": item.reviews,
        }
    return json.dumps(data, ensure_ascii=False, indent=1).replace("</", "<\\/")


def _pager(view: CategoryView) -> str:
    """Links to the page before, to each page by its number, and to the next one; the
    first page has none before it and the last none after it."""
    before = (
        f'<a class="pager__link" rel="prev" href="{view.link(view.page - 1)}">Previous</a>'
        if view.page > 1
        else ""
    )
    after = (
        f'<a class="pager__link pager__link--next" rel="next" href="{view.link(view.page + 1)}">Next</a>'
        if view.page < view.pages
        else ""
    )
    numbers = "".join(
        f'<a class="pager__number" href="{view.link(n)}">{n}</a>'
        for n in range(1, view.pages + 1)
    )
    return before + numbers + after


class LayoutA:
    """See the module."""

    def product(self, view: ProductView) -> str:
        """Specifications in a table, reviews with stars, related products below."""
        item = view.item
        specs = "".join(
            f'<tr class="spec-table__row"><th class="spec-table__label">{e(label)}</th><td class="spec-table__value">{e(value)}</td></tr>'
            for label, value in item.specs
        )
        reviews = "".join(
            f'<article class="review"><h4 class="review__author">{e(one.author)}</h4><span class="review__stars">{one.stars}/5</span> '
            f'<time class="review__date" datetime="{one.on}">{one.on:%d %B %Y}</time><p class="review__text">{e(one.text)}</p></article>'
            for one in item.opinions
        )
        stock = f'<p class="product__stock product__stock--{item.availability.replace(" ", "-")}">{availability_label(item)}</p>'
        head = f"""<meta name="description" content="{e(item.description)}">
<meta property="og:type" content="product">
<meta property="og:title" content="{e(item.title)}">
<meta property="og:image" content="{e(view.base_url + item.image)}">
<script type="application/ld+json">
{_linked(view)}
</script>"""
        body = f"""<main class="product" id="main">
<nav class="breadcrumb"><a class="breadcrumb__link" href="/">Home</a> › <a class="breadcrumb__link" href="/category/{item.category.slug}">{e(item.category.name)}</a> › <span>{e(item.title)}</span></nav>
<div class="product__gallery"><img class="product__image" src="{item.image}" alt="{e(item.title)}" width="720" height="720"><img class="product__thumb" src="{item.image.replace("front", "side")}" alt=""><img class="product__thumb" src="{item.image.replace("front", "detail")}" alt=""></div>
<div class="product__main">
  <p class="product__brand"><a href="/brand/{e(item.brand.lower().replace(" ", "-"))}">{e(item.brand)}</a></p>
  <h1 class="product__title">{e(item.title)}</h1>
  {_rating(item)}
  <div class="product__price">{_price(item)} <span class="product__tax">{e(view.note)} {_money(FEE)} delivery</span></div>
  <p class="product__instalments">or 3 x {_money(item.price / 3)} without interest</p>
  {stock}
  <p class="product__sku">Item no. <span class="product__sku-value">{item.sku}</span></p>
  <form class="buy" data-cart="{item.id}"><input class="buy__quantity" name="quantity" value="1"><button class="button button--primary">Add to basket</button></form>
</div>
<section class="product__description"><h2>Description</h2><p class="product__text">{e(item.description)}</p></section>
<section class="product__specs"><h2>Specifications</h2><table class="spec-table">{specs}</table></section>
<section class="product__reviews" id="reviews"><h2>What customers say</h2>{reviews}</section>
</main>
<aside class="related"><h2 class="related__heading">You may also like</h2><ul class="product-grid product-grid--related">{"".join(map(_card, view.related))}</ul></aside>"""
        return _page(item.title, view.base_url + item.path, head, body, "product")

    def category(self, view: CategoryView) -> str:
        """Cards with an advertisement among them, and the shop's bestsellers below."""
        cards = list(map(_card, view.items))
        promo = '<li class="product-card product-card--promo"><h3 class="product-card__title">Gift cards</h3><p>From €25.00</p><a href="/page/gift-cards">Choose one</a></li>'
        cards.insert(min(6, len(cards)), promo)
        best = "".join(
            f'<li class="bestseller"><a href="{item.path}">{e(item.title)}</a> <span class="price">{_money(item.price)}</span></li>'
            for item in view.bestsellers
        )
        body = f"""<main class="listing" id="main">
<h1 class="listing__title">{e(view.category.name)}</h1>
<p class="listing__count">Page {view.page} of {view.pages}</p>
<form class="filters" action="{view.link(1)}"><label>Sort by <select name="sort"><option>Relevance</option><option>Price</option></select></label><label>Up to <input name="max" placeholder="€500"></label></form>
<ul class="product-grid">
{chr(10).join(cards)}
</ul>
<nav class="pager">{_pager(view)}</nav>
<aside class="bestsellers"><h2>Bestsellers</h2><ol class="bestsellers__list">{best}</ol></aside>
</main>"""
        return _page(
            view.category.name,
            view.base_url + view.link(view.page),
            "",
            body,
            "listing",
        )

    def api_page(self, view: ApiView) -> Mapping[str, Any]:
        """Products in `items`, the next page by its url."""
        return {
            "page": view.page,
            "pages": view.pages,
            "total": view.total,
            "next": view.next,
            "items": list(map(self.api_item, view.items)),
        }

    def api_item(self, item: Item) -> Mapping[str, Any]:
        """A product with flat names."""
        return {
            "id": item.id,
            "sku": item.sku,
            "name": item.title,
            "brand": item.brand,
            "category": item.category.name,
            "price": {"amount": f"{item.price:.2f}", "currency": CURRENCY},
            "list_price": f"{item.list_price:.2f}" if item.list_price else None,
            "stock": item.stock,
            "rating": float(item.rating) if item.rating is not None else None,
            "url": item.path,
        }
