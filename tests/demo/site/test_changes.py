"""What a change covers, and what a break makes of a product."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.demo.site.changes import (
    TROUBLES,
    VALUE_BREAKS,
    Break,
    Only,
    ShopPart,
    shown,
)
from crawloop_assets.demo.site.goods import Item, stock_of_goods

GOODS = stock_of_goods(3)
ITEM = replace(
    GOODS[0],
    price=Decimal("119.00"),
    list_price=Decimal("150.00"),
    title="A title that is longer than any line of the menu",
)
FOLLOWING = replace(
    GOODS[1], price=Decimal("20.00"), list_price=None, stock=3, rating=None, reviews=0
)


def test_nothing_said_covers_every_page() -> None:
    assert Only().covers(ShopPart.API, "", "anything")


def test_parts_and_categories_both_have_to_fit() -> None:
    only = Only(parts=frozenset({ShopPart.PRODUCT}), categories=frozenset({"audio"}))
    assert only.covers(ShopPart.PRODUCT, "audio", "key")
    assert not only.covers(ShopPart.CATEGORY, "audio", "key")
    assert not only.covers(ShopPart.PRODUCT, "kitchen", "key")


def test_a_share_covers_about_that_many() -> None:
    only = Only(share=0.25)
    covered = [n for n in range(2_000) if only.covers(ShopPart.PRODUCT, "", f"k{n}")]
    assert 400 < len(covered) < 600


@given(st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_greater_share_covers_what_a_smaller_one_does(
    key: str, one: float, other: float
) -> None:
    small, large = sorted((one, other))
    if Only(share=small).covers(ShopPart.PRODUCT, "", key):
        assert Only(share=large).covers(ShopPart.PRODUCT, "", key)
    assert not Only(share=0).covers(ShopPart.PRODUCT, "", key)


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (Break.NET_PRICE, {"price": Decimal("100.00")}),
        (
            Break.SWAPPED_PRICES,
            {"price": Decimal("150.00"), "list_price": Decimal("119.00")},
        ),
        (Break.ONE_PRICE, {"price": Decimal("49.90"), "list_price": None}),
        (Break.CENTS, {"price": Decimal("11900.00")}),
        (Break.CUT_TITLES, {"title": "A title that is longer t…"}),
    ],
)
def test_each_break_changes_only_its_values(
    kind: Break, changed: dict[str, object]
) -> None:
    assert shown(ITEM, FOLLOWING, [kind]) == replace(ITEM, **changed)  # type: ignore[arg-type]


def test_the_neighbours_values_come_with_everything_but_its_name() -> None:
    seen = shown(ITEM, FOLLOWING, [Break.NEIGHBOUR])
    taken = ("price", "list_price", "availability", "stock", "rating", "reviews")
    assert all(getattr(seen, name) == getattr(FOLLOWING, name) for name in taken)
    assert (seen.title, seen.sku) == (ITEM.title, ITEM.sku)


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (replace(ITEM, list_price=None), Break.SWAPPED_PRICES),
        (replace(ITEM, title="x" * 24), Break.CUT_TITLES),
        (ITEM, Break.LOGIN),
    ],
)
def test_a_break_that_does_not_apply_changes_nothing(item: Item, kind: Break) -> None:
    assert shown(item, FOLLOWING, [kind]) == item


def test_breaks_follow_one_another() -> None:
    seen = shown(ITEM, FOLLOWING, [Break.SWAPPED_PRICES, Break.CENTS])
    assert (seen.price, seen.list_price) == (Decimal("15000.00"), Decimal("119.00"))


def test_a_break_has_a_wrong_value_or_another_answer() -> None:
    assert not VALUE_BREAKS & TROUBLES.keys()
    assert set(Break) - VALUE_BREAKS - TROUBLES.keys() == {Break.EMPTY}
    assert dict(TROUBLES[Break.THROTTLED].headers) == {"Retry-After": "2"}
    assert {TROUBLES[kind].status for kind in (Break.LOGIN, Break.SHELL)} == {200}
