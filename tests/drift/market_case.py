"""Ways in which a page of the small shop says something else than usual: what one is, and how it is applied.

The false ones are in false_*.py, the honest ones in market_twins.py.
"""

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal

from tests.drift.market import Market, Product, Values
from tests.drift.market_pages import Card, Look, Sheet

DETAIL = (Look.LINKED, Look.PLAIN, Look.JSON)
SHOWN = (Look.LINKED, Look.PLAIN, Look.LISTING)
TEXT = (Look.PLAIN, Look.LISTING)
PAGES = (Look.LINKED, Look.PLAIN)
ALL = tuple(Look)


@dataclass
class Case:
    """A card that is about to be changed, of its sheet.

    `pair` is the product it may exchange values with (both know each other), None where it is alone; `following` the
    next of those that are changed, `other` any other product.
    """

    rng: random.Random
    market: Market
    sheet: Sheet
    card: Card
    pair: Product | None
    following: Product
    other: Product

    @property
    def true(self) -> Values:
        """The values of the card's product."""
        return self.card.product.values

    @property
    def price(self) -> Decimal:
        """What it costs."""
        return Decimal(self.true["price"])

    def times(self, factor: float | str) -> Decimal:
        """What it costs, so many times."""
        return (self.price * Decimal(str(factor))).quantize(Decimal("0.01"))


Change = Callable[[Case], None]


@dataclass(frozen=True)
class Kind:
    """One way, in the families in which it makes sense; of a whole page or of one product on it."""

    name: str
    change: Change
    looks: tuple[Look, ...]
    whole: bool = False

    @property
    def words(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ")


class Kinds(dict[str, Kind]):
    """Kinds by name."""

    def of(
        self, *looks: Look, whole: bool = False
    ) -> Callable[[Callable[[Case], object]], Callable[[Case], object]]:
        """Register a function."""

        def register(function: Callable[[Case], object]) -> Callable[[Case], object]:
            name = function.__name__
            assert name not in self, name
            self[name] = Kind(name, function, looks, whole)  # type: ignore[arg-type]
            return function

        return register

    def add(self, name: str, change: Callable[[Case], object], *looks: Look) -> None:
        """Register a function by another name."""
        assert name not in self, name
        self[name] = Kind(name, change, looks)  # type: ignore[arg-type]

    def pairs(
        self, looks: Collection[Look] = ALL, names: Collection[str] = ()
    ) -> Iterator[tuple[Look, Kind]]:
        """Every kind in every family it is made for, family by family; `names` of none are all."""
        for look in looks:
            for kind in self.values():
                if look in kind.looks and (not names or kind.name in names):
                    yield look, kind


def changed(
    kind: Kind, sheets: Sequence[Sheet], market: Market, rng: random.Random
) -> list[Sheet]:
    """The sheets with every card changed, in their order."""
    copies = deepcopy_sheets(sheets)
    if copies and copies[0].look is Look.LISTING:
        for sheet in copies:
            _change_cards(kind, [(sheet, card) for card in sheet.cards], market, rng)
    else:
        _change_cards(kind, [(sheet, sheet.card) for sheet in copies], market, rng)
    return copies


def changed_at(
    kind: Kind,
    share: float,
    sheets: Sequence[Sheet],
    market: Market,
    rng: random.Random,
) -> dict[int, Sheet]:
    """The pages that say something else, by place: so large a share, and at least one, or two that exchange
    something."""
    count = max(2 if _exchanges(kind) else 1, round(share * len(sheets)))
    places = sorted(rng.sample(range(len(sheets)), count))
    made = changed(kind, [sheets[at] for at in places], market, rng)
    return {
        at: sheet
        for at, sheet in zip(places, made, strict=True)
        if differs(sheet, sheets[at])
    }


def changed_alone(
    kind: Kind, sheets: Sequence[Sheet], market: Market, rng: random.Random
) -> dict[int, Sheet]:
    """One page that says something else, by its place: one product of it, or two that exchange something.

    Another page where it would make no difference; {} if it makes none on any.
    """
    places = list(range(len(sheets)))
    rng.shuffle(places)
    for at, place in enumerate(places):
        if sheets[place].look is Look.LISTING:
            found = _changed_row(kind, sheets[place], market, rng)
            result = {place: found} if found else {}
        else:
            both = [place, places[(at + 1) % len(places)]]
            made = changed(kind, [sheets[each] for each in both], market, rng)
            result = {
                each: sheet
                for each, sheet in zip(both, made, strict=True)
                if differs(sheet, sheets[each])
            }
            if not _exchanges(kind) and place in result:
                result = {place: result[place]}
        if place in result:
            return result
    return {}


def _exchanges(kind: Kind) -> bool:
    return kind.name.startswith("exchanged")


def _changed_row(
    kind: Kind, sheet: Sheet, market: Market, rng: random.Random
) -> Sheet | None:
    """The page with one row changed, or two that exchange something, or all if the kind is of pages; None if that makes
    no difference."""
    (made,) = changed(kind, [sheet], market, rng)
    if kind.whole:
        return made if differs(made, sheet) else None
    count = 2 if _exchanges(kind) else 1
    starts = list(range(0, len(sheet.cards), count))
    rng.shuffle(starts)
    for start in starts:
        (lone,) = deepcopy_sheets([sheet])
        lone.cards[start : start + count] = made.cards[start : start + count]
        lone.headers = made.headers
        if differs(lone, sheet):
            return lone
    return None


def differs(one: Sheet, other: Sheet) -> bool:
    """Whether two pages are not the same to a crawler."""
    a, b = one.page(), other.page()
    return a.body != b.body or a.headers != b.headers


def deepcopy_sheets(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Sheets that may be changed; products are the same ones."""
    memo = {}
    for sheet in sheets:
        for product in (*(card.product for card in sheet.cards), *sheet.related):
            memo[id(product)] = product
    return deepcopy(list(sheets), memo)


def _change_cards(
    kind: Kind,
    cards: Sequence[tuple[Sheet, Card]],
    market: Market,
    rng: random.Random,
) -> None:
    done: set[str] = set()
    for at, (sheet, card) in enumerate(cards):
        if kind.whole and sheet.url in done:
            continue
        done.add(sheet.url)
        mate = at ^ 1
        case = Case(
            rng,
            market,
            sheet,
            card,
            cards[mate][1].product if mate < len(cards) else None,
            cards[(at + 1) % len(cards)][1].product,
            _other(card.product, market),
        )
        kind.change(case)


def _other(product: Product, market: Market) -> Product:
    """A product that costs about as much, always the same."""
    usual = [each for each in market.products[:60] if each.values["price"] < 400]
    return usual[(product.number * 5 + 3) % len(usual)]
