"""What the demo shop sells: products generated from a seed, always the same ones.

All names and texts are made up.
"""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

PER_CATEGORY = 50
CURRENCY = "EUR"


class Category(NamedTuple):
    """A department: its slug, name, the words its products are made of and the
    specifications they have."""

    slug: str
    name: str
    nouns: tuple[str, ...]
    uses: tuple[str, ...]
    specs: tuple[tuple[str, tuple[str, ...]], ...]
    prices: tuple[int, int]


class Review(NamedTuple):
    """What a customer wrote."""

    author: str
    stars: int
    on: date
    text: str


@dataclass(frozen=True)
class Item:
    """One product as it really is.

    `list_price` is the price before a sale, None if there is no sale.
    """

    id: int
    sku: str
    slug: str
    title: str
    brand: str
    category: Category
    price: Decimal
    list_price: Decimal | None
    availability: str
    stock: int
    rating: Decimal | None
    reviews: int
    description: str
    specs: tuple[tuple[str, str], ...]
    opinions: tuple[Review, ...]

    @property
    def path(self) -> str:
        return f"/product/{self.slug}-{self.id}"

    @property
    def image(self) -> str:
        return f"/media/{self.sku.lower()}-front.jpg"


IN_STOCK, OUT_OF_STOCK, PREORDER = "in stock", "out of stock", "pre-order"

CATEGORIES = (
    Category(
        "audio",
        "Audio",
        (
            "Over-Ear Headphones",
            "Bookshelf Speaker",
            "Turntable",
            "Portable Radio",
            "Soundbar",
            "In-Ear Monitors",
        ),
        (
            "late evenings with the volume low",
            "small flats with patient neighbours",
            "long train journeys",
        ),
        (
            ("Impedance", ("16 ohms", "32 ohms", "64 ohms")),
            (
                "Frequency range",
                ("20 Hz to 20 kHz", "35 Hz to 22 kHz", "12 Hz to 40 kHz"),
            ),
            ("Battery life", ("18 hours", "30 hours", "mains powered")),
        ),
        (29, 1900),
    ),
    Category(
        "kitchen",
        "Kitchen",
        (
            "Chef's Knife",
            "Stand Mixer",
            "Pour-Over Kettle",
            "Cast Iron Skillet",
            "Espresso Machine",
            "Bread Tin",
        ),
        (
            "sourdough at six in the morning",
            "weeknight dinners for four",
            "people who weigh their coffee",
        ),
        (
            ("Material", ("carbon steel", "cast iron", "brushed aluminium")),
            ("Capacity", ("0.9 l", "1.7 l", "4.8 l")),
            ("Dishwasher safe", ("yes", "no", "lid only")),
        ),
        (18, 1450),
    ),
    Category(
        "outdoor",
        "Outdoor",
        (
            "Two-Person Tent",
            "Down Jacket",
            "Trekking Poles",
            "Camping Stove",
            "Hiking Backpack",
            "Sleeping Mat",
        ),
        (
            "wet autumn weekends",
            "hut-to-hut tours",
            "the first night that drops below zero",
        ),
        (
            ("Packed size", ("28 x 9 cm", "45 x 16 cm", "62 x 34 cm")),
            ("Waterproofing", ("1,500 mm", "3,000 mm", "10,000 mm")),
            ("Season", ("three-season", "four-season", "summer")),
        ),
        (24, 890),
    ),
    Category(
        "home-office",
        "Home Office",
        (
            "Standing Desk",
            "Task Chair",
            "Mechanical Keyboard",
            "Monitor Arm",
            "Desk Lamp",
            "Document Scanner",
        ),
        (
            "afternoons full of calls",
            "rooms that are also bedrooms",
            "people who type for a living",
        ),
        (
            ("Warranty", ("2 years", "5 years", "10 years")),
            ("Maximum load", ("9 kg", "60 kg", "125 kg")),
            ("Assembly", ("none", "20 minutes", "two people, one hour")),
        ),
        (35, 1290),
    ),
    Category(
        "lighting",
        "Lighting",
        (
            "Pendant Lamp",
            "Floor Lamp",
            "Wall Sconce",
            "String Lights",
            "Reading Light",
            "Ceiling Spot",
        ),
        (
            "dark hallways",
            "a table that seats eight",
            "reading when everybody else sleeps",
        ),
        (
            ("Colour temperature", ("2,200 K", "2,700 K", "4,000 K")),
            ("Luminous flux", ("250 lm", "806 lm", "1,521 lm")),
            ("Socket", ("E14", "E27", "GU10")),
        ),
        (15, 640),
    ),
    Category(
        "cycling",
        "Cycling",
        (
            "Commuter Helmet",
            "Gravel Wheelset",
            "Pannier Bag",
            "Floor Pump",
            "Rear Light",
            "Folding Lock",
        ),
        (
            "commutes in any weather",
            "long rides on bad roads",
            "bicycles that sleep outside",
        ),
        (
            ("Sizes", ("S, M, L", "52-58 cm", "one size")),
            ("Certification", ("EN 1078", "StVZO", "none")),
            ("Visibility", ("60 m", "180 m", "350 m")),
        ),
        (12, 1150),
    ),
)

_BRANDS = (
    "Nordhem", "Calluna", "Brightwell", "Osterby", "Tamarack", "Vela & Sons", "Quillon", "Marrow", "Hesper", "Tindal",
    "Ferrous Works", "Lumenta",
)  # fmt: skip
_LINES = (
    "Aria", "Fjord", "Meridian", "Juniper", "Atlas", "Petrel", "Solstice", "Kestrel", "Harbour", "Onyx", "Tessel",
    "Willow", "Cinder", "Halcyon", "Morrow",
)  # fmt: skip
_FINISHES = (
    "Black",
    "Sand",
    "Moss Green",
    "Slate",
    "Copper",
    "White Oak",
    "Midnight Blue",
)
_WEIGHTS = ("240 g", "780 g", "1.4 kg", "3.2 kg", "11.5 kg")
_ORIGINS = ("Portugal", "Denmark", "Czechia", "Japan", "Italy", "Slovenia")
_OPENINGS = (
    "The {line} is {article} {noun} made for {use}.",
    "Built for {use}, the {line} does one thing and does it well.",
    "Our buyers tried nineteen of them before they settled on the {line}, {article} {noun} for {use}.",
)
_MIDDLES = (
    "Every part that wears out can be replaced with a coin and five minutes.",
    "The finish is oiled rather than painted, so scratches tell a story instead of peeling.",
    "It arrives in one cardboard box without a single piece of plastic.",
    "The controls are where your hand already is.",
)
_ENDINGS = (
    "{brand} has made it in the same workshop since the first batch of forty.",
    "{brand} answers its own telephone, which we have tested twice.",
    "Spare parts from {brand} stay available for at least ten years.",
)
_AUTHORS = (
    "Marta K.",
    "Joris",
    "A. Lindqvist",
    "Peony",
    "Tomasz W.",
    "Ines",
    "R. Okafor",
    "Bea",
    "Yusuf",
    "Clem",
)
_REVIEW_TEXTS = (
    "Exactly as described, and it came two days early.",
    "I wanted to dislike it because of the price. I do not.",
    "Sturdy, quiet, a little heavier than the page says.",
    "The second one I buy; the first went to my sister and never came back.",
    "Good, but the manual is printed in a grey that only owls can read.",
    "Returned the first for a scratch, the replacement is flawless.",
)
_MODEL_NUMBERS = (2, 3, 5, 7, 20, 40, 55, 80, 120, 300)
_PRICE_ENDS = tuple(map(Decimal, ("-0.01", "-0.05", "-0.50", "0.25", "0.90")))
_RAISES = ("1.15", "1.25", "1.4")
"""How much dearer a product on sale was before."""


def stock_of_goods(seed: int) -> tuple[Item, ...]:
    """All products of the shop, category by category."""
    chance = random.Random(seed)
    items: list[Item] = []
    names: set[str] = set()
    for category in CATEGORIES:
        for _ in range(PER_CATEGORY):
            items.append(_item(chance, category, 1001 + len(items), names))
    return tuple(items)


def _item(
    chance: random.Random, category: Category, number: int, names: set[str]
) -> Item:
    """One product. The order of what is drawn decides what a seed sells: keep it."""
    name = _name(chance, category, names)
    price = _price(chance, category)
    raised = price * Decimal(chance.choice(_RAISES))
    is_rated = chance.random() < 0.93
    availability = chance.choices((IN_STOCK, OUT_OF_STOCK, PREORDER), (82, 13, 5))[0]
    description = _description(chance, category, name)
    rating = Decimal(chance.randint(31, 50)) / 10 if is_rated else None
    is_on_sale = chance.random() < 0.3
    stock = chance.randint(1, 140) if availability == IN_STOCK else 0
    reviews = chance.randint(2, 1480) if is_rated else 0
    specs = _specs(chance, category, name.finish)
    return Item(
        id=number,
        sku=_sku(name.brand, category, number),
        slug=_slug(name.title),
        title=name.title,
        brand=name.brand,
        category=category,
        price=price,
        list_price=raised.quantize(Decimal("0.01")) if is_on_sale else None,
        availability=availability,
        stock=stock,
        rating=rating,
        reviews=reviews,
        description=description,
        specs=specs,
        opinions=_opinions(chance, rating),
    )


class _Name(NamedTuple):
    brand: str
    line: str
    noun: str
    finish: str

    @property
    def title(self) -> str:
        return f"{self.brand} {self.line} {self.noun}, {self.finish}"


def _name(chance: random.Random, category: Category, names: set[str]) -> _Name:
    """A name that is not among `names` yet; it is added."""
    brand, noun = chance.choice(_BRANDS), chance.choice(category.nouns)
    while True:
        line = f"{chance.choice(_LINES)} {chance.choice(_MODEL_NUMBERS)}"
        name = _Name(brand, line, noun, chance.choice(_FINISHES))
        if name.title not in names:
            names.add(name.title)
            return name


def _price(chance: random.Random, category: Category) -> Decimal:
    """Cheap products are more frequent than dear ones."""
    low, high = category.prices
    whole = round(low * (high / low) ** chance.random())
    return Decimal(whole) + chance.choice(_PRICE_ENDS)


def _description(chance: random.Random, category: Category, name: _Name) -> str:
    """Three or four sentences about a product."""
    words = {
        "line": name.line,
        "noun": name.noun.lower(),
        "use": chance.choice(category.uses),
        "brand": name.brand,
        "article": "an" if name.noun[0] in "AEIO" else "a",
    }
    opening = chance.choice(_OPENINGS)
    middles = chance.sample(_MIDDLES, chance.choice((1, 2)))
    ending = chance.choice(_ENDINGS)
    return " ".join((opening, *middles, ending)).format(**words)


def _specs(
    chance: random.Random, category: Category, finish: str
) -> tuple[tuple[str, str], ...]:
    """What every product has, and what those of its category have, with a value for
    each."""
    weight, origin = chance.choice(_WEIGHTS), chance.choice(_ORIGINS)
    specs = [("Weight", weight), ("Colour", finish), ("Made in", origin)]
    for label, values in category.specs:
        specs.append((label, chance.choice(values)))
    return tuple(specs)


def _sku(brand: str, category: Category, number: int) -> str:
    """An article number that tells brand and category."""
    letters = f"{brand[:2]}{category.slug[:2]}".upper()
    return f"{letters}-{number * 7919 % 100_000:05d}"


def _slug(title: str) -> str:
    plain = title.lower().replace("'", "")
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    return "-".join(words)


def _opinions(chance: random.Random, rating: Decimal | None) -> tuple[Review, ...]:
    """Two to five reviews; none where nobody rated."""
    if rating is None:
        return ()
    return tuple(_review(chance, rating) for _ in range(chance.randint(2, 5)))


def _review(chance: random.Random, rating: Decimal) -> Review:
    stars = min(5, max(1, round(rating) + chance.choice((-1, 0, 0, 1))))
    on = date(2025, 1, 6) + timedelta(days=chance.randint(0, 640))
    return Review(chance.choice(_AUTHORS), stars, on, chance.choice(_REVIEW_TEXTS))
