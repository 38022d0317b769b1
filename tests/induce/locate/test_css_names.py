import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.select import css
from crawloop_assets.induce.locate.css_names import (
    child_path,
    container_of,
    escape,
    is_plain,
    quote,
    tag_in_xpath,
    tag_of,
)
from tests.induce.listing.documents import document, elements


def test_tags_are_escaped_in_selectors() -> None:
    page = document("<my:tag>x</my:tag>")
    assert tag_of(page, 2) == "my\\:tag"


@pytest.mark.parametrize("tag", ["my:tag", "p", "b"])
def test_tags_are_steps_of_an_xpath(tag: str) -> None:
    page = document(f"<{tag}>x</{tag}>")
    found = page.tree.xpath(f"//body/{tag_in_xpath(tag)}")
    assert [one.tag for one in found] == [tag]
    assert tag_in_xpath('divclass="x') == "*"


@given(
    st.text(alphabet="ab1-_:.@/", min_size=1, max_size=6).map(lambda text: f"a{text}")
)
def test_an_escaped_class_selects_its_element(name: str) -> None:
    page = document(f'<p class="{name}"></p>')
    assert css(page, f"p.{escape(name)}") == [2]


@given(st.text(alphabet='ab"\\ ', max_size=6))
def test_a_quoted_value_selects_its_element(value: str) -> None:
    page = document(f"<p title='{value}'></p>")
    assert css(page, f'p[title="{quote(value)}"]') == [2]


def test_names_that_a_selector_can_hold() -> None:
    assert is_plain("price-now") and is_plain("-x") and is_plain("größe")
    for name in ("", "1a", "a:b", 'divclass="x', "a b"):
        assert not is_plain(name)


@pytest.mark.parametrize("counted", ["nth-of-type", "nth-last-of-type"])
def test_a_path_of_children_leads_to_its_element(counted: str) -> None:
    page = document("<div><p>a</p><ul><li>b</li><li>c</li></ul></div>")
    outer, *_ = elements(page, "div")
    for inner in elements(page, "li"):
        steps = child_path(page, inner, outer, counted)
        assert len(steps) == 2
        assert css(page, " > ".join(["div", *steps])) == [inner]
    assert child_path(page, outer, outer, counted) == []


def test_the_container_is_the_innermost_element_around_all_items() -> None:
    page = document("<div><ul><li>a</li><li>b</li></ul><p>c</p></div>")
    first, second = elements(page, "li")
    assert container_of(page, [first, second]) == elements(page, "ul")[0]
    assert (
        container_of(page, [elements(page, "p")[0], first]) == elements(page, "div")[0]
    )
    assert container_of(page, [first]) == elements(page, "ul")[0]
    assert container_of(page, [0]) == 0
