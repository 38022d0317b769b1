"""The truth of a small shop whose pages are redesigned: what its wares are and cost, day after day.

How a page says it is in redesign_pages.py, what happens to the pages in redesign_kinds.py.
"""

import random
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, HttpUrl

BASE = "http://wares.example"
Truth = dict[str, Any]
"""The true values of a ware, without those it has not."""


def _words(*aliases: str) -> dict[str, Any]:
    return {"aliases": list(aliases)}


class Ware(BaseModel):
    """A ware on its own page."""

    VOLATILE: ClassVar = {"price", "was", "stock", "availability"}

    sku: str = Field(json_schema_extra=_words("article"))
    name: str = Field(min_length=3, json_schema_extra=_words("title"))
    brand: str = Field(json_schema_extra=_words("maker"))
    price: Decimal = Field(gt=0)
    availability: Literal["In stock", "Sold out"]
    was: Decimal | None = Field(None, gt=0, json_schema_extra=_words("old price"))
    stock: int | None = Field(None, ge=0, json_schema_extra=_words("left"))
    material: str | None = None
    weight: Decimal | None = Field(None, gt=0)
    released: date | None = None


class ShelfWare(BaseModel):
    """A ware in a row of a listing."""

    VOLATILE: ClassVar = {"price", "was", "availability"}

    url: HttpUrl
    name: str = Field(min_length=3, json_schema_extra=_words("title"))
    brand: str = Field(json_schema_extra=_words("maker"))
    price: Decimal = Field(gt=0)
    was: Decimal | None = Field(None, gt=0, json_schema_extra=_words("old price"))
    availability: Literal["In stock", "Sold out"] | None = None
    material: str | None = None


_FIRST = [
    "Quiet",
    "Red",
    "Small",
    "Northern",
    "Copper",
    "Early",
    "Wide",
    "Plain",
    "Heavy",
    "Golden",
    "Silent",
    "Round",
]
_THING = [
    "Lamp",
    "Kettle",
    "Chair",
    "Rope",
    "Notebook",
    "Bowl",
    "Jacket",
    "Lantern",
    "Shelf",
    "Blanket",
    "Mug",
    "Basket",
]
_BRANDS = ("Alder & Finch", "Birka", "Corvo Dunn", "Elmet", "Fjordal", "Granby Hill")
_MATERIALS = ("Oak", "Brass", "Linen", "Stoneware", "Glass", "Cast iron")


@dataclass
class Wares:
    """So many wares; `night` lets a day pass, `past` are the days before, oldest first."""

    size: int
    seed: int = 1
    today: list[Truth] = field(default_factory=list)
    past: list[list[Truth]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self.today = [self._ware(at) for at in range(self.size)]

    def _ware(self, at: int) -> Truth:
        rng = self._rng
        name = f"{rng.choice(_FIRST)} {rng.choice(_THING)} {chr(65 + at % 26)}{at + 20}"
        ware: Truth = {
            "url": f"{BASE}/w/{name.lower().replace(' ', '-')}",
            "sku": f"WR-{4100 + 13 * at}",
            "name": name,
            "brand": rng.choice(_BRANDS),
            "price": Decimal(f"{rng.uniform(12, 240):.2f}"),
            "stock": rng.randrange(3, 70),
            "availability": "Sold out" if at % 5 == 2 else "In stock",
            "material": rng.choice(_MATERIALS),
            "weight": Decimal(rng.randrange(3, 95)) / 10,
            "released": date(2014, 1, 1) + timedelta(days=rng.randrange(3600)),
        }
        if at % 4 == 1:
            ware["was"] = cents(ware["price"] * Decimal("1.2"))
        return ware

    def night(self, rise: Decimal = Decimal(1)) -> None:
        """A few prices move by less than a tenth, stock moves, a sale begins or ends; all
        prices by the factor of a `rise`."""
        self.past.append(deepcopy(self.today))
        for ware in self.today:
            self._moved(ware)
            if rise != 1:
                ware["price"] = cents(ware["price"] * rise)
                if "was" in ware:
                    ware["was"] = cents(ware["was"] * rise)

    def _moved(self, ware: Truth) -> None:
        rng = self._rng
        if rng.random() < 0.4:
            ware["stock"] = max(1, ware["stock"] + rng.randrange(-5, 5))
        if rng.random() < 0.04:
            swapped = {"In stock": "Sold out", "Sold out": "In stock"}
            ware["availability"] = swapped[ware["availability"]]
        chance = rng.random()
        if chance < 0.03 and "was" not in ware:
            ware["was"] = ware["price"]
            ware["price"] = cents(ware["price"] * Decimal("0.85"))
        elif chance < 0.05 and "was" in ware:
            ware["price"] = ware.pop("was")
        elif chance > 0.8 and "was" not in ware:
            ware["price"] = cents(ware["price"] * Decimal(f"{rng.uniform(0.93, 1.08)}"))


def cents(amount: Decimal) -> Decimal:
    """An amount of whole cents."""
    return amount.quantize(Decimal("0.01"))
