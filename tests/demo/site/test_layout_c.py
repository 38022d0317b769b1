"""Layout C: generated class names, microdata and prices like 1,299.00 EUR."""

import re
from dataclasses import replace

import lxml.html

from crawloop_assets.demo.site.goods import Item
from crawloop_assets.demo.site.layout_c import LayoutC
from crawloop_assets.demo.site.views import ApiView, CategoryView, ProductView


def prop(html: str, name: str) -> lxml.html.HtmlElement:
    """The only element of a microdata property."""
    tree = lxml.html.document_fromstring(html)
    (element,) = tree.xpath(f"//*[@itemprop='{name}']")
    return element


def test_a_product_page_says_its_values_in_microdata(product_view: ProductView) -> None:
    html = LayoutC().product(product_view)
    assert prop(html, "name").text_content() == "Kettle <1 l> & Cup"
    assert prop(html, "price").get("value") == "1299.00"
    assert prop(html, "price").text_content() == "1,299.00 EUR"
    assert prop(html, "ratingValue").text_content() == "4.2"
    assert prop(html, "reviewCount").text_content() == "17"
    assert "Regular price <s>1,499.50 EUR</s>" in html


def test_what_is_not_there_leaves_no_trace(plain_view: ProductView) -> None:
    html = LayoutC().product(plain_view)
    assert "Regular price" not in html
    assert "aggregateRating" not in html
    assert "<blockquote" not in html


def test_class_names_look_built_and_stay_the_same(product_view: ProductView) -> None:
    html = LayoutC().product(product_view)
    names = set(re.findall(r'class="([^"]+)"', html))
    assert names and all(
        re.fullmatch(r"[A-Z]\w+_[a-z]+__[A-Za-z0-9]{5}", name) for name in names
    )
    assert LayoutC().product(product_view) == html


def test_a_listing_has_a_row_per_product_and_marks_its_page(
    category_view: CategoryView,
) -> None:
    html = LayoutC().category(category_view)
    assert html.count("<h4 ") == 5
    assert html.count('<link rel="next" href="/category/audio?page=3">') == 1
    last = LayoutC().category(replace(category_view, page=3))
    assert 'rel="next"' not in last and ">Next</a>" not in last
    (current,) = re.findall(r'class="Pages_current\w*" href="([^"]+)"', html)
    assert current == "/category/audio?page=2"


def test_the_api_nests_its_rows(api_view: ApiView, plain: Item) -> None:
    catalogue = LayoutC().api_page(api_view)["result"]["catalogue"]
    assert catalogue["pageInfo"] == {
        "hasNext": True,
        "nextUrl": "/api/products?page=2",
        "total": 2,
    }
    edge = catalogue["edges"][0]
    assert edge["cursor"] == f"p{api_view.items[0].id}"
    assert edge["node"]["priceRange"]["compareAt"] == {"amount": "1499.50"}
    bare = LayoutC().api_item(plain)
    assert bare["priceRange"]["compareAt"] is None
    assert bare["reviews"] == {"ratingValue": None, "count": 0}
