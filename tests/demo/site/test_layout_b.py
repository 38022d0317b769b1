"""Layout B: utility classes, test ids and prices like 1.299,00."""

from dataclasses import replace

import lxml.html

from crawloop_assets.demo.site.goods import IN_STOCK, OUT_OF_STOCK, Item
from crawloop_assets.demo.site.layout_b import LayoutB
from crawloop_assets.demo.site.views import ApiView, CategoryView, ProductView


def marked(html: str, test_id: str) -> str:
    """The text of the only element with a test id."""
    tree = lxml.html.document_fromstring(html)
    (element,) = tree.xpath(f"//*[@data-testid='{test_id}']")
    return " ".join(str(element.text_content()).split())


def test_a_product_page_shows_its_values(product_view: ProductView) -> None:
    html = LayoutB().product(product_view)
    price = marked(html, "pdp-price").replace(" ", "")
    assert "1.299" in price and "00" in price
    assert "1.499,50" in html
    assert marked(html, "pdp-availability") == (
        product_view.item.availability.capitalize()
    )
    assert marked(html, "review-count") == "17 ratings"
    assert "Rated 4.2 out of 5" in html
    assert "Kettle &lt;1 l&gt; &amp; Cup" in html and "<1 l>" not in html


def test_what_is_not_there_leaves_no_trace(plain_view: ProductView) -> None:
    html = LayoutB().product(plain_view)
    for name in ("line-through", "review-count", 'data-testid="rating"'):
        assert name not in html


def test_the_dot_is_green_only_for_what_is_in_stock(product_view: ProductView) -> None:
    def page_of(availability: str) -> str:
        item = replace(product_view.item, availability=availability)
        return LayoutB().product(replace(product_view, item=item))

    assert "bg-emerald-500" in page_of(IN_STOCK)
    assert "bg-emerald-500" not in page_of(OUT_OF_STOCK)


def test_a_listing_has_a_tile_per_product_and_links(
    category_view: CategoryView,
) -> None:
    html = LayoutB().category(category_view)
    assert html.count("aspect-square") == 5
    assert 'rel="next" href="/category/audio?page=3"' in html
    assert ">Back</a>" in html
    assert ">Back</a>" not in LayoutB().category(replace(category_view, page=1))
    assert 'rel="next"' not in LayoutB().category(replace(category_view, page=3))


def test_the_api_gives_amounts_as_numbers(api_view: ApiView, plain: Item) -> None:
    page = LayoutB().api_page(api_view)
    assert page["meta"]["pagination"] == {"current": 1, "last": 2, "count": 2}
    assert page["links"]["next"] == "/api/products?page=2"
    row = page["data"][0]["attributes"]
    assert row["pricing"] == {
        "current": 1299.0,
        "before": 1499.5,
        "currencyCode": "EUR",
    }
    bare = LayoutB().api_item(plain)["attributes"]
    assert (bare["pricing"]["before"], bare["score"]) == (None, None)
