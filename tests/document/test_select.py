import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.cssselect import CSSSelector

from crawloop_assets.document.css_grammar import BadSelector, parse_css
from crawloop_assets.document.select import (
    check_xpath,
    css,
    xpath,
)
from tests.document.build import document

PAGE = """<html><body><div id='top' class='a b'><p class='x'>1</p><p class='x y' data-k='v w'>2</p>
<ul class='a'><li>3</li><li class='x'>4<span class='b'>5</span></li></ul></div>
<div class='b'><ul><li data-k='v'>6</li></ul><a href='/n/1'>7</a></div></body></html>"""

_SIMPLE = ["div", "p", "ul", "li", "span", "a", "*", ".a", ".b", ".x", ".x.y", "#top", "[data-k]", '[data-k="v"]',
           "[data-k~=w]", "[href^='/n']", "[href$='1']", "[class*=y]", "li:nth-of-type(2)", "p:first-of-type",
           "li:nth-child(1)", "p:last-of-type", "a[href^='/n']",
           "a[href='/']", "span.b[data-k]", "p[data-k$=w]"]  # fmt: skip


@given(
    st.lists(
        st.tuples(st.sampled_from(_SIMPLE), st.sampled_from([" ", " > ", ", "])),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([1, 9]),
)
@settings(max_examples=300)
def test_the_index_finds_what_lxml_finds(
    parts: list[tuple[str, str]], copies: int
) -> None:
    page = document(PAGE * copies)
    selector = "".join(part + gap for part, gap in parts[:-1]) + parts[-1][0]
    assert parse_css(selector) is not None
    wanted = sorted(
        page.number[element] for element in CSSSelector(selector)(page.tree)
    )
    assert css(page, selector) == wanted


def test_matches_stay_inside_their_scope() -> None:
    page = document(PAGE)
    second = css(page, "div")[1]
    assert css(page, "li", second) == css(page, "div.b li")[-1:]
    assert css(page, "div li", second) == []
    assert css(page, "> a", second) == css(page, "a")


def test_what_the_index_cannot_do_goes_to_lxml() -> None:
    page = document(PAGE)
    assert parse_css("li:not(.x)") is None
    assert css(page, "li:not(.x)") == [
        n for n in css(page, "li") if page.elements[n].get("class") != "x"
    ]
    with pytest.raises(BadSelector):
        css(page, "li:frobnicate(2)")


@pytest.mark.parametrize(
    "expression",
    [
        "document('file:///etc/passwd')",
        "//a[//b[//c]]",
        "//a[descendant::b]",
        "id('x')",
        "//a[re:test(., 'x')]",
        "$x",
        "//a/preceding::b",
        "//a[",
        "//a" * 200,
    ],
)
def test_xpath_that_reaches_out_or_explodes_is_refused(expression: str) -> None:
    with pytest.raises(BadSelector):
        check_xpath(expression)


def test_xpath_reads_elements_and_strings() -> None:
    page = document(PAGE)
    check_xpath("//p[@class='x']")
    assert xpath(page, "//p[@class='x']") == css(page, "p")[:1]
    assert xpath(page, ".//a/@href") == ["/n/1"]
    assert xpath(page, "string(.//a)") == ["7"]
