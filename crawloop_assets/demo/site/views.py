"""What a layout is given to render, and how text, money and stars are written."""

# ruff: noqa: E501 - templates read best unbroken

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any, Protocol

from crawloop_assets.demo.site.goods import CATEGORIES, IN_STOCK, Category, Item

SHOP = "Fernwood Supply"
FAQ = (
    ("Delivery", "Orders placed before 14:00 leave the warehouse the same day. Delivery costs {fee}, and nothing from {free}."),
    ("Returns", "You have 45 days to change your mind. Unpack it, use it, decide; the return label is in the box."),
    ("Repairs", "We mend what we sold for as long as there are parts. A repair costs {repair} plus whatever broke."),
    ("Payment", "Card, bank transfer, or in three instalments of a third each. Gift cards come in {gift}."),
)  # fmt: skip
FEE, FREE, REPAIR, GIFT = (
    Decimal("4.95"),
    Decimal("75.00"),
    Decimal("29.00"),
    Decimal("50.00"),
)


@dataclass(frozen=True)
class ProductView:
    """A product page: the product as it is to be shown, and the ones beside it.

    `note` stands next to the price.
    """

    base_url: str
    item: Item
    related: Sequence[Item]
    note: str


@dataclass(frozen=True)
class CategoryView:
    """One page of a category."""

    base_url: str
    category: Category
    items: Sequence[Item]
    bestsellers: Sequence[Item]
    page: int
    pages: int

    def link(self, page: int) -> str:
        """The path of a page of this category; the first has no number."""
        return f"/category/{self.category.slug}" + (f"?page={page}" if page > 1 else "")


@dataclass(frozen=True)
class ApiView:
    """One page of the API."""

    base_url: str
    items: Sequence[Item]
    page: int
    pages: int
    total: int

    @property
    def next(self) -> str | None:
        """The path of the next page, None on the last."""
        return f"/api/products?page={self.page + 1}" if self.page < self.pages else None


class Renderer(Protocol):
    """A layout: HTML of the two kinds of pages, JSON of the API."""

    def product(self, view: ProductView) -> str:
        """The HTML of a product's page."""

    def category(self, view: CategoryView) -> str:
        """The HTML of a page of a category."""

    def api_page(self, view: ApiView) -> Mapping[str, Any]:
        """The JSON of a page of the API."""

    def api_item(self, item: Item) -> Mapping[str, Any]:
        """The JSON of one product of the API."""


def e(text: object) -> str:
    """Escaped for HTML."""
    return escape(str(text))


def english(amount: Decimal) -> str:
    """1299 -> 1,299.00."""
    return f"{amount:,.2f}"


def german(amount: Decimal) -> str:
    """1299 -> 1.299,00."""
    return english(amount).translate({ord(","): ".", ord("."): ","})


def availability_label(item: Item) -> str:
    """Availability as people read it."""
    return item.availability.capitalize()


def vocabulary(item: Item) -> str:
    """Availability as schema.org names it."""
    return {IN_STOCK: "InStock", "out of stock": "OutOfStock"}.get(
        item.availability, "PreOrder"
    )


def faq(money: Mapping[str, str]) -> list[tuple[str, str]]:
    """Questions and answers with amounts that are no product's price."""
    return [(title, text.format(**money)) for title, text in FAQ]


def departments() -> list[tuple[str, str, list[str]]]:
    """For menus: path, name and kinds of products of every category."""
    return [(f"/category/{one.slug}", one.name, list(one.nouns)) for one in CATEGORIES]


FOOTER = (
    (
        "Help",
        (
            "Contact",
            "Delivery times",
            "Track a parcel",
            "Return something",
            "Repair service",
            "Size guides",
        ),
    ),
    (
        "Company",
        (
            "About us",
            "The warehouse",
            "Jobs",
            "Press",
            "Our suppliers",
            "Carbon ledger",
        ),
    ),
    (
        "Legal",
        ("Terms", "Privacy", "Imprint", "Cookies", "Battery disposal", "Accessibility"),
    ),
)
SCRIPT = """
(function (w, d) {
  var queue = [], started = Date.now();
  w.shop = w.shop || { debug: false, version: "%(version)s", push: function (e) { queue.push([e, Date.now() - started]); } };
  function each(selector, run) { Array.prototype.forEach.call(d.querySelectorAll(selector), run); }
  function lazy(image) { if (image.dataset.src && !image.src) { image.src = image.dataset.src; } }
  function toggle(event) {
    var panel = d.getElementById(event.currentTarget.getAttribute("aria-controls"));
    if (panel) { panel.hidden = !panel.hidden; event.currentTarget.setAttribute("aria-expanded", String(!panel.hidden)); }
  }
  d.addEventListener("DOMContentLoaded", function () {
    each("img[data-src]", lazy);
    each("button[aria-controls]", function (button) { button.addEventListener("click", toggle); });
    each("form[data-cart]", function (form) {
      form.addEventListener("submit", function (event) {
        event.preventDefault();
        w.shop.push({ name: "add", id: form.dataset.cart, quantity: Number(form.quantity ? form.quantity.value : 1) });
      });
    });
  });
  w.addEventListener("pagehide", function () {
    if (queue.length && navigator.sendBeacon) { navigator.sendBeacon("/_beacon", JSON.stringify(queue)); }
  });
})(window, document);
"""
