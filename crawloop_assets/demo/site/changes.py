"""What can happen to the shop: a layout for some of its pages, a price change,
something that breaks."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field

from crawloop_assets.demo.site.goods import Item


class Layout(StrEnum):
    """A design of the whole shop."""

    A = "A"
    B = "B"
    C = "C"


class ShopPart(StrEnum):
    """The three kinds of pages."""

    PRODUCT = "product"
    CATEGORY = "category"
    API = "api"


class Only(BaseModel):
    """Which pages a change is for: kinds of pages, categories (slugs; of the API:
    none), a share of them (0..1).

    Empty means all. The share is of products, or of pages of a listing, always the same
    ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: frozenset[ShopPart] = frozenset()
    categories: frozenset[str] = frozenset()
    share: float = Field(1.0, ge=0, le=1)

    def covers(self, part: ShopPart, category: str, key: str) -> bool:
        """Whether it is for this page; `key` names the page."""
        if self.parts and part not in self.parts:
            return False
        if self.categories and category not in self.categories:
            return False
        return crc32(key.encode()) % 10_000 < self.share * 10_000


class Break(StrEnum):
    """Something that goes wrong.

    The first group are values that are wrong but look right.
    """

    NET_PRICE = "net_price"
    """Prices without tax, and said so beside them."""

    SWAPPED_PRICES = "swapped_prices"
    """The price before the sale stands where the price stood."""

    NEIGHBOUR = "neighbour"
    """Price, rating and stock are those of the next product."""
    ONE_PRICE = "one_price"
    """All prices are the same."""
    CENTS = "cents"
    """Prices are a hundred times too high."""

    CUT_TITLES = "cut_titles"
    """Long titles end in an ellipsis."""

    SOFT_404 = "soft_404"
    LOGIN = "login"
    CONSENT = "consent"
    CHALLENGE = "challenge"
    SHELL = "shell"
    """The page is an empty application that a browser would fill."""

    MAINTENANCE = "maintenance"
    ERROR = "error"
    THROTTLED = "throttled"
    EMPTY = "empty"
    """Listings without rows; product pages as ever."""


VALUE_BREAKS = frozenset(
    (
        Break.NET_PRICE,
        Break.SWAPPED_PRICES,
        Break.NEIGHBOUR,
        Break.ONE_PRICE,
        Break.CENTS,
        Break.CUT_TITLES,
    )
)
_CENT = Decimal("0.01")


def shown(item: Item, following: Item, breaks: Iterable[Break]) -> Item:
    """The product as its page shows it while these things are broken."""
    for kind in breaks:
        match kind:
            case Break.NET_PRICE:
                item = replace(
                    item, price=(item.price / Decimal("1.19")).quantize(_CENT)
                )
            case Break.SWAPPED_PRICES if item.list_price:
                item = replace(item, price=item.list_price, list_price=item.price)
            case Break.NEIGHBOUR:
                item = replace(
                    item,
                    price=following.price,
                    list_price=following.list_price,
                    availability=following.availability,
                    stock=following.stock,
                    rating=following.rating,
                    reviews=following.reviews,
                )
            case Break.ONE_PRICE:
                item = replace(item, price=Decimal("49.90"), list_price=None)
            case Break.CENTS:
                item = replace(item, price=item.price * 100)
            case Break.CUT_TITLES if len(item.title) > 24:
                item = replace(item, title=item.title[:24].rstrip() + "…")
    return item


@dataclass(frozen=True)
class Trouble:
    """An answer that is not the page: status, html and headers."""

    status: int
    html: str
    headers: tuple[tuple[str, str], ...] = ()


def _notice(title: str, text: str, more: str = "") -> str:
    """A page with nothing but a title, a sentence and `more` html."""
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p>{more}"
        "<p><a href='/'>Home</a></p></body></html>"
    )


_PASSWORD = "<form method='post' action='/login'><input name='user'><input type='password' name='password'></form>"
TROUBLES = {
    Break.SOFT_404: Trouble(
        200,
        _notice("Page not found", "Sorry, we could not find the page you asked for."),
    ),
    Break.LOGIN: Trouble(
        200, _notice("Log in", "Please log in to continue.", _PASSWORD)
    ),
    Break.CONSENT: Trouble(
        200,
        _notice(
            "Before you continue",
            "We and our partners use cookies.",
            "<button>Accept all</button>",
        ),
    ),
    Break.CHALLENGE: Trouble(
        403,
        _notice(
            "Just a moment...",
            "Checking your browser before you enter.",
            "<script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script>",
        ),
    ),
    Break.SHELL: Trouble(
        200,
        "<!doctype html><html><head><title>Shop</title></head><body><div id='root'></div>"
        "<script src='/assets/app.js'></script></body></html>",
    ),
    Break.MAINTENANCE: Trouble(
        503,
        _notice("Down for maintenance", "We are back soon."),
        (("Retry-After", "120"),),
    ),
    Break.ERROR: Trouble(
        500, _notice("Internal server error", "Something went wrong.")
    ),
    Break.THROTTLED: Trouble(
        429, _notice("Too many requests", "Slow down, please."), (("Retry-After", "2"),)
    ),
}
