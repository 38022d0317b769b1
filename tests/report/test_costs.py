"""What a model per page would have cost, and what that rests on."""

from dataclasses import replace

from crawloop_assets.report.costs import ModelPrice, Savings, assumption, purpose_cells
from crawloop_assets.store.chronicle import FamilyCosts, PurposeCosts

PRICE = ModelPrice()
COSTS = FamilyCosts(
    family="a/b",
    pages=1000,
    calls=0,
    unknown=0,
    tokens_in=0,
    tokens_out=0,
    usd=0.0,
    usd_of_a_page=None,
)


def test_without_own_calls_the_price_is_assumed_and_said() -> None:
    one = Savings(COSTS, PRICE)
    assert round(one.by_model, 2) == 1.14
    assert one.cells() == ("a/b", "1,000", "0", "$0.0000", "$1.1400", "$1.1400")
    (said,) = assumption(PRICE, [one])
    assert said.startswith("Assumed is $0.00114 for a page")


def test_own_calls_tell_the_price() -> None:
    one = Savings(replace(COSTS, calls=3, usd=0.5, usd_of_a_page=0.01), PRICE)
    assert one.by_model == 10 and one.cells()[-1] == "$9.5000"
    (said,) = assumption(PRICE, [one])
    assert said.startswith("Of a/b a model did read pages")


def test_what_calls_were_for_is_a_line_each() -> None:
    one = PurposeCosts(
        purpose="serve",
        calls=3,
        cached=2,
        tokens_in=12_000,
        tokens_out=90,
        usd=0.01,
        counted=0.02,
        prompts=("serve-1", "serve-2"),
    )
    assert purpose_cells(one) == (
        *("serve", "3", "2", "12,000", "90"),
        *("$0.0100", "$0.0200", "serve-1, serve-2"),
    )
