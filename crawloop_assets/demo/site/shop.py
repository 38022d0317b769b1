"""The demo shop: its goods, its looks, its troubles, and what is true whatever its
pages say.

No sockets here.
"""

import hashlib
import json
import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel

from crawloop_assets.demo.loopback import Reply
from crawloop_assets.demo.site.changes import (
    TROUBLES,
    VALUE_BREAKS,
    Break,
    Layout,
    Only,
    ShopPart,
    shown,
)
from crawloop_assets.demo.site.goods import (
    CATEGORIES,
    CURRENCY,
    Category,
    Item,
    stock_of_goods,
)
from crawloop_assets.demo.site.layout_a import LayoutA
from crawloop_assets.demo.site.layout_b import LayoutB
from crawloop_assets.demo.site.layout_c import LayoutC
from crawloop_assets.demo.site.views import ApiView, CategoryView, ProductView, Renderer

Model = TypeVar("Model", bound=BaseModel)

PER_PAGE = 20
_RENDERERS: Mapping[Layout, Renderer] = {
    Layout.A: LayoutA(),
    Layout.B: LayoutB(),
    Layout.C: LayoutC(),
}
_SCHEMAS = {
    "Product": "schemas.product",
    "Offer": "schemas.offer",
    "ApiProduct": "schemas.api_product",
}
_ALL = Only()
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f64540"
    "0000000049454e44ae426082"
)


@dataclass(frozen=True)
class ShopHit:
    """One request the shop got."""

    at: datetime
    method: str
    path: str
    status: int
    agent: str


class Shop:
    """A shop with 300 products.

    The same seed gives the same goods and the same changes. Thread-safe. `base_url` is
    where it is served; a server sets it.
    """

    def __init__(self, seed: int = 7, base_url: str = "http://127.0.0.1"):
        self.base_url = base_url
        self.hits: list[ShopHit] = []
        self._items = {item.id: item for item in stock_of_goods(seed)}
        self._gone: set[int] = set()
        self._layouts: list[tuple[Layout, Only]] = [(Layout.A, _ALL)]
        self._breaks: list[tuple[Break, Only]] = []
        self._chance = random.Random(seed + 1)
        self._lock = threading.RLock()
        self._changed = datetime.now(UTC).replace(microsecond=0)

    # -- what happens to it -----------------------------------------------------------------------------------------

    def redesign(self, layout: Layout | str, only: Only | None = None) -> None:
        """Give some pages (default: all) another layout.

        Later calls win.
        """
        with self._lock:
            if only is None:
                self._layouts.clear()
            self._layouts.append((Layout(layout), only or _ALL))
            self._touch()

    def change_prices(
        self, share: float = 0.2, at_most: Decimal = Decimal("0.15")
    ) -> tuple[str, ...]:
        """Change the prices of a share of the products by up to `at_most` of the price.

        Returns their SKUs.
        """
        with self._lock:
            chosen = [item for item in self.items if self._chance.random() < share]
            for item in chosen:
                factor = (
                    1 + Decimal(str(round(self._chance.uniform(-1, 1), 3))) * at_most
                )
                price = max(
                    (item.price * factor).quantize(Decimal("0.01")), Decimal("1.00")
                )
                price += Decimal("0.01") if price == item.price else 0
                sale = (
                    item.list_price
                    if item.list_price and item.list_price > price
                    else None
                )
                self._items[item.id] = replace(item, price=price, list_price=sale)
            self._touch()
            return tuple(item.sku for item in chosen)

    def discontinue(self, sku: str) -> None:
        """Take a product out of the shop; its page is gone (410).

        KeyError if there is none.
        """
        with self._lock:
            self._gone.add(
                next((item.id for item in self.items if item.sku == sku), 0)
                or _no_such(sku)
            )
            self._touch()

    def break_(self, kind: Break | str, only: Only | None = None) -> None:
        """Let something go wrong on some pages (default: all), until `mend`.

        The truth stays what it is.
        """
        with self._lock:
            self._breaks.append((Break(kind), only or _ALL))
            self._touch()

    def mend(self) -> None:
        """End everything that `break_` began."""
        with self._lock:
            self._breaks.clear()
            self._touch()

    def _touch(self) -> None:
        self._changed = datetime.now(UTC).replace(microsecond=0)

    # -- what is true -----------------------------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """The products on sale, in their order."""
        return tuple(item for item in self._items.values() if item.id not in self._gone)

    def truth(self, schema: type[Model]) -> dict[str, tuple[Model, ...]]:
        """The true records of every page by its url, for the schemas Product, Offer and
        ApiProduct.

        Schemas are told apart by name; fields the shop does not know are left out.
        """
        with self._lock:
            match schema.__name__:
                case "Product":
                    pages = {item.path: [item] for item in self.items}
                case "Offer":
                    pages = {
                        view.link(view.page): list(view.items)
                        for category in CATEGORIES
                        for view in self._category_views(category)
                    }
                case "ApiProduct":
                    pages = {
                        f"/api/products?page={view.page}": list(view.items)
                        for view in self._api_views()
                    }
                case name:
                    raise ValueError(
                        f"the shop has no pages of {name}: Product, Offer or ApiProduct"
                    )
            return {
                self.base_url + path: tuple(
                    self._record(item, schema) for item in items
                )
                for path, items in pages.items()
            }

    def _record(self, item: Item, schema: type[Model]) -> Model:
        facts = {
            "url": self.base_url + item.path,
            "title": item.title,
            "name": item.title,
            "brand": item.brand,
            "sku": item.sku,
            "price": item.price,
            "currency": CURRENCY,
            "list_price": item.list_price,
            "availability": item.availability,
            "stock": item.stock,
            "rating": item.rating,
            "reviews": item.reviews if item.rating is not None else None,
            "description": item.description,
            "image": self.base_url + item.image,
            "category": item.category.name,
        }
        return schema.model_validate(
            {name: facts[name] for name in schema.model_fields if name in facts}
        )

    # -- what it answers --------------------------------------------------------------------------------------------

    def respond(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Reply:
        """Answer one request; header names in lower case."""
        parts = urlsplit(target)
        with self._lock:
            answer = self._routed(method, parts.path, parse_qs(parts.query), body)
            if answer.status == 200 and method in ("GET", "HEAD"):
                answer = self._conditional(answer, headers)
            if not parts.path.startswith("/_demo/"):
                agent = headers.get("user-agent", "")
                self.hits.append(
                    ShopHit(datetime.now(UTC), method, target, answer.status, agent)
                )
            return answer

    def _routed(
        self, method: str, path: str, query: Mapping[str, list[str]], body: bytes
    ) -> Reply:
        page = int(query["page"][0]) if query.get("page", [""])[0].isdigit() else 1
        match path.strip("/").split("/"):
            case ["_demo", command] if method == "POST":
                return self._command(command, body)
            case ["_demo", "truth", name]:
                return self._told_truth(name)
            case ["_demo", "hits"]:
                return _json(
                    [hit.__dict__ | {"at": hit.at.isoformat()} for hit in self.hits]
                )
            case _ if method not in ("GET", "HEAD"):
                return Reply(405, b"", {"Allow": "GET, HEAD"})
            case [""]:
                return self._category_page(CATEGORIES[0], 1)
            case ["product", name]:
                return self._product_page(name)
            case ["category", slug]:
                found = next((one for one in CATEGORIES if one.slug == slug), None)
                return self._category_page(found, page) if found else _missing()
            case ["api", "products"]:
                return self._api_page(page)
            case ["api", "products", number]:
                item = self._items.get(int(number)) if number.isdigit() else None
                return (
                    self._api_item(item) if item else _json({"error": "not found"}, 404)
                )
        return self._other(path)

    def _other(self, path: str) -> Reply:
        """What is no page."""
        match path.strip("/").split("/"):
            case ["robots.txt"]:
                closed = "".join(
                    f"Disallow: {path}\n" for path in ("/cart", "/account", "/search")
                )
                text = f"User-agent: *\n{closed}Sitemap: {self.base_url}/sitemap.xml\n"
                return Reply(200, text.encode(), {"Content-Type": "text/plain"})
            case ["sitemap.xml"]:
                return self._sitemap()
            case ["media", _]:
                return Reply(200, _PIXEL, {"Content-Type": "image/png"})
        return _missing()

    def _command(self, command: str, body: bytes) -> Reply:
        """Drive the shop from another process; a command it does not understand is a
        400 that says so."""
        try:
            data = json.loads(body or b"{}")
            only = Only.model_validate(data["only"]) if data.get("only") else None
            match command:
                case "layout":
                    self.redesign(data["layout"], only)
                case "prices":
                    return _json(
                        {"changed": self.change_prices(float(data.get("share", 0.2)))}
                    )
                case "break":
                    self.break_(data["break"], only)
                case "mend":
                    self.mend()
                case "discontinue":
                    self.discontinue(data["sku"])
                case _:
                    return _json({"error": f"no command {command!r}"}, 404)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            return _json({"error": str(error)}, 400)
        return _json({"ok": True})

    def _told_truth(self, name: str) -> Reply:
        """`truth` as JSON: url -> records."""
        if name not in _SCHEMAS:
            return _missing()
        pages = self.truth(getattr(import_module(_SCHEMAS[name]), name))
        return _json(
            {
                url: [record.model_dump(mode="json") for record in records]
                for url, records in pages.items()
            }
        )

    def _conditional(self, answer: Reply, headers: Mapping[str, str]) -> Reply:
        """With validators, and 304 for what the client already has."""
        tag = f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"'
        known = headers.get("if-none-match", "")
        validators = {
            "ETag": tag,
            "Last-Modified": format_datetime(self._changed, usegmt=True),
        }
        if tag in known:
            return Reply(304, b"", validators)
        return replace(
            answer,
            headers={**answer.headers, **validators, "Cache-Control": "no-cache"},
        )

    # -- pages ------------------------------------------------------------------------------------------------------

    def _renderer(self, part: ShopPart, category: str, key: str) -> Renderer:
        chosen = [
            layout for layout, only in self._layouts if only.covers(part, category, key)
        ]
        return _RENDERERS[chosen[-1] if chosen else Layout.A]

    def _broken(self, part: ShopPart, category: str, key: str) -> list[Break]:
        return [kind for kind, only in self._breaks if only.covers(part, category, key)]

    def _shown(self, items: Sequence[Item], breaks: Sequence[Break]) -> list[Item]:
        """The products as a page shows them; the neighbour of the last is the first of
        all."""
        if not VALUE_BREAKS & set(breaks):
            return list(items)
        everything = self.items
        after = {
            item.id: everything[(at + 1) % len(everything)]
            for at, item in enumerate(everything)
        }
        return [shown(item, after[item.id], breaks) for item in items]

    def _product_page(self, name: str) -> Reply:
        number = name.rpartition("-")[2]
        item = self._items.get(int(number)) if number.isdigit() else None
        if item is None or item.path != f"/product/{name}":
            return _missing()
        if item.id in self._gone:
            return Reply(
                410, b"<html><body><h1>No longer sold</h1></body></html>", _HTML
            )
        breaks = self._broken(ShopPart.PRODUCT, item.category.slug, item.sku)
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        same = [
            other
            for other in self.items
            if other.category == item.category and other.id != item.id
        ]
        related = random.Random(item.id).sample(same, min(8, len(same)))
        note = "excl. VAT, plus" if Break.NET_PRICE in breaks else "incl. VAT, plus"
        view = ProductView(self.base_url, self._shown([item], breaks)[0], related, note)
        renderer = self._renderer(ShopPart.PRODUCT, item.category.slug, item.sku)
        return Reply(200, renderer.product(view).encode(), _HTML)

    def _category_views(self, category: Category) -> list[CategoryView]:
        items = [item for item in self.items if item.category == category]
        best = sorted(self.items, key=lambda item: (-item.reviews, item.id))[:6]
        pages = [
            items[at : at + PER_PAGE] for at in range(0, len(items), PER_PAGE)
        ] or [[]]
        return [
            CategoryView(self.base_url, category, page, best, n, len(pages))
            for n, page in enumerate(pages, 1)
        ]

    def _category_page(self, category: Category, page: int) -> Reply:
        views = self._category_views(category)
        if not 1 <= page <= len(views):
            return _missing()
        view = views[page - 1]
        key = f"{category.slug}/{page}"
        breaks = self._broken(ShopPart.CATEGORY, category.slug, key)
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        items = [] if Break.EMPTY in breaks else self._shown(view.items, breaks)
        renderer = self._renderer(ShopPart.CATEGORY, category.slug, key)
        return Reply(200, renderer.category(replace(view, items=items)).encode(), _HTML)

    def _api_views(self) -> list[ApiView]:
        items = self.items
        pages = [items[at : at + PER_PAGE] for at in range(0, len(items), PER_PAGE)]
        return [
            ApiView(self.base_url, page, n, len(pages), len(items))
            for n, page in enumerate(pages, 1)
        ]

    def _api_page(self, page: int) -> Reply:
        views = self._api_views()
        if not 1 <= page <= len(views):
            return _json({"error": "no such page"}, 404)
        breaks = self._broken(ShopPart.API, "", f"api/{page}")
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        items = (
            [] if Break.EMPTY in breaks else self._shown(views[page - 1].items, breaks)
        )
        renderer = self._renderer(ShopPart.API, "", f"api/{page}")
        return _json(renderer.api_page(replace(views[page - 1], items=items)))

    def _api_item(self, item: Item) -> Reply:
        if item.id in self._gone:
            return _json({"error": "no longer sold"}, 410)
        breaks = self._broken(ShopPart.API, "", item.sku)
        return _trouble(breaks) or _json(
            self._renderer(ShopPart.API, "", item.sku).api_item(
                self._shown([item], breaks)[0]
            )
        )

    def _sitemap(self) -> Reply:
        paths = [item.path for item in self.items]
        paths += [
            view.link(view.page)
            for one in CATEGORIES
            for view in self._category_views(one)
        ]
        when = self._changed.isoformat()
        urls = "".join(
            f"<url><loc>{self.base_url}{path}</loc><lastmod>{when}</lastmod></url>\n"
            for path in paths
        )
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
        return Reply(200, text.encode(), {"Content-Type": "application/xml"})


_HTML = {"Content-Type": "text/html; charset=utf-8"}


def _trouble(breaks: Sequence[Break]) -> Reply | None:
    for one in breaks:
        if one in TROUBLES:
            trouble = TROUBLES[one]
            return Reply(
                trouble.status,
                trouble.html.encode(),
                {**_HTML, **dict(trouble.headers)},
            )
    return None


def _missing() -> Reply:
    return Reply(
        404,
        b"<html><head><title>Not found</title></head><body><h1>Not found</h1></body></html>",
        _HTML,
    )


def _json(data: Any, status: int = 200) -> Reply:
    text = json.dumps(data, ensure_ascii=False)
    return Reply(status, text.encode(), {"Content-Type": "application/json"})


def _no_such(sku: str) -> int:
    raise KeyError(sku)
