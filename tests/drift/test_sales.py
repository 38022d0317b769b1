"""A sale is one thing, whether it begins or ends, for the price and for the former price."""

import pytest

from crawloop_assets.drift.sales import (
    is_no_more_than_sale,
    is_sale,
    is_sale_over,
)
from tests.drift import small

USUAL = {"price": "9.00"}
SALE = {"price": "5.00", "list_price": "9.00"}


@pytest.mark.parametrize(
    ("price", "after", "over"),
    [
        ("5", "9", True),
        ("5", "9.90", True),
        ("5", "6", False),
        ("5", "5", False),
        ("12", "9", False),
        ("5", None, False),
    ],
)
def test_a_sale_is_over_when_the_price_is_the_former_one(
    price: str, after: str | None, over: bool
) -> None:
    before = {"price": price, "list_price": "9"}
    assert is_sale_over(small.LIST_PRICE, before, {"price": after}) is over
    assert not is_sale_over(small.TITLE, {"title": "x", **before}, {"price": after})


def test_a_sale_that_is_over_is_one_that_began_read_backwards() -> None:
    assert is_sale("price", USUAL, SALE) and is_sale("price", SALE, USUAL)
    assert is_sale_over(small.LIST_PRICE, SALE, USUAL)
    assert not is_sale_over(small.LIST_PRICE, USUAL, SALE)
    assert not is_sale_over(small.LIST_PRICE, SALE, {**USUAL, "list_price": "9.00"})


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (USUAL, {"price": "5.00"}),
        (USUAL, {"price": "5.00", "list_price": "11.00"}),
        ({"price": "9.00", "list_price": "12.00"}, {**SALE, "list_price": "9.90"}),
        (USUAL, {"price": "5.00", "stock": 9}),
        (USUAL, {"list_price": "9.00"}),
        (SALE, SALE),
    ],
)
def test_what_is_no_sale_is_none_in_either_direction(
    before: dict[str, object], now: dict[str, object]
) -> None:
    assert not is_sale("price", before, now) and not is_sale("price", now, before)
    assert not is_sale_over(small.LIST_PRICE, now, before)


@pytest.mark.parametrize(
    ("price", "is_only"), [("9.00", True), ("9.0", True), ("9.90", False)]
)
def test_a_price_near_the_former_one_is_more_than_a_sale(
    price: str, is_only: bool
) -> None:
    usual = {"price": price}
    for before, now in ((SALE, usual), (usual, SALE)):
        assert is_sale("price", before, now)
        assert is_no_more_than_sale("price", before, now) is is_only
