"""Microdata and RDFa items in the shape of JSON-LD."""

import pytest

from crawloop_assets.document import items as items_module
from crawloop_assets.document.islands import Roots
from crawloop_assets.document.items import items_of
from tests.document.build import document


def items(html: str) -> Roots:
    return items_of(document(html).tree)


def test_microdata_and_rdfa_have_the_shape_of_linked_data() -> None:
    page = document(
        """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="5"></div>
        <img itemprop="image" src="/a.jpg"></div>
        <div typeof="Recipe"><span property="name">Pie</span></div>"""
    )
    assert page.json_nodes("md:Product.name[*]") == ["Lamp"]
    assert page.json_nodes("md:Product.offers.price[*]") == ["5"]
    assert page.json_nodes("md:Product.image[*]") == ["/a.jpg"]
    assert page.json_nodes("rdfa:Recipe.name[*]") == ["Pie"]


def test_an_item_inside_another_is_its_value_and_no_root() -> None:
    found = items(
        "<div itemscope itemtype=a/Product><p itemprop=brand itemscope><b itemprop="
        "name>Lux</b></p><i itemprop='name alias'>Lamp</i></div>"
    )
    brand = {"@type": ["Thing"], "name": ["Lux"]}
    product = {"@type": ["a/Product"], "brand": [brand]}
    assert found == {"md:Product": [{**product, "name": ["Lamp"], "alias": ["Lamp"]}]}


def test_a_property_of_nothing_is_no_item() -> None:
    assert items("<b itemprop=name>x</b><p itemscope></p>") == {
        "md:Thing": [{"@type": ["Thing"]}]
    }
    assert items("<b itemprop=offers itemscope itemtype=Offer>x</b>") == {}


def test_a_second_value_is_added_in_order() -> None:
    found = items("<p itemscope><b itemprop=n>1</b><b itemprop=n>2</b></p>")
    assert found["md:Thing"][0]["n"] == ["1", "2"]


def test_a_prefix_and_further_types_do_not_count() -> None:
    found = items("<p typeof='Recipe Food'><b property='schema:name'>Pie</b></p>")
    assert found == {"rdfa:Recipe": [{"@type": ["Recipe"], "name": ["Pie"]}]}


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<b itemprop=p> a <i>b</i>\n c</b>", "a b c"),
        ("<b itemprop=p content=''>text</b>", ""),
        ("<meta itemprop=p content=5>", "5"),
        ("<a itemprop=p href=/a>text</a>", "/a"),
        ("<a itemprop=p>text</a>", "text"),
        ("<a itemprop=p href=/a content=c>text</a>", "c"),
        ("<img itemprop=p src=/i>", "/i"),
        ("<time itemprop=p datetime=2021>then</time>", "2021"),
        ("<data itemprop=p value=7>seven</data>", "7"),
        ("<object itemprop=p data=/o></object>", "/o"),
    ],
)
def test_each_element_has_its_own_value(element: str, value: str) -> None:
    assert items(f"<p itemscope>{element}</p>")["md:Thing"][0]["p"] == [value]


def test_a_page_that_says_the_words_but_opens_no_item_is_not_searched(
    monkeypatch,
) -> None:
    monkeypatch.setattr(items_module, "_add_items", lambda *_: pytest.fail("searched"))
    said = "<p property=x itemprop=y>itemscope</p><script>typeof x</script>"
    assert items(said) == {}
