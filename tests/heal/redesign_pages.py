"""How the shop of redesign_shop.py says it: a design is data, and writes a ware's page or the
answer of an API; pages of rows are in redesign_rows.py."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from html import escape
from typing import Any

from tests.heal.redesign_shop import BASE, Truth


class Frame(StrEnum):
    """How the parts of a page stand beside each other."""

    BLOCKS = "blocks"
    DL = "dl"
    TABLE = "table"
    CARDS = "cards"
    BARE = "bare"


class Naming(StrEnum):
    """What the attributes of an element say of it."""

    WORDS = "words"
    OTHER = "other"
    HASHED = "hashed"
    BUILT = "built"
    IDS = "ids"
    NOTHING = "nothing"


class Money(StrEnum):
    """How an amount is written."""

    SIGN_FIRST = "€{}"
    COMMA = "{} €"
    CODE = "EUR {}"
    SPLIT = "split"


LABELS = {
    "sku": "Article",
    "brand": "Maker",
    "price": "Price",
    "availability": "Availability",
    "was": "Old price",
    "stock": "Left",
    "material": "Material",
    "weight": "Weight",
    "released": "Released",
}
RELABELLED = {
    "sku": "Item code",
    "brand": "Made by",
    "price": "You pay",
    "availability": "Can I have it?",
    "was": "Before",
    "stock": "Pieces",
    "material": "Made of",
    "weight": "Mass",
    "released": "On sale since",
}
GERMAN = {
    "sku": "Artikelnummer",
    "brand": "Hersteller",
    "price": "Preis",
    "availability": "Verfügbarkeit",
    "was": "Statt",
    "stock": "Stück",
    "material": "Werkstoff",
    "weight": "Gewicht",
    "released": "Erschienen",
}
ORDER = tuple(LABELS)
_OTHER = {
    "sku": "code",
    "name": "headline",
    "brand": "producer",
    "price": "amount",
    "availability": "delivery",
    "was": "strike",
    "stock": "pieces",
    "material": "fabric",
    "weight": "mass",
    "released": "since",
}
_SYLLABLES = ("ba", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "wa", "ze")


@dataclass(frozen=True)
class Design:
    """One way to write the shop's pages.

    `gone` fields are not shown, `texts` says how a value is written, `words` which words a choice has. `island` fields are
    in a script only. `keys` rename classes and what JSON says; where `net_of` is set, another amount stands under the old
    name of the price. `units` are those of numbers said in smaller ones, and how many make up one of before.
    """

    frame: Frame = Frame.BLOCKS
    naming: Naming = Naming.WORDS
    labels: Mapping[str, str] = field(default_factory=lambda: LABELS)
    money: Money = Money.SIGN_FIRST
    words: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    dates: str = "{0.day} {0:%B %Y}"
    gone: frozenset[str] = frozenset()
    island: frozenset[str] = frozenset()
    title: str = "{} | Wares"
    linked: bool = False
    build: int = 0
    wrappers: int = 0
    related_first: bool = False
    order: tuple[str, ...] = ORDER
    net_of: str = ""
    header: str = "th"
    numbered: bool = False
    adverts: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    nested: bool = False
    strings: bool = False
    nulls: frozenset[str] = frozenset()
    units: Mapping[str, tuple[int, str]] = field(default_factory=dict)

    def shows(self, ware: Truth, name: str) -> bool:
        """Whether the page says anything of a field."""
        return name in ware and name not in self.gone and name not in self.nulls

    def text(self, ware: Truth, name: str) -> str:
        """A value as a reader sees it."""
        value = ware[name]
        if name in self.units:
            times, unit = self.units[name]
            said = f"{int(value * times)} {unit}"
        elif isinstance(value, Decimal) and name != "weight":
            said = amount(value, self.money)
        elif isinstance(value, date):
            said = self.dates.format(value)
        elif name == "weight":
            said = f"{value} kg"
        else:
            said = self.words.get(str(value), str(value))
        pattern = self.texts.get(name, "{}")
        return pattern.format(said, **{each: ware.get(each) for each in ORDER})

    def mark(self, name: str) -> str:
        """The attributes of a field's element."""
        if self.naming is Naming.NOTHING:
            return ""
        if self.naming is Naming.HASHED:
            return f' class="css-{self._digest(name)[:6]}"'
        if self.naming is Naming.BUILT:
            return f' class="{self.box(name)}"'
        said = self.keys.get(name, name)
        if self.naming is not Naming.WORDS:
            said = _OTHER.get(name, f"x-{name}")
        return f' id="{said}"' if self.naming is Naming.IDS else f' class="{said}"'

    def box(self, name: str) -> str:
        """The class of an element that holds others: a build may call everything by words that mean nothing, of whose
        form nobody tells that the next build has others."""
        if self.naming is not Naming.BUILT:
            return name
        numbers = [int(digit, 16) % len(_SYLLABLES) for digit in self._digest(name)[:5]]
        return "".join(map(_SYLLABLES.__getitem__, numbers))

    def _digest(self, name: str) -> str:
        return sha256(f"{name} {self.build}".encode()).hexdigest()

    def element(self, ware: Truth, name: str, tag: str = "span") -> str:
        """A field's value in its element, "" where nothing is said of it."""
        if not self.shows(ware, name) or name in self.island:
            return ""
        said = escape(self.text(ware, name), quote=False)
        if self.money is Money.SPLIT and name in ("price", "was"):
            whole, fraction = f"{ware[name]:.2f}".split(".")
            said = f"€<b>{whole}</b><sup>{fraction}</sup>"
        made = f"<{tag}{self.mark(name)}>{said}</{tag}>"
        for _ in range(self.wrappers):
            made = f"<div>{made}</div>"
        return made


def amount(value: Decimal, money: Money) -> str:
    """An amount as the shop writes it."""
    plain = f"{value:,.2f}"
    if money is Money.COMMA:
        plain = plain.replace(",", " ").replace(".", ",").replace(" ", ".")
    pattern = Money.SIGN_FIRST if money is Money.SPLIT else money
    return pattern.value.format(plain)


def detail_page(ware: Truth, design: Design, others: Sequence[Truth]) -> str:
    """The page of one ware."""
    name = escape(ware["name"], quote=False)
    if design.net_of:
        ware = {**ware, "net": net(ware)}
    tag = "td" if design.frame is Frame.TABLE else "span"
    parts = [(each, design.element(ware, each, tag)) for each in design.order]
    shown = [(each, part) for each, part in parts if part]
    body = _FRAMES[design.frame](shown, design)
    related = "".join(
        f'<div class="other"><a href="{other["url"]}">{escape(other["name"])}</a> '
        f"<b>{amount(other['price'], design.money)}</b></div>"
        for other in others
    )
    aside = f"<aside><h2>Others looked at</h2>{related}</aside>"
    before, after = (aside, "") if design.related_first else ("", aside)
    island = {each: str(ware[each]) for each in sorted(design.island) if each in ware}
    script = (
        f'<script type="application/json" id="state">{json.dumps({"ware": island})}</script>'
        if island
        else ""
    )
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{design.title.replace("{}", name)}</title>
{_linked_data(ware) if design.linked else ""}</head><body>
<header><a href="/">Wares</a> <nav><a href="/new">New</a> <a href="/help">Help and delivery</a></nav></header>{before}
<main><h1{design.mark("name")}>{name}</h1>
{body}</main>{after}{script}
<footer>Everything is sent within two days. Returns within 30 days, whatever the reason is.</footer></body></html>"""


def net(ware: Truth) -> Decimal:
    """What a ware costs without tax."""
    return Decimal(round(ware["price"] / Decimal("1.19"), 2))


def labelled(name: str, design: Design) -> str:
    return escape(design.labels.get(name, ""), quote=False)


_Parts = Sequence[tuple[str, str]]


def _blocks(parts: _Parts, design: Design) -> str:
    lines = []
    for name, part in parts:
        label = f"<em>{labelled(name, design)}:</em> " if name in design.labels else ""
        lines.append(f"<div>{label}{part}</div>")
    return "\n".join(lines)


def _dl(parts: _Parts, design: Design) -> str:
    rows = [f"<dt>{labelled(name, design)}</dt><dd>{part}</dd>" for name, part in parts]
    return f"<dl>{''.join(rows)}</dl>"


def _table(parts: _Parts, design: Design) -> str:
    rows = [f"<tr><th>{labelled(name, design)}</th>{part}</tr>" for name, part in parts]
    return f"<table>{''.join(rows)}</table>"


def _cards(parts: _Parts, design: Design) -> str:
    cards = [
        f'<section class="card"><h3>{labelled(name, design)}</h3><p>{part}</p></section>'
        for name, part in parts
    ]
    return f'<div class="deck">{"".join(cards)}</div>'


def _bare(parts: _Parts, design: Design) -> str:
    return "".join(f"<div>{part}</div>" for _, part in parts)


_FRAMES = {
    Frame.BLOCKS: _blocks,
    Frame.DL: _dl,
    Frame.TABLE: _table,
    Frame.CARDS: _cards,
    Frame.BARE: _bare,
}


def _linked_data(ware: Truth) -> str:
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "sku": ware["sku"],
        "name": ware["name"],
        "brand": {"@type": "Brand", "name": ware["brand"]},
        "offers": {
            "@type": "Offer",
            "price": float(ware["price"]),
            "priceCurrency": "EUR",
        },
    }
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def api_answer(ware: Truth, design: Design, others: Sequence[Truth]) -> str:
    """What an API answers for one ware."""
    said: dict[str, Any] = {}
    for name in (
        "sku",
        "name",
        "brand",
        "price",
        "availability",
        "was",
        "stock",
        "material",
        "weight",
        "released",
    ):
        if name in design.nulls and name in ware:
            said[design.keys.get(name, name)] = None
        elif design.shows(ware, name):
            said[design.keys.get(name, name)] = _plain(ware, name, design)
    if design.net_of:
        said[design.net_of] = float(net(ware))
    related = [{"sku": other["sku"], "name": other["name"]} for other in others]
    body: dict[str, Any] = {"ware": said, "related": related, "api": {"v": 3}}
    if design.nested:
        body = {"data": {"ware": {"facts": said}, "related": related}, "api": {"v": 4}}
    return json.dumps(body, indent=1)


def _plain(ware: Truth, name: str, design: Design) -> Any:
    """A value as JSON has it."""
    value = ware[name]
    if name in design.units:
        return int(value * design.units[name][0])
    if isinstance(value, Decimal):
        return (
            design.text(ware, name)
            if design.strings and name != "weight"
            else float(value)
        )
    if isinstance(value, date):
        return value.isoformat()
    return design.words.get(str(value), value) if isinstance(value, str) else value


def address(ware: Truth, is_api: bool) -> str:
    """Where a ware's page, or the API's answer, is found."""
    return f"{BASE}/api/wares/{ware['sku']}" if is_api else str(ware["url"])
