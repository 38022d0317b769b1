"""How far an expression reaches."""

import pytest

from crawloop_assets.document.css_grammar import BadSelector
from crawloop_assets.document.dialect import elements_to_xpath
from crawloop_assets.document.select import check_css, check_xpath
from crawloop_assets.document.xpath_reach import nested_moves

ONCE = [
    "//dt[.='x']/following-sibling::dd[1]",
    "//div[p/b='x']/following-sibling::div",
    "//h2[.='Specs']/following-sibling::ul/li",
    "//p[../@class='x']/b",
    "//p[preceding-sibling::*[1][self::b]]",
    "//p[count(preceding-sibling::p)=3]",
    "//p[following-sibling::p or preceding-sibling::b]",
    "//a/b | //p/following-sibling::p | //i/following-sibling::i",
    "//td[../th='x']",
    "//p/../p/../p",
    "//p[..='q'][..='r']",
    "//x[y[1]]//z",
    "//dt/following-sibling::dd[1]/following-sibling::dd[1]/following-sibling::dd[1]",
    "//p[.='../p[../p[../p]]']",
]
AGAIN = [
    "//p/following-sibling::p/following-sibling::p",
    "//p[../p[../p/b]]",
    "//p[following-sibling::p[following-sibling::p]]",
    "//p[parent::div[parent::div/b]]",
    "//p/following-sibling::p[count(preceding-sibling::p)=2]",
    "//p[.='x' and ../p[../b]]",
    "following-sibling::*//preceding::*",
]


@pytest.mark.parametrize("expression", ONCE)
def test_what_goes_over_siblings_once_is_taken(expression: str) -> None:
    assert nested_moves(expression) <= 1
    check_xpath(expression)


@pytest.mark.parametrize("expression", AGAIN)
def test_what_goes_over_them_again_for_each_is_refused(expression: str) -> None:
    with pytest.raises(BadSelector):
        check_xpath(expression)


def test_alternatives_are_counted_by_the_widest() -> None:
    assert nested_moves("a[../b or ../c]") == 1
    assert nested_moves("a[../b[../c] or ../d]") == 2
    assert nested_moves("a]][b") == 0  # no expression, and no reason to fall over


@pytest.mark.parametrize(
    "selector",
    ["a + b + c + d", "p ~ p", "li:last-child", "ul:nth-child(2n) > li:nth-child(odd)"],
)
def test_selectors_that_look_at_neighbours_are_taken(selector: str) -> None:
    check_css(selector)
    assert nested_moves(elements_to_xpath(selector, "descendant::")) <= 1


@pytest.mark.parametrize(
    "selector", ["p ~ p ~ p", "p ~ li:last-child", "a ~ b ~ c > d"]
)
def test_selectors_that_go_over_all_siblings_of_all_are_refused(selector: str) -> None:
    with pytest.raises(BadSelector, match="let it take the nearest one"):
        check_css(selector)


@pytest.mark.parametrize("expression", ["//x[a[b]//c]", "//x[a[.//b]]", "//p[.=//p]"])
def test_a_search_within_a_condition_is_refused(expression: str) -> None:
    with pytest.raises(BadSelector, match="nested search"):
        check_xpath(expression)
