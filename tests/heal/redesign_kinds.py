"""What happens to the pages of the shop: redesigns by name, each for the families in which it makes sense."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from tests.heal.redesign_pages import (
    GERMAN,
    LABELS,
    ORDER,
    RELABELLED,
    Design,
    Frame,
    Money,
    Naming,
)


class Shown(StrEnum):
    """A family of the shop's pages."""

    DETAIL = "detail"
    SPECS = "specs"
    LISTING = "listing"
    ROWS = "rows"
    JSON = "json"


PAGES = (Shown.DETAIL, Shown.SPECS)
LISTS = (Shown.LISTING, Shown.ROWS)
HTML = (*PAGES, *LISTS)
ALL = tuple(Shown)
FIRST = {
    Shown.DETAIL: Design(),
    Shown.SPECS: Design(frame=Frame.TABLE),
    Shown.LISTING: Design(),
    Shown.ROWS: Design(frame=Frame.TABLE, header="th"),
    Shown.JSON: Design(),
}
"""How the pages of each family look before anything happens."""

Change = Callable[[Design, int, int], Design]
"""The first design, the day since the redesign and the number of the page -> the design of that page on that day."""
_CONSTANT_RISE = Decimal(1)


@dataclass(frozen=True)
class Redesign:
    """What happens, in which families; all prices rise by the factor of `rise` on the first day. `waves` is how many
    redesigns there are to be healed."""

    name: str
    change: Change
    families: tuple[Shown, ...]
    rise: Decimal = _CONSTANT_RISE
    waves: int = 1


REDESIGNS: dict[str, Redesign] = {}


def _add(
    name: str,
    change: Change,
    *families: Shown,
    rise: Decimal = _CONSTANT_RISE,
    waves: int = 1,
) -> None:
    assert name not in REDESIGNS, name
    REDESIGNS[name] = Redesign(name, change, families or ALL, rise, waves)


def _always(**changes: object) -> Change:
    """The same from the first day on."""
    return lambda design, day, at: replace(design, **changes)  # type: ignore[arg-type]


def _until(days: int, change: Change) -> Change:
    """For so many days, then as it was."""
    return lambda design, day, at: change(design, day, at) if day < days else design


def _from(days: int, first: Change, then: Change) -> Change:
    """One, and from a later day on another."""
    return lambda design, day, at: (first if day < days else then)(design, day, at)


def _often(change: Change, chance: float) -> Change:
    """On a share of the answers, others every day."""

    def of(design: Design, day: int, at: int) -> Design:
        is_new = random.Random(f"{day} {at}").random() < chance
        return change(design, day, at) if is_new else design

    return of


def _new(design: Design, day: int, at: int) -> Design:
    """A usual redesign of a family: other elements, other classes, other words."""
    if design.frame is Frame.TABLE:
        return replace(
            design, frame=Frame.CARDS, naming=Naming.OTHER, labels=RELABELLED
        )
    return replace(design, frame=Frame.DL, naming=Naming.OTHER, labels=RELABELLED)


def _api(design: Design, day: int, at: int) -> Design:
    """The same of an API."""
    return replace(design, keys={"price": "unitPrice", "brand": "producer"})


def _by_family(html: Change, api: Change) -> Change:
    """One for pages, another one for an API: a design of which nothing but keys can change has no frame of its own."""
    return lambda design, day, at: api(html(design, day, at), day, at)


_ANY = _by_family(_new, _api)
_HASHED = _always(naming=Naming.HASHED, build=7)


def _hashed_daily(design: Design, day: int, at: int) -> Design:
    return replace(design, naming=Naming.HASHED, build=day)


def _meaning(design: Design, day: int, at: int) -> Design:
    labels = {**design.labels, "net": "Price", "price": "Price incl. VAT"}
    order = (
        "sku",
        "brand",
        "net",
        *[each for each in ORDER if each not in ("sku", "brand")],
    )
    return replace(
        design,
        net_of="price",
        labels=labels,
        order=order,
        keys={"net": "price", "price": "gross"},
    )


_GERMAN_WORDS = {"In stock": "Auf Lager", "Sold out": "Ausverkauft"}
_GONE = frozenset({"material"})
_SWAPPED = ("availability", "price", "was", "brand", "material")

_add("relabelled", _always(labels=RELABELLED), *PAGES, Shown.ROWS)
_add("translated_labels", _always(labels=GERMAN), *PAGES, Shown.ROWS)
_add("definition_list", _always(frame=Frame.DL, naming=Naming.OTHER), *PAGES)
_add(
    "definition_list_translated",
    _always(frame=Frame.DL, naming=Naming.NOTHING, labels=GERMAN),
    *PAGES,
)
_add(
    "table",
    _always(frame=Frame.TABLE, naming=Naming.OTHER),
    Shown.DETAIL,
    Shown.LISTING,
)
_add(
    "table_relabelled",
    _always(frame=Frame.TABLE, naming=Naming.NOTHING, labels=RELABELLED),
    Shown.DETAIL,
    Shown.LISTING,
)
_add("bare", _always(frame=Frame.BARE, naming=Naming.NOTHING), *HTML)
_add("hashed", _HASHED, *HTML)
_add("hashed_every_build", _hashed_daily, *HTML)
_add(
    "hashed_every_build_cards",
    lambda d, day, at: replace(_hashed_daily(d, day, at), frame=Frame.CARDS),
    *HTML,
)
_add("cards", _always(frame=Frame.CARDS, naming=Naming.OTHER), *HTML)
_add(
    "cards_relabelled",
    _always(frame=Frame.CARDS, naming=Naming.NOTHING, labels=RELABELLED),
    *HTML,
)
_add("comma_money", _always(money=Money.COMMA), *HTML)
_add(
    "comma_money_cards",
    _always(money=Money.COMMA, frame=Frame.CARDS, naming=Naming.OTHER),
    *HTML,
)
_add("currency_code", _always(money=Money.CODE), *HTML)
_add("split_price", _always(money=Money.SPLIT), *HTML)
_add("choices_translated", _always(words=_GERMAN_WORDS))
_add(
    "choices_translated_dl",
    _always(words=_GERMAN_WORDS, frame=Frame.DL, naming=Naming.OTHER, labels=GERMAN),
    *HTML,
)
_add(
    "stock_sentence", _always(texts={"availability": "{} ({stock} available)"}), *PAGES
)
_add("dates_by_number", _always(dates="{0.year}-{0.month:02}-{0.day:02}"), *PAGES)
_add("brand_sentence", _always(texts={"brand": "by {}"}), *HTML)
_add("key_renamed", _always(keys={"price": "unitPrice"}), Shown.JSON)
_add(
    "keys_renamed",
    _always(
        keys={
            "price": "unitPrice",
            "name": "headline",
            "stock": "pieces",
            "material": "fabric",
        }
    ),
    Shown.JSON,
)
_add("nested", _always(nested=True), Shown.JSON)
_add(
    "nested_and_renamed", _always(nested=True, keys={"price": "unitPrice"}), Shown.JSON
)
_add("number_as_string", _always(strings=True), Shown.JSON)
_add("number_as_comma_string", _always(strings=True, money=Money.COMMA), Shown.JSON)
_add("optional_gone", _always(gone=_GONE))
_add(
    "optional_gone_redesigned", lambda d, day, at: replace(_ANY(d, day, at), gone=_GONE)
)
_add("optional_gone_a_day", _until(1, _always(gone=_GONE)))
_add(
    "stock_null_a_day",
    _until(1, _always(nulls=frozenset({"stock"}))),
    *PAGES,
    Shown.JSON,
    # What the version without stock leaves red is tried once more after the cool-down.
    waves=2,
)
_add("title_moved", _always(title="Wares"), *PAGES)
_add(
    "title_moved_redesigned",
    lambda d, day, at: replace(_new(d, day, at), title="Wares"),
    *PAGES,
)
_add("price_in_island", _always(island=frozenset({"price"})), *PAGES)
_add("columns_swapped", _always(order=_SWAPPED), Shown.ROWS)
_add("column_before", _always(numbered=True), Shown.ROWS)
_add("column_before_bare", _always(numbered=True, naming=Naming.NOTHING), Shown.ROWS)
_add("header_is_a_row", _always(header="td", naming=Naming.NOTHING), Shown.ROWS)
_add(
    "header_is_a_row_from_list",
    _always(frame=Frame.TABLE, header="td", naming=Naming.OTHER),
    Shown.LISTING,
)
_add("ids", _always(naming=Naming.IDS), *PAGES)
_add("adverts", _always(adverts=True), *LISTS)
_add(
    "adverts_cards",
    _always(adverts=True, frame=Frame.CARDS, naming=Naming.OTHER),
    *LISTS,
)
_add("wrapped", _always(wrappers=2), *HTML)
_add(
    "order_changed_bare",
    _always(order=tuple(reversed(ORDER)), naming=Naming.NOTHING),
    *HTML,
)
_add("related_first", _always(related_first=True, naming=Naming.OTHER), *PAGES)
_add(
    "linked_data_gone",
    lambda d, day, at: replace(_new(d, day, at), linked=False),
    *PAGES,
    Shown.LISTING,
)
_add(
    "linked_data_new",
    lambda d, day, at: replace(_new(d, day, at), linked=True),
    *PAGES,
    Shown.LISTING,
)
_add("meaning_changed", _meaning, *PAGES, Shown.JSON)
_add("price_rise_redesigned", _ANY, rise=Decimal("1.08"))
_add(
    "two_in_a_row",
    _from(
        3,
        _ANY,
        lambda d, day, at: replace(_HASHED(d, day, at), frame=Frame.CARDS, nested=True),
    ),
    waves=2,
)
_CENTS = {"price": (100, "cents"), "was": (100, "cents")}
_GRAMS = {"weight": (1000, "g")}
_add("unit_changed", _always(units=_GRAMS), *PAGES, Shown.JSON)
_add("in_cents", _always(units=_CENTS), *LISTS, Shown.JSON)
_add(
    "in_cents_redesigned",
    _by_family(
        lambda d, day, at: replace(_new(d, day, at), units=_CENTS),
        _always(units=_CENTS, keys={"price": "amountMinor", "was": "formerMinor"}),
    ),
)
_add("reversed", _until(2, _ANY))
_add("flapping", lambda d, day, at: d if day % 2 else _ANY(d, day, at))
_add("ab", _often(_ANY, 0.5))
_add(
    "ab_then_b", lambda d, day, at: (_ANY if day > 3 else _often(_ANY, 0.5))(d, day, at)
)


def pairs(
    families: tuple[Shown, ...], names: tuple[str, ...] = ()
) -> Iterator[tuple[Shown, bool, Redesign]]:
    """Every redesign in every family it is made for, without and with linked data; no
    `names` are all."""
    for shown in families:
        for is_linked in (False, True)[: 1 if shown is Shown.JSON else 2]:
            for redesign in REDESIGNS.values():
                if shown in redesign.families and (not names or redesign.name in names):
                    yield shown, is_linked, redesign


__all__ = ["FIRST", "LABELS", "REDESIGNS", "Redesign", "Shown", "pairs"]
