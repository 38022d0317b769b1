"""Generated goods: the same for a seed, and such as a shop could sell."""

from decimal import Decimal

import pytest

from crawloop_assets.demo.site.goods import (
    CATEGORIES,
    IN_STOCK,
    PER_CATEGORY,
    stock_of_goods,
)

GOODS = stock_of_goods(7)


@pytest.mark.parametrize("seed", [7, 8])
def test_a_seed_always_gives_the_same_goods(seed: int) -> None:
    assert stock_of_goods(seed) == stock_of_goods(seed)
    assert stock_of_goods(seed) != stock_of_goods(seed + 1)


def test_the_goods_of_the_demo_have_not_changed() -> None:
    first, last = GOODS[0], GOODS[-1]
    assert (first.sku, first.price) == ("VEAU-26919", Decimal("899.99"))
    assert last.title == "Quillon Petrel 80 Gravel Wheelset, White Oak"
    assert last.rating == Decimal("3.5")


def test_every_category_is_filled_in_order() -> None:
    assert [item.id for item in GOODS] == list(range(1001, 1301))
    for index, category in enumerate(CATEGORIES):
        shelf = GOODS[index * PER_CATEGORY : (index + 1) * PER_CATEGORY]
        assert {item.category for item in shelf} == {category}


def test_no_two_products_share_a_name_or_number() -> None:
    assert len({item.title for item in GOODS}) == len(GOODS)
    assert len({item.sku for item in GOODS}) == len(GOODS)
    assert len({item.path for item in GOODS}) == len(GOODS)


def test_a_path_has_only_plain_letters_and_ends_in_the_number() -> None:
    for item in GOODS:
        assert item.path == f"/product/{item.slug}-{item.id}"
        assert all(char.isalnum() or char == "-" for char in item.slug)
        assert item.slug == item.slug.lower()
        assert "--" not in item.slug
    assert GOODS[0].image == f"/media/{GOODS[0].sku.lower()}-front.jpg"


def test_prices_fit_the_category_and_sales_are_cheaper() -> None:
    for item in GOODS:
        low, high = item.category.prices
        assert low - 1 <= item.price <= high + 1
        assert item.list_price is None or item.list_price > item.price
        assert item.price == item.price.quantize(Decimal("0.01"))


def test_only_what_is_in_stock_has_a_stock() -> None:
    for item in GOODS:
        assert (item.stock > 0) == (item.availability == IN_STOCK)


def test_only_rated_products_have_reviews() -> None:
    for item in GOODS:
        if item.rating is None:
            assert (item.reviews, item.opinions) == (0, ())
        else:
            assert Decimal("3.1") <= item.rating <= 5
            assert item.reviews >= 2 and 2 <= len(item.opinions) <= 5
            stars = [review.stars for review in item.opinions]
            assert all(abs(one - round(item.rating)) <= 1 for one in stars)
            assert max(stars) <= 5


def test_descriptions_are_filled_in() -> None:
    assert not any("{" in item.description for item in GOODS)
    assert all(item.specs[0][0] == "Weight" and len(item.specs) == 6 for item in GOODS)
