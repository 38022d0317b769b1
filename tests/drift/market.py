"""The truth of a small shop that lives: what its products are and cost, day after day.

How a page says it is in market_pages.py, what a page may say wrongly in market_kinds.py.
"""

import random
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar

from pydantic import BaseModel, Field, HttpUrl

Values = dict[str, Any]
"""A product's true values: Decimal, int, date, datetime or text; without what it has not."""

BASE = "https://market.example"


def _words(*aliases: str) -> dict[str, Any]:
    return {"aliases": list(aliases)}


class Goods(BaseModel):
    """A product on its own page."""

    VOLATILE: ClassVar = {"price", "list_price", "rating", "reviews", "stock"}

    sku: str = Field(json_schema_extra=_words("article", "article number"))
    name: str = Field(min_length=3, json_schema_extra=_words("title"))
    brand: str = Field(json_schema_extra=_words("maker", "manufacturer"))
    price: Decimal = Field(gt=0, json_schema_extra=_words("current price"))
    currency: str = Field(
        pattern=r"^[A-Z]{3}$", json_schema_extra=_words("price currency")
    )
    list_price: Decimal | None = Field(
        None, gt=0, json_schema_extra=_words("was", "old price", "regular price")
    )
    rating: Decimal | None = Field(None, ge=0, le=5, json_schema_extra=_words("stars"))
    reviews: int | None = Field(None, ge=0, json_schema_extra=_words("review count"))
    stock: int | None = Field(None, ge=0, json_schema_extra=_words("in stock"))
    released: date | None = Field(None, json_schema_extra=_words("release date"))
    launch: datetime | None = Field(None, json_schema_extra=_words("sold from"))
    weight: Decimal | None = Field(None, gt=0)
    description: str | None = None
    category: str | None = None
    image: HttpUrl | None = None
    tags: list[str] = Field([], json_schema_extra=_words("keywords"))


class Offer(BaseModel):
    """A product in a row of a listing."""

    VOLATILE: ClassVar = {"price", "list_price", "rating", "reviews"}

    url: HttpUrl
    name: str = Field(min_length=3, json_schema_extra=_words("title"))
    brand: str = Field(json_schema_extra=_words("maker"))
    price: Decimal = Field(gt=0)
    list_price: Decimal | None = Field(None, gt=0, json_schema_extra=_words("was"))
    reviews: int | None = Field(None, ge=0)


def _split(words: str) -> list[str]:
    return words.split()


_ADJECTIVES = _split(
    "Quiet Red Small Northern Copper Early Wide Plain Heavy Golden Folding Silent Round Soft"
)
_NOUNS = _split(
    "Lamp Kettle Chair Rope Notebook Bowl Jacket Lantern Shelf Blanket Mug Basket Clock Stool"
)
_BRANDS = (
    "Alder & Finch",
    "Birka",
    "Corvo Dunn",
    "Elmet",
    "Fjordal",
    "Granby Hill",
    "Hestia",
    "Isola",
)
_CATEGORIES = ("Garden", "Kitchen", "Bedroom", "Workshop")
_TAGS = _split("solid handmade outdoor washable gift classic compact light sturdy")
_TEXT = _split(
    "made of oak and steel with a smooth finish that lasts for years in daily use and looks good"
    " on any table at home while its cover keeps dust and rain away from what matters inside"
)


@dataclass
class Product:
    """One product; `values` are true today, `past` were true on earlier days, oldest first."""

    number: int
    slug: str
    values: Values
    base: Decimal
    sale_days: int = 0
    past: list[Values] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Its own page; stays when the product is renamed."""
        return f"{BASE}/p/{self.slug}"

    def before(self, days: int) -> Values:
        """What was true so many days ago, or on the first day."""
        return self.past[-days] if days <= len(self.past) else self.past[0]


@dataclass
class Market:
    """`size` products; `night()` lets a day pass."""

    seed: int = 1
    size: int = 200
    products: list[Product] = field(default_factory=list)
    news: int = 2
    """Products that may be added in a night."""
    by_price: bool = False
    """Whether the listing is sorted by price and not by age."""
    unlisted: set[int] = field(default_factory=set)
    """Numbers of the products that the listing leaves out."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        for _ in range(self.size):
            self.products.append(self._product())

    def _product(self) -> Product:
        rng, number = self.rng, len(self.products)
        name = (
            f"{rng.choice(_ADJECTIVES)} {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}"
            f" {chr(65 + number % 26)}{number}"
        )
        base = Decimal(f"{40 * rng.lognormvariate(0, 0.7):.2f}") * _scale(number)
        day = date(2012, 1, 1) + timedelta(days=rng.randrange(4_500))
        values: Values = {
            "sku": f"MK-{10_000 + 7 * number}",
            "name": name,
            "brand": rng.choice(_BRANDS),
            "price": base,
            "currency": "EUR",
            "reviews": rng.randrange(3, 400),
            "rating": Decimal(rng.randrange(20, 51)) / 10,
            "stock": rng.randrange(1, 90),
            "released": day,
            "launch": datetime(
                day.year, day.month, day.day, rng.randrange(6, 15), rng.choice((0, 30))
            ),
            "weight": Decimal(rng.randrange(2, 90)) / 10,
            "category": rng.choice(_CATEGORIES),
            "description": f"{name} is {' '.join(rng.choices(_TEXT, k=rng.randrange(12, 30)))}.",
            "image": f"{BASE}/img/{number}.jpg",
            "tags": sorted(rng.sample(_TAGS, rng.randrange(3, 6))),
        }
        product = Product(number, name.lower().replace(" ", "-"), values, base)
        if rng.random() < 0.1:
            self.begin_sale(product)
        return product

    def listed(self) -> list[Product]:
        """The products of the listing in its order."""
        newest = [
            product
            for product in self.products[::-1]
            if product.number not in self.unlisted
        ]
        if self.by_price:
            newest.sort(key=lambda product: product.values["price"])
        return newest

    def grow(self, count: int) -> None:
        """So many new products."""
        for _ in range(count):
            product = self._product()
            product.past.append(deepcopy(product.values))
            self.products.append(product)

    def begin_sale(self, product: Product) -> None:
        """It costs less for some days, and says what it cost before."""
        product.sale_days = self.rng.randrange(2, 6)
        product.values["list_price"] = product.base
        factor = Decimal(self.rng.choice(("0.9", "0.85", "0.8", "0.75")))
        product.values["price"] = _cents(product.base * factor)

    def end_sale(self, product: Product) -> None:
        """It costs again what it did."""
        product.sale_days = 0
        product.values.pop("list_price", None)
        product.values["price"] = product.base

    def night(self) -> None:
        """A few prices move by less than 15 %, sales begin and end, stock and reviews move; some products are new."""
        for product in self.products:
            product.past.append(deepcopy(product.values))
            self._price(product)
            self._counts(product.values)
        self.grow(self.rng.randrange(self.news + 1))

    def _price(self, product: Product) -> None:
        rng = self.rng
        if product.sale_days:
            product.sale_days -= 1
            if not product.sale_days:
                self.end_sale(product)
        elif rng.random() < 0.03:
            self.begin_sale(product)
        elif rng.random() < 0.2:
            product.base = _cents(product.base * Decimal(f"{rng.uniform(0.9, 1.12)}"))
            product.values["price"] = product.base

    def _counts(self, values: Values) -> None:
        rng = self.rng
        if rng.random() < 0.4:
            left = values["stock"] - rng.randrange(0, 6)
            values["stock"] = left if left > 0 else rng.randrange(40, 90)
        if rng.random() < 0.3:
            more = rng.randrange(1, 4)
            if "reviews" in values:
                values["reviews"] += more
        if rng.random() < 0.05:
            step = Decimal(rng.choice((-1, 1))) / 10
            values["rating"] = min(Decimal(5), max(Decimal(1), values["rating"] + step))


def _scale(number: int) -> int:
    """Every eighth product costs thousands, every twentieth hundreds of thousands."""
    if number % 20 == 13:
        return 5_000
    return 60 if number % 8 == 5 else 1


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"))
