"""Layout A: prices like €1,299.00, JSON-LD, BEM class names."""

import json
from dataclasses import replace

import lxml.html

from crawloop_assets.demo.site.goods import Item
from crawloop_assets.demo.site.layout_a import LayoutA
from crawloop_assets.demo.site.views import ApiView, CategoryView, ProductView


def one(html: str, selector: str) -> str:
    """The text of the only element a class name selects."""
    tree = lxml.html.document_fromstring(html)
    (element,) = tree.find_class(selector)
    return " ".join(str(element.text_content()).split())


def test_a_product_page_shows_its_values(product_view: ProductView) -> None:
    html = LayoutA().product(product_view)
    assert one(html, "product__title") == "Kettle <1 l> & Cup"
    assert one(html, "product__price").startswith("€1,299.00 €1,499.50 incl. VAT")
    assert one(html, "product__sku-value") == product_view.item.sku
    assert one(html, "product__stock") == product_view.item.availability.capitalize()
    assert one(html, "product-grid--related").count("Add to basket") == 3
    assert html.count('class="review"') == len(product_view.item.opinions)


def test_the_linked_data_says_the_same(product_view: ProductView) -> None:
    tree = lxml.html.document_fromstring(LayoutA().product(product_view))
    (script,) = tree.xpath("//script[@type='application/ld+json']")
    data = json.loads(script.text)
    assert data["name"] == product_view.item.title
    assert data["offers"]["price"] == "1299.00"
    assert data["aggregateRating"] == {
        "@type": "AggregateRating",
        "ratingValue": "4.2",
        "reviewCount": 17,
    }


def test_what_is_not_there_leaves_no_trace(plain_view: ProductView) -> None:
    html = LayoutA().product(plain_view)
    assert one(html, "product__price").startswith("€1,299.00 incl. VAT")
    for name in ("price--old", "rating__value", "aggregateRating", 'class="review"'):
        assert f"{name}" not in html.split("</style>", 1)[1]


def test_a_listing_has_a_card_per_product_a_promotion_and_links(
    category_view: CategoryView,
) -> None:
    html = LayoutA().category(category_view)
    assert html.count('<li class="product-card"') == 5
    assert html.count("product-card--promo") == 1
    assert 'rel="prev" href="/category/audio"' in html
    assert 'rel="next" href="/category/audio?page=3"' in html
    last = LayoutA().category(replace(category_view, page=3))
    assert 'rel="next"' not in last
    assert 'rel="prev"' not in LayoutA().category(replace(category_view, page=1))


def test_the_api_gives_amounts_as_text(api_view: ApiView, plain: Item) -> None:
    page = LayoutA().api_page(api_view)
    assert (page["page"], page["pages"], page["total"]) == (1, 2, 2)
    assert page["next"] == "/api/products?page=2"
    row = page["items"][0]
    assert row["price"] == {"amount": "1299.00", "currency": "EUR"}
    assert (row["list_price"], row["rating"]) == ("1499.50", 4.2)
    bare = LayoutA().api_item(plain)
    assert (bare["list_price"], bare["rating"]) == (None, None)
