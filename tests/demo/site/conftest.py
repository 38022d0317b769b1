"""Views of a few products, for any layout to show."""

from dataclasses import replace
from decimal import Decimal

import pytest

from crawloop_assets.demo.site.goods import CATEGORIES, Item, stock_of_goods
from crawloop_assets.demo.site.views import ApiView, CategoryView, ProductView

BASE_URL = "http://shop.test"
_GOODS = stock_of_goods(7)


@pytest.fixture
def item() -> Item:
    """A product on sale whose title has to be escaped."""
    return replace(
        _GOODS[0],
        title="Kettle <1 l> & Cup",
        price=Decimal("1299.00"),
        list_price=Decimal("1499.50"),
        rating=Decimal("4.2"),
        reviews=17,
    )


@pytest.fixture
def plain(item: Item) -> Item:
    """The same product without a sale and without a rating."""
    return replace(item, list_price=None, rating=None, reviews=0, opinions=())


@pytest.fixture
def product_view(item: Item) -> ProductView:
    return ProductView(BASE_URL, item, _GOODS[1:4], "incl. VAT, plus")


@pytest.fixture
def plain_view(plain: Item) -> ProductView:
    return ProductView(BASE_URL, plain, [], "incl. VAT, plus")


@pytest.fixture
def category_view() -> CategoryView:
    """The second of three pages."""
    return CategoryView(BASE_URL, CATEGORIES[0], _GOODS[:5], _GOODS[5:7], 2, 3)


@pytest.fixture
def api_view(item: Item) -> ApiView:
    """The first of two pages."""
    return ApiView(BASE_URL, [item, _GOODS[1]], 1, 2, 2)
