"""Ways in which a crawler goes wrong while every record stays valid. In all of them the readers agree with each other
(the worst case) unless the kind is about readers; what the page shows is unchanged unless the kind says so."""

import random
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import net_form, numeral_form, text_form
from crawloop_assets.drift.outcome import PageOutcome
from tests.drift.shop import (
    Product,
    Shop,
    Values,
    facts_of,
    relaid,
    votes_of,
    with_findings,
    with_values,
)


class Case(NamedTuple):
    """One page about to be read wrongly."""

    rng: random.Random
    shop: Shop
    product: Product
    outcome: PageOutcome

    @property
    def values(self) -> Values:
        """A copy of what a right crawler reads."""
        return dict(self.outcome.values[0])

    def read(self, **changes: object) -> PageOutcome:
        """The outcome with other values; None removes one."""
        values = {
            name: value
            for name, value in (self.values | changes).items()
            if value is not None
        }
        return with_values(self.outcome, values)

    def on(self, facts: PageFacts) -> "Case":
        """The same on another page."""
        return self._replace(outcome=self.outcome.model_copy(update={"facts": facts}))


Kind = Callable[[Case], PageOutcome]
KINDS: dict[str, Kind] = {}


def _kind(function: Kind) -> Kind:
    KINDS[function.__name__] = function
    return function


def _page(case: Case, *extra: str, values: Values | None = None) -> Case:
    """The page shows other things as well (forms), or other values."""
    product = (
        case.product
        if values is None
        else Product(case.product.url, values, case.product.base)
    )
    facts = facts_of(case.shop, product, extra)
    return case.on(facts)


@_kind
def wrong_element_title(case: Case) -> PageOutcome:
    """The title of a related product comes first."""
    return case.read(title=case.shop.related(case.product)[0].values["title"])


@_kind
def wrong_element_price(case: Case) -> PageOutcome:
    """The price of a related product comes first."""
    return case.read(price=case.shop.related(case.product)[0].values["price"])


@_kind
def swapped_title_brand(case: Case) -> PageOutcome:
    return case.read(
        title=case.values.get("brand", "Unknown"), brand=case.values["title"]
    )


@_kind
def swapped_price_list_price(case: Case) -> PageOutcome:
    """Old and new price change places (the page has both)."""
    values = case.values
    old = values.get("list_price") or str(
        (Decimal(values["price"]) * Decimal("1.25")).quantize(Decimal("0.01"))
    )
    return _page(case, numeral_form(old)).read(price=old, list_price=values["price"])


@_kind
def swapped_weight_rating(case: Case) -> PageOutcome:
    return case.read(
        weight=case.values.get("rating", "4.4"), rating=case.values["weight"]
    )


@_kind
def stale_value_everywhere(case: Case) -> PageOutcome:
    """A cached fragment: every page gives the title and price of one product."""
    other = case.shop.products[3].values
    return _page(case, text_form(other["title"]), numeral_form(other["price"])).read(
        title=other["title"], price=other["price"]
    )


@_kind
def constant_price(case: Case) -> PageOutcome:
    """The shipping threshold of the footer is read as price."""
    return case.read(price="30")


@_kind
def constant_brand(case: Case) -> PageOutcome:
    return case.read(brand="Shop")


@_kind
def cents(case: Case) -> PageOutcome:
    """The price attribute is in cents now (and stands in the page)."""
    price = str(int(Decimal(case.values["price"]) * 100))
    return _page(case, numeral_form(price)).read(price=price)


@_kind
def thousandth(case: Case) -> PageOutcome:
    """Weight in grams turned kilograms."""
    weight = str(Decimal(case.values["weight"]) / 1000)
    return _page(case, numeral_form(weight)).read(weight=weight)


@_kind
def decimal_comma(case: Case) -> PageOutcome:
    """12,50 read as 1250."""
    return case.read(price=f"{Decimal(case.values['price']):.2f}".replace(".", ""))


@_kind
def decimals_lost(case: Case) -> PageOutcome:
    """12.50 read as 12."""
    return case.read(price=case.values["price"].split(".")[0])


@_kind
def thousands_lost(case: Case) -> PageOutcome:
    """Only the digits after the group mark (or the last three) are read."""
    return case.read(
        price=(case.values["price"].replace(".", "")[-3:].lstrip("0") or "1")
    )


@_kind
def truncated_title(case: Case) -> PageOutcome:
    return case.read(title=case.values["title"][:12].strip())


@_kind
def truncated_description(case: Case) -> PageOutcome:
    return case.read(description=case.values["description"][:40].strip() + "…")


@_kind
def truncated_list(case: Case) -> PageOutcome:
    """Only the first tag is read."""
    return case.read(tags=case.values["tags"][:1])


@_kind
def optional_gone(case: Case) -> PageOutcome:
    """The brand is nowhere any more."""
    return case.read(brand=None)


@_kind
def optional_gone_volatile(case: Case) -> PageOutcome:
    """The rating is nowhere any more."""
    return case.read(rating=None)


@_kind
def currency_symbol(case: Case) -> PageOutcome:
    """The site shows dollars to this visitor."""
    values = case.values | {"currency": "USD"}
    shifted = _page(case, values=values)
    facts = shifted.outcome.facts
    assert facts is not None
    return shifted.on(facts.model_copy(update={"currency": "USD"})).read(currency="USD")


@_kind
def currency_unseen(case: Case) -> PageOutcome:
    """Dollars on the page, still EUR in the record; same figures."""
    facts = case.outcome.facts
    assert facts is not None
    return case.on(facts.model_copy(update={"currency": "USD"})).read()


@_kind
def net_price(case: Case) -> PageOutcome:
    """The price without tax, labelled as such, is read instead."""
    net = str(
        (Decimal(case.values["price"]) / Decimal("1.2")).quantize(Decimal("0.01"))
    )
    return _page(case, numeral_form(net), net_form(net)).read(price=net)


@_kind
def monthly_rate(case: Case) -> PageOutcome:
    """The monthly instalment is read as price."""
    rate = str((Decimal(case.values["price"]) / 12).quantize(Decimal("0.01")))
    return _page(case, numeral_form(rate)).read(price=rate)


@_kind
def placeholder_text(case: Case) -> PageOutcome:
    return case.read(title="{{ product.title }}")


@_kind
def loading_text(case: Case) -> PageOutcome:
    return case.read(description="Loading...")


@_kind
def mojibake(case: Case) -> PageOutcome:
    return case.read(description=case.values["description"].replace("a", "Ã¤", 3))


@_kind
def markup_in_text(case: Case) -> PageOutcome:
    return case.read(title=f"<b>{case.values['title']}</b>")


@_kind
def label_glued(case: Case) -> PageOutcome:
    """The label is part of the value."""
    return case.read(brand=f"Brand: {case.values.get('brand', '')}")


@_kind
def language_switch(case: Case) -> PageOutcome:
    """German titles and texts; the page says so."""
    title = "Das " + case.values["title"].replace("Small", "Kleine").replace(
        "Red", "Rote"
    )
    description = (
        "Das ist aus Eiche und mit der glatten Seite für jeden Tisch zu Hause."
    )
    shifted = _page(
        case, values=case.values | {"title": title, "description": description}
    )
    facts = shifted.outcome.facts
    assert facts is not None
    return shifted.on(facts.model_copy(update={"spoken": "de"})).read(
        title=title, description=description
    )


@_kind
def language_switch_short(case: Case) -> PageOutcome:
    """The same on pages too short to tell the language."""
    title = "Das " + case.values["title"].replace("Small", "Kleine").replace(
        "Red", "Rote"
    )
    shifted = _page(case, values=case.values | {"title": title})
    facts = shifted.outcome.facts
    assert facts is not None
    return shifted.on(facts.model_copy(update={"spoken": ""})).read(title=title)


@_kind
def cached_old_price(case: Case) -> PageOutcome:
    """One reader finds the price of last week in a cached fragment; the two others are right."""
    old = str(
        (Decimal(case.values["price"]) * Decimal("1.07")).quantize(Decimal("0.01"))
    )
    values = case.values | {"price": old}
    votes = votes_of(values) | {
        "price": FieldVote(
            agreement=0.4,
            live_readers=3,
            readers=3,
            reader="css",
            rivals=(case.values["price"],),
        )
    }
    extraction = Extraction(records=(ExtractedRecord(values=values, votes=votes),))
    shown_too = _page(case, numeral_form(old))
    return with_findings(
        shown_too.outcome.model_copy(
            update={"extraction": extraction, "values": (values,)}
        )
    )


@_kind
def redesign_wrong_title(case: Case) -> PageOutcome:
    """A new layout in which the title reader finds a slogan that is different on every page."""
    facts = relaid(
        _page(case, text_form("Our pick for " + case.values["category"])).outcome.facts
        or PageFacts()
    )
    return case.on(facts).read(
        title=f"Our pick no. {case.rng.randrange(900)} for {case.values['category']}"
    )


@_kind
def sku_is_number(case: Case) -> PageOutcome:
    """An internal number is read as sku."""
    number = str(case.rng.randrange(10**6, 10**7))
    return _page(case, text_form(number)).read(sku=number)


@_kind
def date_day_month(case: Case) -> PageOutcome:
    """Day and month change places where possible."""
    year, month, day = case.values["released"].split("-")
    swapped = (
        f"{year}-{day}-{month}"
        if int(day) <= 12 and day != month
        else f"{year}-{month}-01"
    )
    return case.read(released=swapped)


@_kind
def image_placeholder(case: Case) -> PageOutcome:
    """Lazy images: every page gives the spinner."""
    return case.read(image="https://shop.example/img/spinner.gif")


@_kind
def neighbour_record(case: Case) -> PageOutcome:
    """All fields of a related product (the first block of the page is its)."""
    other = case.shop.related(case.product)[0].values
    return with_values(
        _page(case, *map(text_form, (other["sku"], other["brand"]))).outcome,
        dict(other),
    )


@_kind
def stock_is_reviews(case: Case) -> PageOutcome:
    return case.read(stock=case.values["reviews"], reviews=case.values["stock"])
