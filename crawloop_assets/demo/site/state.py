"""The state of the demo shop: its goods, its looks, its troubles, and what is true
whatever its pages say."""

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import chain
from operator import attrgetter
from typing import TypeVar

from pydantic import BaseModel

from crawloop_assets.demo.site.changes import (
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
from crawloop_assets.demo.site.views import ApiView, CategoryView

_Model = TypeVar("_Model", bound=BaseModel)

_PER_PAGE = 20
_BESTSELLERS = 6
_ALL = Only()
_CENT = Decimal("0.01")
_LEAST_PRICE = Decimal("1.00")


class ShopState:
    """What a shop sells and what has happened to it.

    The same seed gives the same goods and the same changes. Thread-safe. `base_url` is
    where it is served; a server sets it.
    """

    def __init__(self, seed: int = 7, base_url: str = "http://127.0.0.1"):
        """The same `seed` gives the same goods and the same price changes. Every page
        has layout A, and nothing is broken."""
        self.base_url = base_url
        self._items = {item.id: item for item in stock_of_goods(seed)}
        self._gone: set[int] = set()
        self._layouts: list[tuple[Layout, Only]] = [(Layout.A, _ALL)]
        self._breaks: list[tuple[Break, Only]] = []
        self._chance = random.Random(seed + 1)
        self._lock = threading.RLock()
        self._changed = datetime.now(UTC).replace(microsecond=0)

    # -- what happens to it -------------------------------------------------------

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
                self._items[item.id] = self._repriced(item, at_most)
            self._touch()
            return tuple(map(attrgetter("sku"), chosen))

    def _repriced(self, item: Item, at_most: Decimal) -> Item:
        """At another price; a sale that is no longer one ends."""
        share = Decimal(str(round(self._chance.uniform(-1, 1), 3)))
        price = (item.price * (1 + share * at_most)).quantize(_CENT)
        price = max(price, _LEAST_PRICE)
        if price == item.price:
            price += _CENT
        on_sale = item.list_price is not None and item.list_price > price
        list_price = item.list_price if on_sale else None
        return replace(item, price=price, list_price=list_price)

    def discontinue(self, sku: str) -> None:
        """Take a product out of the shop; its page is gone (410).

        KeyError if there is none.
        """
        with self._lock:
            for item in self.items:
                if item.sku == sku:
                    self._gone.add(item.id)
                    self._touch()
                    return
            raise KeyError(sku)

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
        """The shop has changed now; its pages and its sitemap say so."""
        self._changed = datetime.now(UTC).replace(microsecond=0)

    # -- what is true -------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """The products on sale, in their order."""
        return tuple(item for item in self._items.values() if item.id not in self._gone)

    def truth(self, schema: type[_Model]) -> dict[str, tuple[_Model, ...]]:
        """The true records of every page by its url, for the schemas Product, Offer and
        ApiProduct.

        Schemas are told apart by name; fields the shop does not know are left out.
        """
        with self._lock:
            truth = {}
            for path, items in self._items_by_page(schema.__name__):
                records = tuple(self._record(item, schema) for item in items)
                truth[self.base_url + path] = records
            return truth

    def _items_by_page(self, schema: str) -> Iterator[tuple[str, Sequence[Item]]]:
        """The paths of a kind of pages, and the products on each."""
        match schema:
            case "Product":
                for item in self.items:
                    yield item.path, [item]
            case "Offer":
                for shelf in self._shelves():
                    yield shelf.link(shelf.page), shelf.items
            case "ApiProduct":
                for view in self._api_views():
                    yield f"/api/products?page={view.page}", view.items
            case _:
                raise ValueError(
                    f"the shop has no pages of {schema}: Product, Offer or ApiProduct"
                )

    def _record(self, item: Item, schema: type[_Model]) -> _Model:
        """The true record of a product, with the fields that the schema has."""
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

    # -- what its pages show ------------------------------------------------------

    def _layout(self, part: ShopPart, category: str, key: str) -> Layout:
        """The last layout a page was given."""
        for layout, only in reversed(self._layouts):
            if only.covers(part, category, key):
                return layout
        return Layout.A

    def _broken(self, part: ShopPart, category: str, key: str) -> list[Break]:
        """What goes wrong on a page."""
        return [kind for kind, only in self._breaks if only.covers(part, category, key)]

    def _shown(self, items: Sequence[Item], breaks: Sequence[Break]) -> list[Item]:
        """The products as a page shows them; the neighbour of the last is the first of
        all."""
        if not VALUE_BREAKS & set(breaks):
            return list(items)
        everything = self.items
        ring = zip(everything, everything[1:] + everything[:1], strict=True)
        following = {item.id: after for item, after in ring}
        return [shown(item, following[item.id], breaks) for item in items]

    def _shelves(self) -> Iterator[CategoryView]:
        """The pages of all categories."""
        return chain.from_iterable(map(self._category_views, CATEGORIES))

    def _category_views(self, category: Category) -> list[CategoryView]:
        """The pages of a category; one that sells nothing any more has one."""
        items = [item for item in self.items if item.category == category]
        by_reviews = sorted(self.items, key=lambda item: (-item.reviews, item.id))
        best = by_reviews[:_BESTSELLERS]
        pages = _pages(items) or [[]]
        return [
            CategoryView(self.base_url, category, page, best, number, len(pages))
            for number, page in enumerate(pages, 1)
        ]

    def _api_views(self) -> list[ApiView]:
        """The pages of the API."""
        items = self.items
        pages = _pages(items)
        return [
            ApiView(self.base_url, page, number, len(pages), len(items))
            for number, page in enumerate(pages, 1)
        ]


def _pages(items: Sequence[Item]) -> list[Sequence[Item]]:
    """The items in pages of equal size, the last one shorter."""
    starts = range(0, len(items), _PER_PAGE)
    return [items[start : start + _PER_PAGE] for start in starts]
