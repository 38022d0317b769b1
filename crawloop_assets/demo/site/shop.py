"""What the demo shop answers: its pages, its API, and the commands that drive it.

No sockets here.
"""

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib import import_module
from operator import attrgetter
from typing import Any
from urllib.parse import parse_qs, urlsplit

from crawloop_assets.demo.loopback import Reply
from crawloop_assets.demo.site.changes import TROUBLES, Break, Layout, Only, ShopPart
from crawloop_assets.demo.site.goods import CATEGORIES, Category, Item
from crawloop_assets.demo.site.layout_a import LayoutA
from crawloop_assets.demo.site.layout_b import LayoutB
from crawloop_assets.demo.site.layout_c import LayoutC
from crawloop_assets.demo.site.state import ShopState
from crawloop_assets.demo.site.views import ProductView, Renderer

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
_BY_SLUG = {category.slug: category for category in CATEGORIES}
_CLOSED = ("/cart", "/account", "/search")
_RELATED = 8
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


class Shop(ShopState):
    """A shop with 300 products that answers requests. Thread-safe."""

    def __init__(self, seed: int = 7, base_url: str = "http://127.0.0.1"):
        """`base_url` is where its pages say they are; the same `seed` gives the same
        goods."""
        super().__init__(seed, base_url)
        self.hits: list[ShopHit] = []

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
        """The answer to a command, a page or the API; 405 for a method that neither
        reads nor is a command's."""
        segments = path.strip("/").split("/")
        control = self._control(method, segments, body)
        if control is not None:
            return control
        if method not in ("GET", "HEAD"):
            return Reply(405, b"", {"Allow": "GET, HEAD"})
        number = query.get("page", [""])[0]
        page = int(number) if number.isdigit() else 1
        return self._page(segments, page)

    def _control(self, method: str, segments: list[str], body: bytes) -> Reply | None:
        """What is for whoever drives the shop, None if it is for a visitor."""
        match segments:
            case ["_demo", command] if method == "POST":
                return self._command(command, body)
            case ["_demo", "truth", name]:
                return self._truth_as_json(name)
            case ["_demo", "hits"]:
                return _json(
                    [hit.__dict__ | {"at": hit.at.isoformat()} for hit in self.hits]
                )
        return None

    def _page(self, segments: list[str], page: int) -> Reply:
        """A page of the shop or of its API, or else a file."""
        match segments:
            case [""]:
                return self._category_page(CATEGORIES[0], 1)
            case ["product", name]:
                return self._product_page(name)
            case ["category", slug]:
                return self._category_of(slug, page)
            case ["api", "products"]:
                return self._api_page(page)
            case ["api", "products", number]:
                return self._api_item(number)
        return self._file(segments)

    def _file(self, segments: list[str]) -> Reply:
        """What is no page."""
        match segments:
            case ["robots.txt"]:
                return self._robots()
            case ["sitemap.xml"]:
                return self._sitemap()
            case ["media", _]:
                return Reply(200, _PIXEL, {"Content-Type": "image/png"})
        return _missing()

    def _command(self, command: str, body: bytes) -> Reply:
        """Drive the shop from another process; a command it does not understand is a
        400 that says so."""
        try:
            return self._carried_out(command, json.loads(body or b"{}"))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            return _json({"error": str(error)}, 400)

    def _carried_out(self, command: str, data: dict[str, Any]) -> Reply:
        """Does what a command says and tells how that went; 404 for one there is not.
        KeyError, ValueError and their like for data that do not go with it."""
        only = Only.model_validate(data["only"]) if data.get("only") else None
        commands: Mapping[str, Callable[[], object]] = {
            "layout": lambda: self.redesign(data["layout"], only),
            "prices": lambda: self.change_prices(float(data.get("share", 0.2))),
            "break": lambda: self.break_(data["break"], only),
            "mend": self.mend,
            "discontinue": lambda: self.discontinue(data["sku"]),
        }
        if command not in commands:
            return _json({"error": f"no command {command!r}"}, 404)
        changed = commands[command]()
        return _json({"ok": True} if changed is None else {"changed": changed})

    def _truth_as_json(self, name: str) -> Reply:
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

    # -- pages --------------------------------------------------------------------

    def _renderer(self, part: ShopPart, category: str, key: str) -> Renderer:
        """The layout that this page has now."""
        return _RENDERERS[self._layout(part, category, key)]

    def _view(self, item: Item, breaks: Sequence[Break]) -> ProductView:
        """A product as its page shows it, which is not how it is while something is
        broken; the page says honestly whether its price has the tax in it."""
        note = "excl. VAT, plus" if Break.NET_PRICE in breaks else "incl. VAT, plus"
        (seen,) = self._shown([item], breaks)
        return ProductView(self.base_url, seen, self._related(item), note)

    def _product_page(self, name: str) -> Reply:
        """A product's page as it is shown now: 404 if there never was one, 410 if it is
        no longer sold, or what stands in the way."""
        item = self._item(name.rpartition("-")[2])
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
        view = self._view(item, breaks)
        renderer = self._renderer(ShopPart.PRODUCT, item.category.slug, item.sku)
        return Reply(200, renderer.product(view).encode(), _HTML)

    def _related(self, item: Item) -> list[Item]:
        """Other products of its category, always the same ones."""
        others = []
        for other in self.items:
            if other.category == item.category and other.id != item.id:
                others.append(other)
        return random.Random(item.id).sample(others, min(_RELATED, len(others)))

    def _category_of(self, slug: str, page: int) -> Reply:
        """A page of a category, 404 for a name that is none."""
        if slug not in _BY_SLUG:
            return _missing()
        return self._category_page(_BY_SLUG[slug], page)

    def _category_page(self, category: Category, page: int) -> Reply:
        """A page of a category as it is shown now; 404 beyond the last one."""
        views = self._category_views(category)
        if not 1 <= page <= len(views):
            return _missing()
        view = views[page - 1]
        key = f"{category.slug}/{page}"
        breaks = self._broken(ShopPart.CATEGORY, category.slug, key)
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        items = self._listed(view.items, breaks)
        renderer = self._renderer(ShopPart.CATEGORY, category.slug, key)
        return Reply(200, renderer.category(replace(view, items=items)).encode(), _HTML)

    def _api_page(self, page: int) -> Reply:
        """A page of the API as it is now; 404 beyond the last one."""
        views = self._api_views()
        if not 1 <= page <= len(views):
            return _json({"error": "no such page"}, 404)
        breaks = self._broken(ShopPart.API, "", f"api/{page}")
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        view = views[page - 1]
        renderer = self._renderer(ShopPart.API, "", f"api/{page}")
        items = self._listed(view.items, breaks)
        return _json(renderer.api_page(replace(view, items=items)))

    def _listed(self, items: Sequence[Item], breaks: Sequence[Break]) -> list[Item]:
        """The rows a listing shows."""
        return [] if Break.EMPTY in breaks else self._shown(items, breaks)

    def _api_item(self, number: str) -> Reply:
        """A product of the API as it is now; 404 and 410 as its page has them."""
        item = self._item(number)
        if item is None:
            return _json({"error": "not found"}, 404)
        if item.id in self._gone:
            return _json({"error": "no longer sold"}, 410)
        breaks = self._broken(ShopPart.API, "", item.sku)
        trouble = _trouble(breaks)
        if trouble:
            return trouble
        renderer = self._renderer(ShopPart.API, "", item.sku)
        return _json(renderer.api_item(self._shown([item], breaks)[0]))

    def _item(self, number: str) -> Item | None:
        """A product that is or was sold."""
        return self._items.get(int(number)) if number.isdigit() else None

    def _robots(self) -> Reply:
        """A robots.txt that closes a few paths and names the sitemap."""
        closed = "".join(f"Disallow: {path}\n" for path in _CLOSED)
        text = f"User-agent: *\n{closed}Sitemap: {self.base_url}/sitemap.xml\n"
        return Reply(200, text.encode(), {"Content-Type": "text/plain"})

    def _sitemap(self) -> Reply:
        """All products and pages of categories, with when anything last changed."""
        paths = list(map(attrgetter("path"), self.items))
        paths += [shelf.link(shelf.page) for shelf in self._shelves()]
        when = self._changed.isoformat()
        urls = "".join(
            f"<url><loc>{self.base_url}{path}</loc><lastmod>{when}</lastmod></url>\n"
            for path in paths
        )
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
        return Reply(200, text.encode(), {"Content-Type": "application/xml"})


_HTML = {"Content-Type": "text/html; charset=utf-8"}


def _trouble(breaks: Sequence[Break]) -> Reply | None:
    """The answer instead of a page, None if there is a page."""
    for kind in breaks:
        trouble = TROUBLES.get(kind)
        if trouble:
            headers = {**_HTML, **dict(trouble.headers)}
            return Reply(trouble.status, trouble.html.encode(), headers)
    return None


def _missing() -> Reply:
    """404, as a page."""
    return Reply(
        404,
        b"<html><head><title>Not found</title></head><body><h1>Not found</h1></body></html>",
        _HTML,
    )


def _json(data: Any, status: int = 200) -> Reply:
    """A reply in JSON."""
    text = json.dumps(data, ensure_ascii=False)
    return Reply(status, text.encode(), {"Content-Type": "application/json"})
