"""Layout C: hashed class names, microdata, everything in divs, prices like 1,299.00
EUR, related products first."""

# ruff: noqa: E501 - templates read best unbroken

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from zlib import crc32

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

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


_ICONS = "".join(
    f'<symbol id="i-{name}" viewBox="0 0 24 24"><path d="{path}" fill="none" stroke="currentColor" stroke-width="1.5"/></symbol>'
    for name, path in (
        ("bag", "M5 8h14l-1 12H6L5 8zm4 0V6a3 3 0 016 0v2"),
        ("person", "M12 12a4 4 0 100-8 4 4 0 000 8zm-7 8c0-4 3-6 7-6s7 2 7 6"),
        (
            "van",
            "M2 7h12v9H2zm12 3h4l3 3v3h-7zM6 19a2 2 0 100-4 2 2 0 000 4zm11 0a2 2 0 100-4 2 2 0 000 4z",
        ),
        ("tools", "M14 6l4-3 3 3-3 4zm0 0L4 16l4 4L18 10M5 5l5 5M3 3l3 1 1 3-2 2-3-2z"),
        ("leaf", "M4 20C4 10 10 4 20 4c0 10-6 16-16 16zm0 0l9-9"),
    )
)
_RULES = (
    (
        "Header",
        "root",
        "display:flex;align-items:center;gap:32px;padding:18px 40px;box-shadow:0 1px 0 rgba(0,0,0,.08)",
    ),
    (
        "Menu",
        "root",
        "display:flex;gap:24px;list-style:none;margin:0;padding:0;font-size:15px",
    ),
    (
        "Menu",
        "sheet",
        "position:absolute;display:none;flex-direction:column;padding:20px;background:#fff",
    ),
    (
        "Product",
        "root",
        "display:grid;grid-template-areas:'head head' 'figure facts' 'story price';gap:40px;padding:40px",
    ),
    (
        "Product",
        "name",
        "font:600 34px/1.15 'Spectral',serif;letter-spacing:-.01em;margin:0",
    ),
    (
        "Product",
        "figure",
        "grid-area:figure;margin:0;border-radius:18px;overflow:hidden;background:#efece6",
    ),
    (
        "Product",
        "story",
        "grid-area:story;max-width:60ch;font-size:17px;line-height:1.65;color:#3b3a37",
    ),
    (
        "Facts",
        "row",
        "display:flex;justify-content:space-between;padding:9px 0;border-bottom:1px dotted #c9c4b8",
    ),
    ("Facts", "label", "color:#7d776a;font-size:14px"),
    (
        "Price",
        "root",
        "grid-area:price;display:flex;flex-direction:column;gap:6px;align-items:flex-start",
    ),
    ("Price", "now", "font:600 28px/1 'Spectral',serif;color:#20492f"),
    ("Price", "was", "font-size:14px;color:#a0998a"),
    (
        "Strip",
        "root",
        "display:flex;gap:16px;overflow-x:auto;padding:16px 40px;background:#f7f5f0",
    ),
    (
        "Strip",
        "card",
        "flex:0 0 180px;display:flex;flex-direction:column;gap:4px;font-size:13px",
    ),
    (
        "Row",
        "root",
        "display:grid;grid-template-columns:140px 1fr 160px;gap:24px;padding:20px 0;border-bottom:1px solid #eee",
    ),
    ("Row", "now", "font-weight:600;font-size:20px"),
    (
        "Row",
        "score",
        "display:inline-flex;gap:2px;padding:2px 8px;border-radius:99px;background:#eef4ef",
    ),
    ("Catalog", "rows", "max-width:1080px;margin:0 auto"),
    ("Voices", "root", "display:grid;gap:20px;grid-template-columns:repeat(3,1fr)"),
    (
        "Footer",
        "root",
        "display:flex;flex-wrap:wrap;gap:64px;padding:56px 40px;background:#20342a;color:#e8e4d9",
    ),
)


def _c(block: str, part: str) -> str:
    """A class name as a build tool makes it: Block_part__x7Yk2."""
    number = crc32(f"c/{block}/{part}".encode())
    return f"{block}_{part}__" + "".join(
        _LETTERS[number // 62**n % 62] for n in range(5)
    )


_STYLE = "".join(f".{_c(block, part)}{{{rules}}}" for block, part, rules in _RULES)


def _money(amount: Decimal) -> str:
    """1,299.00 EUR"""
    return f"{english(amount)} {CURRENCY}"


def _menu() -> str:
    """The departments with what each sells, by names that change with every build."""
    return "".join(
        f'<li class="{_c("Menu", "item")}"><a href="{path}">{e(name)}</a><div class="{_c("Menu", "sheet")}">'
        + "".join(
            f'<a class="{_c("Menu", "leaf")}" href="{path}#{n}">{e(noun)}</a>'
            for n, noun in enumerate(nouns)
        )
        + "</div></li>"
        for path, name, nouns in departments()
    )


def _footer_columns() -> str:
    """Links under their headings, in sections without an outline."""
    return "".join(
        f'<section class="{_c("Footer", "column")}"><h5>{title}</h5>'
        + "".join(
            f'<a class="{_c("Footer", "link")}" href="/page/{e(text.lower().replace(" ", "-"))}">{text}</a>'
            for text in texts
        )
        + "</section>"
        for title, texts in FOOTER
    )


def _questions() -> str:
    """Answers that mention money which is no price of a product, hidden until asked for."""
    return "".join(
        f'<div class="{_c("Accordion", "root")}"><button aria-controls="q{n}">{question}</button><div id="q{n}" hidden>{answer}</div></div>'
        for n, (question, answer) in enumerate(
            faq(
                {
                    "fee": _money(FEE),
                    "free": _money(FREE),
                    "repair": _money(REPAIR),
                    "gift": _money(GIFT),
                }
            )
        )
    )


def _page(title: str, canonical: str, head: str, body: str) -> str:
    """A whole page around its body, with class names as a build makes them."""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{SHOP}: {e(title)}</title>
<link rel="canonical" href="{e(canonical)}">{head}<link rel="stylesheet" href="/_build/static/css/{_c("app", "c")}.css"><style>{_STYLE}</style></head>
<body><svg hidden>{_ICONS}</svg><div id="app"><header class="{_c("Header", "root")}"><a class="{_c("Header", "brand")}" href="/">{SHOP}</a><ul class="{_c("Menu", "root")}">{_menu()}</ul><div class="{_c("Header", "tools")}"><a href="/account">Account</a><a href="/cart">Cart · {_money(Decimal(0))}</a></div></header>
{body}
<section class="{_c("Faq", "root")}">{_questions()}</section>
<footer class="{_c("Footer", "root")}">{_footer_columns()}<small>Prices include VAT. Delivery {_money(FEE)}, free from {_money(FREE)}.</small></footer></div>
<script>{SCRIPT % {"version": "c.117"}}</script></body></html>
"""


def _strip(items: Any) -> str:
    """Products others looked at, with prices of their own, above the page's own."""
    cards = "".join(
        f'<a class="{_c("Strip", "card")}" href="{item.path}"><img src="{item.image.replace("front", "small")}" alt=""><span class="{_c("Strip", "name")}">{e(item.title)}</span><span class="{_c("Strip", "price")}">{_money(item.price)}</span></a>'
        for item in items
    )
    return (
        f'<aside class="{_c("Strip", "root")}"><h3>Others looked at</h3>{cards}</aside>'
    )


def _row(item: Item) -> str:
    """A product on a page of many."""
    was = (
        f'<s class="{_c("Row", "was")}">{_money(item.list_price)}</s>'
        if item.list_price
        else ""
    )
    score = (
        f'<div class="{_c("Row", "score")}"><b>{item.rating}</b><i>/5</i></div>'
        if item.rating is not None
        else ""
    )
    return f"""<div class="{_c("Row", "root")}"><div class="{_c("Row", "picture")}"><img src="{item.image}" alt="{e(item.title)}"></div><div class="{_c("Row", "text")}"><div class="{_c("Row", "maker")}">{e(item.brand)}</div><h4 class="{_c("Row", "name")}"><a href="{item.path}">{e(item.title)}</a></h4><p class="{_c("Row", "teaser")}">{e(item.description[:90])}…</p>{score}</div><div class="{_c("Row", "side")}"><div class="{_c("Row", "now")}">{_money(item.price)}</div>{was}<div class="{_c("Row", "stock")}">{availability_label(item)}</div></div></div>"""


class LayoutC:
    """See the module."""

    def product(self, view: ProductView) -> str:
        """A product in microdata, its specifications before its name."""
        item = view.item
        was = (
            f'<div class="{_c("Price", "was")}">Regular price <s>{_money(item.list_price)}</s></div>'
            if item.list_price
            else ""
        )
        specs = "".join(
            f'<div class="{_c("Facts", "row")}"><span class="{_c("Facts", "label")}">{e(label)}</span><span class="{_c("Facts", "value")}">{e(value)}</span></div>'
            for label, value in item.specs
        )
        rating = (
            f'<div class="{_c("Score", "root")}" itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><b itemprop="ratingValue">{item.rating}</b> of 5 from <span itemprop="reviewCount">{item.reviews}</span> customers</div>'
            if item.rating is not None
            else ""
        )
        reviews = "".join(
            f'<blockquote class="{_c("Voice", "root")}"><p>{e(one.text)}</p><footer>{e(one.author)}, {one.on:%Y-%m-%d}, {one.stars} of 5</footer></blockquote>'
            for one in item.opinions
        )
        body = f"""{_strip(view.related)}
<main class="{_c("Product", "root")}" itemscope itemtype="https://schema.org/Product">
<div class="{_c("Product", "facts")}"><div class="{_c("Facts", "row")}"><span class="{_c("Facts", "label")}">Maker</span><span class="{_c("Facts", "value")}" itemprop="brand">{e(item.brand)}</span></div><div class="{_c("Facts", "row")}"><span class="{_c("Facts", "label")}">Product code</span><span class="{_c("Facts", "value")}" itemprop="sku">{item.sku}</span></div>{specs}</div>
<div class="{_c("Product", "head")}"><h2 class="{_c("Product", "name")}" itemprop="name">{e(item.title)}</h2>{rating}</div>
<figure class="{_c("Product", "figure")}"><img itemprop="image" src="{item.image}" alt="{e(item.title)}"></figure>
<div class="{_c("Product", "story")}" itemprop="description">{e(item.description)}</div>
<div class="{_c("Price", "root")}" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="{CURRENCY}"><data class="{_c("Price", "now")}" itemprop="price" value="{item.price:.2f}">{_money(item.price)}</data>{was}<small>{e(view.note)} {_money(FEE)} delivery</small><link itemprop="availability" href="https://schema.org/{vocabulary(item)}"><div class="{_c("Stock", "root")}">{availability_label(item)}</div></div>
<form class="{_c("Buy", "root")}" data-cart="{item.id}"><button>Put in cart</button></form>
<section class="{_c("Voices", "root")}">{reviews}</section></main>"""
        head = f'<meta property="og:title" content="{e(item.title)}"><meta property="og:site_name" content="{SHOP}">'
        return _page(item.title, view.base_url + item.path, head, body)

    def category(self, view: CategoryView) -> str:
        """Rows, with numbered pages below."""
        onward = (
            f'<link rel="next" href="{view.link(view.page + 1)}">'
            if view.page < view.pages
            else ""
        )
        pages = "".join(
            f'<a class="{_c("Pages", "current" if n == view.page else "link")}" href="{view.link(n)}">{n}</a>'
            for n in range(1, view.pages + 1)
        )
        following = (
            f'<a class="{_c("Pages", "next")}" href="{view.link(view.page + 1)}">Next</a>'
            if onward
            else ""
        )
        body = f"""{_strip(view.bestsellers)}<main class="{_c("Catalog", "root")}"><h2 class="{_c("Catalog", "name")}">{e(view.category.name)}</h2>
<div class="{_c("Catalog", "rows")}">
{chr(10).join(map(_row, view.items))}
</div><div class="{_c("Pages", "root")}">{pages}{following}</div></main>"""
        return _page(
            view.category.name, view.base_url + view.link(view.page), onward, body
        )

    def api_page(self, view: ApiView) -> Mapping[str, Any]:
        """Products as nodes of a graph, the next page by its url."""
        return {
            "result": {
                "catalogue": {
                    "edges": [
                        {"cursor": f"p{item.id}", "node": self.api_item(item)}
                        for item in view.items
                    ],
                    "pageInfo": {
                        "hasNext": view.next is not None,
                        "nextUrl": view.next,
                        "total": view.total,
                    },
                }
            }
        }

    def api_item(self, item: Item) -> Mapping[str, Any]:
        """A product by other names, its prices as texts two levels down."""
        return {
            "code": item.sku,
            "productTitle": item.title,
            "vendor": {"displayName": item.brand},
            "productType": item.category.name,
            "priceRange": {
                "min": {"amount": f"{item.price:.2f}", "currencyCode": CURRENCY},
                "compareAt": {"amount": f"{item.list_price:.2f}"}
                if item.list_price
                else None,
            },
            "availableQuantity": item.stock,
            "reviews": {
                "ratingValue": float(item.rating) if item.rating is not None else None,
                "count": item.reviews,
            },
            "handle": item.path,
        }
