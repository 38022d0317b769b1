"""What happens to a shop, and what is true of it."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from crawloop_assets.demo.site.changes import Break, Layout
from crawloop_assets.demo.site.state import ShopState
from schemas.offer import Offer
from schemas.product import Product


@pytest.fixture
def state() -> ShopState:
    return ShopState(base_url="http://shop.test")


def test_the_truth_is_told_apart_by_the_name_of_the_schema(state: ShopState) -> None:
    pages = state.truth(Product)
    assert len(pages) == len(state.items) == 300
    first = state.items[0]
    (record,) = pages[f"http://shop.test{first.path}"]
    assert (record.sku, record.price) == (first.sku, first.price)


def test_a_schema_gets_only_the_fields_it_has(state: ShopState) -> None:
    class Product(BaseModel):
        title: str
        weight: str = "unknown"

    (record,) = state.truth(Product)[f"http://shop.test{state.items[0].path}"]
    assert record == Product(title=state.items[0].title)


def test_a_category_is_cut_into_pages_of_twenty(state: ShopState) -> None:
    sizes = [len(offers) for offers in state.truth(Offer).values()]
    assert sizes == [20, 20, 10] * 6


def test_a_schema_that_is_not_sold_is_refused(state: ShopState) -> None:
    class Song(BaseModel):
        title: str

    with pytest.raises(ValueError, match="no pages of Song"):
        state.truth(Song)


@given(st.decimals(0, 1, places=2), st.integers(0, 50))
@settings(max_examples=15, deadline=None)
def test_prices_move_at_most_so_far_and_no_sale_is_dearer(
    at_most: Decimal, seed: int
) -> None:
    state = ShopState(seed)
    before = {item.sku: item for item in state.items}
    changed = state.change_prices(0.5, at_most)
    for item in state.items:
        old = before[item.sku].price
        assert (item.price != old) == (item.sku in changed)
        assert abs(item.price - old) <= old * at_most + Decimal("0.02")
        assert item.price >= 1
        assert item.list_price is None or item.list_price > item.price


def test_what_is_discontinued_is_no_longer_true(state: ShopState) -> None:
    gone = state.items[4]
    state.discontinue(gone.sku)
    assert f"http://shop.test{gone.path}" not in state.truth(Product)
    assert gone not in state.items and len(state.items) == 299
    with pytest.raises(KeyError, match=gone.sku):
        state.discontinue(gone.sku)


def test_breaks_and_looks_leave_the_truth_alone(state: ShopState) -> None:
    before = state.truth(Offer)
    state.redesign(Layout.B)
    state.break_(Break.CENTS)
    assert state.truth(Offer) == before
    state.mend()
    with pytest.raises(ValueError, match="dance"):
        state.break_("dance")
