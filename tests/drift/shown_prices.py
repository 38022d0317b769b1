"""Pages of kettles, and what may be said of their prices."""

from collections.abc import Callable
from typing import Any

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.forms import numeral_form, shown_form, shown_text_form
from crawloop_assets.drift.outcome import PageOutcome
from tests.drift import small

Values = dict[str, Any]


def kettles(number: int, *records: Values, **changes: Any) -> PageOutcome:
    """A page of records that have keys of their own unless they say another."""
    url = f"https://shop.example/p/kettle-{number}"
    keyed = [
        {"sku": f"K-{number}-{row}", **record} for row, record in enumerate(records)
    ]
    return small.outcome(*keyed, url=url, **changes)


def prices_with(**around: Any) -> Callable[[int], PageOutcome]:
    """Every price stands in this context."""
    context = Context(**{"words": "#", "beside": "#", **around})
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, context=context)

    def page(number: int) -> PageOutcome:
        return kettles(number, {"price": f"{number}.50"}, votes={"price": vote})

    return page


def prices_in_dollars(number: int) -> PageOutcome:
    """Every price stands with another currency than the version takes it to have."""
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, otherwise=("EUR", "USD"))
    return kettles(number, {"price": f"{number}.50"}, votes={"price": vote})


def late_prices(number: int) -> PageOutcome:
    """Of every price one kind of evidence says what was known."""
    vote = FieldVote(agreement=1.0, live_readers=2, readers=2, late="1.00")
    return kettles(number, {"price": f"{number}.50"}, votes={"price": vote})


def late_again(number: int) -> PageOutcome:
    """Of every price one kind of evidence says what was known, as the day before."""
    read = {"price": f"{number}.50"}
    known = {"sku": f"K-{number}-0", "price": "1.00"}
    late = late_prices(number)
    return late.model_copy(update={"previous": (known,), "said_before": (read,)})


def outvoted(number: int) -> PageOutcome:
    """Another price than was known is read, and a reader says one that is nearer."""
    known = {"sku": f"K-{number}-0", "price": "9.90"}
    vote = FieldVote(agreement=0.8, live_readers=3, readers=3, rivals=("11.00",))
    return kettles(number, {"price": "12.50"}, votes={"price": vote}, previous=[known])


def frozen(number: int) -> PageOutcome:
    """A price is what it was, and stands in nothing but JSON."""
    price = f"{number}.50"
    known = {"sku": f"K-{number}-0", "price": price}
    looks = small.facts(stands={numeral_form(price): True, shown_form(price): False})
    return kettles(number, {"price": price}, previous=[known], facts=looks)


def overlooked(number: int) -> PageOutcome:
    """One of two rows stands on the page, and is none that is read."""
    known = [
        {"sku": f"OLD-{number}-{row}", "title": f"Kettle no. {number}-{row}"}
        for row in range(2)
    ]
    stands = {
        shown_text_form(text): True for values in known for text in values.values()
    }
    looks = small.facts(stands=stands)
    return kettles(number, known[0], previous=known, facts=looks)
