"""Layout B: utility classes, no structured data, definition lists, the buy box before
the title, € 1.299,00 in pieces."""

# ruff: noqa: E501 - templates read best unbroken

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from crawloop_assets.demo.site.goods import CURRENCY, IN_STOCK, Item
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
    faq,
    german,
)

_STAR = '<svg class="h-4 w-4 shrink-0 text-amber-500" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 1l2.6 5.9 6.4.6-4.8 4.3 1.4 6.3L10 14.8 4.4 18.1l1.4-6.3L1 7.5l6.4-.6z"/></svg>'
_LINK = "text-sm text-zinc-600 hover:text-zinc-900 transition"


def _flat(amount: Decimal) -> str:
    """€ 1.299,00 in one piece."""
    return f"€ {german(amount)}"


def _split(amount: Decimal, size: str) -> str:
    """€ 1.299,00 in pieces: sign, whole number and cents in elements of their own."""
    whole, cents = german(amount).split(",")
    return f'<span class="text-sm align-top">€</span> <span class="{size} font-bold tabular-nums">{whole}</span><span class="text-sm font-bold">,{cents}</span>'


def _menu() -> str:
    """The departments with what each sells; nothing says that it is a list."""
    return "".join(
        f'<div class="group relative py-2"><a class="{_LINK} font-medium" href="{path}">{e(name)}</a><div class="hidden group-hover:grid absolute z-10 bg-white shadow-lg p-6 gap-2">'
        + "".join(
            f'<a class="{_LINK}" href="{path}?type={n}">{e(noun)}</a>'
            for n, noun in enumerate(nouns)
        )
        + "</div></div>"
        for path, name, nouns in departments()
    )


def _footer_columns() -> str:
    """Links under their headings, in boxes that are like any other."""
    return "".join(
        f'<div><div class="text-xs font-semibold uppercase tracking-widest text-zinc-400">{title}</div><div class="mt-4 grid gap-3">'
        + "".join(
            f'<a class="{_LINK}" href="/page/{e(text.lower().replace(" ", "-"))}">{text}</a>'
            for text in texts
        )
        + "</div></div>"
        for title, texts in FOOTER
    )


def _questions() -> str:
    """Answers that mention money which is no price of a product, all in sight."""
    return "".join(
        f'<div class="border-t border-zinc-200 py-6"><div class="text-base font-semibold">{question}</div><div class="mt-2 text-sm text-zinc-600">{answer}</div></div>'
        for question, answer in faq(
            {
                "fee": _flat(FEE),
                "free": _flat(FREE),
                "repair": _flat(REPAIR),
                "gift": _flat(GIFT),
            }
        )
    )


def _page(title: str, canonical: str, body: str) -> str:
    """A whole page around its body: menu, questions that mention money of their own,
    and a footer, in utility classes that name nothing."""
    return f"""<!doctype html>
<html lang="en" class="h-full antialiased">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{e(title)} – {SHOP}</title>
<link rel="canonical" href="{e(canonical)}"><link rel="preload" as="style" href="/assets/b/app.css"></head>
<body class="flex min-h-full flex-col bg-white text-zinc-900">
<div class="bg-zinc-900 text-white text-xs text-center py-2">Free delivery on orders over {_flat(FREE)}</div>
<div class="sticky top-0 flex items-center gap-8 border-b border-zinc-200 bg-white/90 px-8 py-3 backdrop-blur"><a class="text-lg font-black tracking-tight" href="/">{SHOP}</a>{_menu()}<a class="ml-auto {_LINK}" href="/cart">Bag (0)</a></div>
{body}
<div class="mx-auto w-full max-w-7xl px-8 py-16">{_questions()}</div>
<div class="mt-auto grid grid-cols-3 gap-8 border-t border-zinc-200 bg-zinc-50 px-8 py-16">{_footer_columns()}</div>
<script>{SCRIPT % {"version": "b.3"}}</script>
</body></html>
"""


def _stars(item: Item) -> str:
    """The rating as drawn stars, the number only in a label; "" where nobody rated."""
    if item.rating is None:
        return ""
    return f'<div class="flex items-center gap-0.5" role="img" data-testid="rating" aria-label="Rated {item.rating} out of 5">{_STAR * round(item.rating)}</div>'


def _tile(item: Item) -> str:
    """A product on a page of many."""
    was = (
        f'<span class="ml-2 text-xs text-zinc-400 line-through">{_flat(item.list_price)}</span>'
        if item.list_price
        else ""
    )
    return f"""<div class="group relative flex flex-col">
<div class="aspect-square overflow-hidden rounded-xl bg-zinc-100"><img class="h-full w-full object-cover" data-src="{item.image}" alt=""></div>
<div class="mt-4 flex justify-between gap-4"><div><p class="text-xs uppercase tracking-wide text-zinc-400">{e(item.brand)}</p><a class="text-sm font-medium after:absolute after:inset-0" href="{item.path}">{e(item.title)}</a></div>
<div class="text-right whitespace-nowrap"><p>{_split(item.price, "text-base")}</p>{was}</div></div>
{_stars(item)}</div>"""


class LayoutB:
    """See the module."""

    def product(self, view: ProductView) -> str:
        """Specifications as pairs in a definition list."""
        item = view.item
        was = (
            f'<div class="text-sm text-zinc-400">Before <span class="line-through">{_flat(item.list_price)}</span></div>'
            if item.list_price
            else ""
        )
        rows = (("Brand", item.brand), ("Article number", item.sku), *item.specs)
        specs = "".join(
            f'<div class="flex border-b border-zinc-100 py-3"><dt class="w-1/3 text-sm text-zinc-500">{e(label)}</dt><dd class="text-sm">{e(value)}</dd></div>'
            for label, value in rows
        )
        reviews = "".join(
            f'<div class="border-t border-zinc-100 py-6"><div class="flex items-center gap-2">{_STAR * one.stars}<span class="text-sm font-medium">{e(one.author)}</span><span class="text-xs text-zinc-400">{one.on:%b %d, %Y}</span></div><p class="mt-2 text-sm">{e(one.text)}</p></div>'
            for one in item.opinions
        )
        dot = "bg-emerald-500" if item.availability == IN_STOCK else "bg-rose-500"
        rating = (
            f'<div class="mt-3 flex items-center gap-3">{_stars(item)}<a class="text-sm underline" data-testid="review-count" href="#opinions">{item.reviews} ratings</a></div>'
            if item.rating is not None
            else ""
        )
        body = f"""<div class="mx-auto grid w-full max-w-7xl grid-cols-12 gap-10 px-8 py-12">
<div class="order-2 col-span-4"><div class="sticky top-24 rounded-2xl border border-zinc-200 p-6">
<div data-testid="pdp-price" data-currency="{CURRENCY}"><div>{_split(item.price, "text-4xl")}</div></div>
{was}<div class="mt-1 text-xs text-zinc-500">{e(view.note)} {_flat(FEE)} shipping</div>
<div class="mt-4 inline-flex items-center gap-2"><span class="h-2 w-2 rounded-full {dot}"></span><span class="text-sm font-medium" data-testid="pdp-availability">{availability_label(item)}</span></div>
<form class="mt-6" data-cart="{item.id}"><button class="w-full rounded-full bg-zinc-900 px-6 py-3 text-sm font-semibold text-white">Add to bag</button></form>
<div class="mt-4 text-xs text-zinc-500">Pay in 3 parts of {_flat(item.price / 3)}</div></div></div>
<div class="order-1 col-span-8"><div class="flex gap-2 text-xs text-zinc-400"><a href="/">Shop</a><span>/</span><a href="/category/{item.category.slug}">{e(item.category.name)}</a></div>
<picture class="mt-6 block overflow-hidden rounded-3xl"><source type="image/avif" srcset="{item.image.replace(".jpg", ".avif")}"><img class="w-full object-cover" data-testid="pdp-image" src="{item.image}" alt=""></picture>
<h1 class="mt-10 text-3xl font-semibold tracking-tight text-balance">{e(item.title)}</h1>
{rating}
<div class="prose prose-zinc mt-8 max-w-none"><p>{e(item.description)}</p></div>
<div class="mt-12 text-lg font-semibold">Details</div><dl class="mt-4">{specs}</dl>
<div class="mt-12 text-lg font-semibold" id="opinions">Opinions</div>{reviews}</div></div>
<div class="mx-auto w-full max-w-7xl px-8"><div class="text-lg font-semibold">Goes well with it</div><div class="mt-6 grid grid-cols-4 gap-6">{"".join(map(_tile, view.related))}</div></div>"""
        return _page(item.title, view.base_url + item.path, body)

    def category(self, view: CategoryView) -> str:
        """Tiles in a grid beside the shop's bestsellers, with links back and on."""
        best = "".join(
            f'<a class="flex justify-between py-2 {_LINK}" href="{item.path}"><span>{e(item.title)}</span><span>{_flat(item.price)}</span></a>'
            for item in view.bestsellers
        )
        after = (
            f'<a class="rounded-full border px-5 py-2 text-sm" rel="next" href="{view.link(view.page + 1)}">More</a>'
            if view.page < view.pages
            else ""
        )
        before = (
            f'<a class="rounded-full border px-5 py-2 text-sm" href="{view.link(view.page - 1)}">Back</a>'
            if view.page > 1
            else ""
        )
        body = f"""<div class="mx-auto grid w-full max-w-7xl grid-cols-12 gap-8 px-8 py-12"><div class="col-span-3"><div class="text-sm font-semibold">Everybody's favourites</div><div class="mt-4">{best}</div></div>
<div class="col-span-9"><h1 class="text-4xl font-black">{e(view.category.name)}</h1><p class="mt-2 text-sm text-zinc-500">{view.page} / {view.pages}</p>
<div class="mt-8 grid grid-cols-3 gap-x-6 gap-y-12" data-testid="catalogue">
{chr(10).join(map(_tile, view.items))}
</div><div class="mt-12 flex justify-center gap-4">{before}{after}</div></div></div>"""
        return _page(view.category.name, view.base_url + view.link(view.page), body)

    def api_page(self, view: ApiView) -> Mapping[str, Any]:
        """Products in `data`, wrapped as JSON:API does."""
        return {
            "meta": {
                "pagination": {
                    "current": view.page,
                    "last": view.pages,
                    "count": view.total,
                }
            },
            "links": {"next": view.next},
            "data": list(map(self.api_item, view.items)),
        }

    def api_item(self, item: Item) -> Mapping[str, Any]:
        """A product with its attributes in an object of their own."""
        return {
            "type": "product",
            "id": str(item.id),
            "attributes": {
                "articleNumber": item.sku,
                "title": item.title,
                "department": item.category.name,
                "pricing": {
                    "current": float(item.price),
                    "before": float(item.list_price) if item.list_price else None,
                    "currencyCode": CURRENCY,
                },
                "inventory": {"quantity": item.stock, "status": item.availability},
                "score": str(item.rating) if item.rating is not None else None,
            },
            "relationships": {
                "manufacturer": {"data": {"type": "brand", "name": item.brand}}
            },
            "links": {"self": f"/api/products/{item.id}", "html": item.path},
        }
