"""A shop that lives: products with daily changes, and the outcome a healthy crawler has on their pages.

Pure simulation: page facts are made from the values the page would show, so that thousands of pages cost seconds. What
a broken crawler does to an outcome is in kinds.py.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.family import Discover, Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from tests.drift.pages import ShownFacts, asking

Values = dict[str, Any]

SCHEMA = RecordSchema(
    name="Product",
    fields=(
        FieldSpec(name="sku", required=True),
        FieldSpec(name="title", required=True),
        FieldSpec(name="brand"),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="list_price", kind=FieldKind.NUMBER, volatile=True),
        FieldSpec(name="currency", required=True),
        FieldSpec(name="rating", kind=FieldKind.NUMBER, volatile=True),
        FieldSpec(name="reviews", kind=FieldKind.INTEGER, volatile=True),
        FieldSpec(name="stock", kind=FieldKind.INTEGER, volatile=True),
        FieldSpec(name="category"),
        FieldSpec(name="description"),
        FieldSpec(name="weight", kind=FieldKind.NUMBER),
        FieldSpec(name="released", kind=FieldKind.DATE),
        FieldSpec(name="image", kind=FieldKind.URL),
        FieldSpec(name="tags", shape=Shape.LIST),
    ),
)
FAMILY = Family.model_validate(
    {
        "family": "shop/product",
        "schema": "tests.models:Item",
        "key": ["sku"],
        "discover": Discover(),
    }
)


def _split(words: str) -> list[str]:
    return words.split()


_ADJECTIVES = _split(
    "Quiet Red Small Northern Copper Early Wide Plain Heavy Golden Folding Silent Round Soft Bright"
)
_NOUNS = _split(
    "Lamp Kettle Chair Rope Notebook Bowl Jacket Lantern Shelf Blanket Mug Basket Clock Stool Tent"
)
_BRANDS = _split("Aldern Birka Corvo Dunfell Elmet Fjordal Granby Hestia")
_WORDS = _split(
    "made of oak and steel with a smooth finish that lasts for years in daily use and looks good on any table at home"
)
LAYOUT_A = tuple(range(1000, 1090))
LAYOUT_B = tuple(range(5000, 5090))


@dataclass
class Product:
    """One product; `values` is what its page shows today."""

    url: str
    values: Values
    base: Decimal


@dataclass
class Shop:
    """Products in batches of `batch_size` urls; `day()` lets a night pass."""

    seed: int = 1
    size: int = 200
    batch_size: int = 100
    products: list[Product] = field(default_factory=list)
    now: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.grow(self.size, "Home", 12)

    def grow(self, count: int, category: str, price: float) -> None:
        """Add products of a category around a price."""
        for _ in range(count):
            self.products.append(self._product(len(self.products), category, price))

    def _product(self, number: int, category: str, around: float) -> Product:
        rng = self.rng
        title = f"{rng.choice(_ADJECTIVES)} {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)} {number}"
        base = Decimal(str(round(around * rng.lognormvariate(0, 0.6), 2)))
        values: Values = {
            "sku": f"{category[:2].upper()}-{10_000 + number}",
            "title": title,
            "brand": rng.choice(_BRANDS),
            "price": str(base),
            "currency": "EUR",
            "reviews": rng.randrange(0, 400),
            "stock": rng.randrange(0, 80),
            "category": category,
            "description": f"{title} is {' '.join(rng.choices(_WORDS, k=rng.randrange(12, 40)))}.",
            "weight": f"{rng.randrange(1, 90) / 10}",
            "released": f"20{rng.randrange(10, 26)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "image": f"https://shop.example/img/{number}.jpg",
            "tags": sorted(rng.sample(_WORDS[:12], 3)),
        }
        if rng.random() < 0.7:
            values["rating"] = f"{rng.randrange(20, 51) / 10}"
        slug = title.lower().replace(" ", "-")
        return Product(f"https://shop.example/p/{slug}", values, base)

    def day(
        self, sale: frozenset[int] = frozenset(), off: float = 0.0, flat: str = ""
    ) -> None:
        """A night passes: prices, stock and reviews move; the products at the places in `sale` are `off` cheaper, or
        cost `flat` if that is less."""
        rng = self.rng
        self.now += 1
        for place, product in enumerate(self.products):
            values = product.values
            if rng.random() < 0.2:
                product.base = (
                    product.base * Decimal(str(rng.uniform(0.93, 1.08)))
                ).quantize(Decimal("0.01"))
            values.pop("list_price", None)
            values["price"] = str(product.base)
            if place in sale and not (flat and product.base <= Decimal(flat)):
                values["list_price"] = str(product.base)
                values["price"] = flat or str(
                    (product.base * Decimal(str(1 - off))).quantize(Decimal("0.01"))
                )
            if rng.random() < 0.5:
                values["stock"] = max(
                    0, values["stock"] + rng.randrange(-9, 8)
                ) or rng.choice((0, 60))
            if rng.random() < 0.3:
                values["reviews"] += rng.randrange(1, 4)
            if "rating" in values and rng.random() < 0.1:
                values["rating"] = str(
                    min(
                        Decimal("5.0"),
                        max(
                            Decimal("1.0"),
                            Decimal(values["rating"])
                            + rng.choice((-1, 1)) * Decimal("0.1"),
                        ),
                    )
                )
            if rng.random() < 0.0005:
                values["title"] += " (new edition)"
            if rng.random() < 0.001:
                values["description"] += " Now improved."

    def batches(self) -> Iterable[tuple[str, list[Product]]]:
        """(batch key, its products)."""
        for start in range(0, len(self.products), self.batch_size):
            yield (
                f"{start // self.batch_size + 1:06}",
                self.products[start : start + self.batch_size],
            )

    def related(self, product: Product) -> list[Product]:
        """The products a page also shows."""
        start = int(product.values["image"].rsplit("/", 1)[1].split(".")[0])
        return [
            self.products[(start + step) % len(self.products)] for step in (7, 11, 13)
        ]


@dataclass
class Site:
    """What the crawler knows: last good values by url, and the history of batches."""

    shop: Shop
    known: dict[str, Values] = field(default_factory=dict)
    history: list[BatchStats] = field(default_factory=list)
    said: dict[str, Values] = field(default_factory=dict)

    def outcome(self, product: Product) -> PageOutcome:
        """What a healthy crawler makes of a product's page today."""
        facts = facts_of(self.shop, product)
        values = dict(product.values)
        outcome = PageOutcome(
            url=product.url,
            version=1,
            page_sha256="0" * 64,
            extraction=Extraction(
                records=(ExtractedRecord(values=values, votes=votes_of(values)),)
            ),
            values=(values,),
            facts=facts,
            previous=(self.known[product.url],) if product.url in self.known else (),
            said_before=(self.said[product.url],) if product.url in self.said else (),
        )
        return with_findings(outcome)

    def publish(
        self,
        outcomes: Iterable[PageOutcome],
        stats: BatchStats,
        held: Iterable[str] = (),
    ) -> None:
        """Keep what a good batch showed."""
        self.history.append(stats)
        away = set(held)
        for outcome in outcomes:
            if outcome.values and outcome.url not in away:
                self.known[outcome.url] = dict(outcome.values[0])
                self.said.pop(outcome.url, None)
            elif outcome.values:
                self.said[outcome.url] = dict(outcome.values[0])


def votes_of(values: Values, agreement: float = 1.0) -> dict[str, FieldVote]:
    """Three agreeing readers for every value."""
    return {
        name: FieldVote(agreement=agreement, live_readers=3, readers=3, reader="ld")
        for name in values
    }


def with_findings(outcome: PageOutcome) -> PageOutcome:
    """After the page checks."""
    if outcome.extraction is None:
        return outcome
    found = tuple(judge_page(SCHEMA, FAMILY, outcome.extraction, (), outcome.previous))
    return asking(outcome.model_copy(update={"findings": found}), SCHEMA.fields)


def with_values(outcome: PageOutcome, values: Values) -> PageOutcome:
    """As if the crawler had read these values, all readers agreeing."""
    extraction = Extraction(
        records=(ExtractedRecord(values=values, votes=votes_of(values)),)
    )
    return with_findings(
        outcome.model_copy(update={"extraction": extraction, "values": (values,)})
    )


def shown(values: Values) -> set[str]:
    """Forms of the values as a page shows them."""
    forms = set()
    for spec in SCHEMA.fields:
        value = values.get(spec.name)
        for item in value if isinstance(value, list) else [value]:
            if item is not None and spec.kind in (FieldKind.NUMBER, FieldKind.INTEGER):
                forms.add(numeral_form(item))
            elif item is not None:
                forms.add(text_form(str(item)))
    return forms


def facts_of(shop: Shop, product: Product, extra: Iterable[str] = ()) -> ShownFacts:
    """Facts of a product's page: its own values, three related products, the furniture of the site."""
    forms = (
        shown(product.values)
        | set(extra)
        | {text_form("Add to basket"), "#404", "#2026", "#30"}
    )
    for other in shop.related(product):
        forms |= {text_form(other.values["title"]), numeral_form(other.values["price"])}
    return ShownFacts(
        title=f"{product.values['title']} | Shop",
        headings=(product.values["title"],),
        language="en",
        spoken="en",
        currency="EUR",
        text_chars=4_000,
        word_count=600,
        template=LAYOUT_A,
        forms=frozenset(forms),
    )


def relaid(facts: PageFacts) -> PageFacts:
    """The same page in another layout."""
    return facts.model_copy(update={"template": LAYOUT_B})


__all__ = [
    "FAMILY",
    "SCHEMA",
    "Product",
    "Shop",
    "Site",
    "facts_of",
    "relaid",
    "replace",
    "shown",
    "with_values",
]
