"""What other pages of the site say of a value."""

import pytest

from crawloop_assets.drift.elsewhere_signs import (
    count_elsewhere_signs,
    is_said_elsewhere,
)
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import PRICE, SKU, TITLE, family, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE)


def page(price: str, elsewhere: str, known: str = "") -> PageOutcome:
    """A page of one record, what another one says of its price, and what it was."""
    previous = [{"sku": "1", "price": known}] if known else []
    made = outcome({"sku": "1", "price": price}, previous=previous)
    said = {"sku": "1", "price": elsewhere} if elsewhere else {}
    return made.model_copy(update={"elsewhere": (said,)})


@pytest.mark.parametrize(
    ("price", "elsewhere", "known", "rate"),
    [
        ("9.00", "10.00", "10.00", (1, 1)),
        ("9.00", "10.00", "", (1, 1)),
        ("9.00", "9.0", "10.00", (0, 1)),
        ("10.00", "9.00", "10.00", (0, 1)),
        ("9.00", "", "10.00", None),
    ],
)
def test_a_new_value_that_another_page_does_not_say(price, elsewhere, known, rate):
    tallies = Tallies()
    pages = [page(price, elsewhere, known)]
    count_elsewhere_signs(SCHEMA, family(), pages, tallies)
    tally = tallies.get(Sign.ELSEWHERE, "price")
    assert (tally and tally.rate) == rate
    assert tallies.get(Sign.ELSEWHERE, "sku") is None, (
        "that is how they found each other"
    )


def test_a_value_is_said_elsewhere_of_the_same_record_only():
    rows = outcome({"sku": "1", "price": "9.00"}, {"sku": "2", "price": "8.00"})
    other = rows.model_copy(update={"elsewhere": ({"price": "8.00"}, {"price": "8.0"})})
    assert is_said_elsewhere(PRICE, "8.00", other)
    assert not is_said_elsewhere(PRICE, "9.00", other)
    assert not is_said_elsewhere(PRICE, "9.00", rows)
