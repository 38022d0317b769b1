"""Selectors: whoever answers, index or libxml2, the answer is parsel's."""

from itertools import chain
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsel import Selector

from crawloop_assets.document import select
from crawloop_assets.document.css_grammar import BadSelector, parse_css
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import (
    RowSearch,
    check_css,
    check_xpath,
    css,
    css_holders,
    xpath,
)
from crawloop_assets.page import Page
from tests.document.build import document, json_document

PAGE = """<html><body><div id='top' class='a b'><p class='x'>1</p><p class='x y' data-k='v w'>2</p>
<ul class='a'><li>3</li><li class='x'>4<span class='b'>5</span></li></ul></div>
<div class='b'><ul><li data-k='v'>6</li></ul><a href='/n/1'>7</a></div></body></html>"""

# -- the law: on any page any selector matches what parsel's Selector says -------------

TAGS = ["div", "p", "li", "a", "b", "ul"]
NAMES = ["x", "y", "xy", "x-y", "é", "1"]
VALUES = ["", "x", "y", "x y", "x-y", "xy", "y x ", "é"]
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "class": st.sampled_from(VALUES),
        "id": st.sampled_from(VALUES),
        "data-k": st.sampled_from(VALUES),
        "href": st.sampled_from(["/x", "x/y", "#"]),
    },
)


def element(tag: str, attributes: dict[str, str], inner: list[str]) -> str:
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{written}>{''.join(inner)}</{tag}>"


TREES = st.recursive(
    st.sampled_from(["text", "<!-- x -->", "<br>", "<p class=x>", "</div>"]),
    lambda inner: st.builds(
        element, st.sampled_from(TAGS), ATTRIBUTES, st.lists(inner, max_size=5)
    ),
    max_leaves=40,
)
BODIES = st.lists(TREES, max_size=4).map("".join).map("<div>{}</div>".format)


def quoted(value: str) -> str:
    return f'"{value}"'


TESTS = st.builds(
    "[{}{}{}]".format,
    st.sampled_from(["class", "id", "data-k", "href", "DATA-K"]),
    st.sampled_from(["=", "~=", "|=", "^=", "$=", "*="]),
    st.sampled_from(VALUES).map(quoted),
)
PLACES = st.sampled_from([":nth-child(1)", ":nth-child(2)", ":first-child"])
PLACES_OF_TYPE = st.sampled_from(
    [
        ":nth-of-type(1)",
        ":nth-of-type(2)",
        ":nth-last-of-type(1)",
        ":nth-last-of-type(2)",
        ":first-of-type",
        ":last-of-type",
    ]
)
PREDICATES = st.one_of(
    st.sampled_from(NAMES[:5]).map(".{}".format),
    st.sampled_from(NAMES).map("#{}".format),
    st.sampled_from(["[class]", "[data-k]", "[ id ]", "[href]"]),
    TESTS,
    PLACES,
)
BEYOND_THE_INDEX = st.sampled_from(
    [":not(.x)", ":not([class])", ":has(a)", ":has(.x)", ":only-child", ":empty", ""]
)
OF_A_TAG = st.builds(
    "{}{}{}{}".format,
    st.sampled_from([*TAGS, "DIV", "html", "body"]),
    st.lists(PREDICATES, max_size=2).map("".join),
    st.one_of(PLACES_OF_TYPE, st.just("")),
    BEYOND_THE_INDEX,
)
OF_ANY_TAG = st.builds(
    "{}{}{}".format,
    st.sampled_from(["*", ""]),
    st.lists(PREDICATES, min_size=1, max_size=3).map("".join),
    BEYOND_THE_INDEX,
)
COMPOUNDS = st.one_of(OF_A_TAG, OF_ANY_TAG, st.just("*"))
GAPS = st.sampled_from([" ", "  ", " > ", ">", " + ", " ~ ", ", ", ","])


@st.composite
def selectors(draw: st.DrawFn) -> str:
    """Of the grammar that the compiler writes, and of the rest that parsel knows."""
    text = draw(COMPOUNDS)
    for _ in range(draw(st.integers(0, 3))):
        text += draw(GAPS) + draw(COMPOUNDS)
    return text


@given(BODIES, selectors())
@settings(max_examples=400, deadline=None)
def test_a_selector_matches_what_parsel_says(body: str, selector: str) -> None:
    page = document(f"<html><body>{body}</body></html>")
    selected = Selector(root=page.tree, type="html").css(selector)
    assert [page.elements[number] for number in css(page, selector)] == [
        match.root for match in selected
    ]


@given(BODIES, selectors())
@settings(max_examples=150, deadline=None)
def test_inside_a_scope_a_selector_matches_as_parsels_would(
    body: str, selector: str
) -> None:
    page = document(f"<html><body>{body}</body></html>")
    scope = page.by_tag["div"][-1]
    # parsel matches the scope's own element too, which is not inside itself. A step may
    # be outside of it for libxml2, never for the index: only selectors of one step.
    if any(gap in selector for gap in " >+~,"):
        return
    inside = Selector(root=page.elements[scope], type="html").css(selector)
    wanted = [page.number[match.root] for match in inside]
    assert css(page, selector, scope) == [at for at in wanted if at != scope]


@given(
    st.lists(TREES, min_size=2, max_size=12), selectors(), st.sampled_from(["", ">"])
)
@settings(max_examples=200, deadline=None)
def test_in_all_rows_at_once_a_selector_matches_as_in_each(trees, selector, child):
    page = document("".join(map("<section><div>{}</div></section>".format, trees)))
    numbers = css(page, "section > div")
    rows, wanted = RowSearch(page, numbers), child + selector
    if child and parse_css(wanted) is None:
        return
    each = [css(page, wanted, number) for number in numbers]
    assert [rows.css(wanted, number) for number in numbers] == each


def test_a_selector_goes_once_through_all_rows():
    page = document("<ul>" + "<li><p><b class=x>1</b></p></li>" * 50 + "</ul>")
    rows = RowSearch(page, page.by_tag["li"])
    with patch.object(select, "_inside", wraps=select._inside) as inside:
        found = [rows.css("p .x", number) for number in page.by_tag["li"]]
    assert list(chain.from_iterable(found)) == page.classed("x")
    assert inside.call_count == 2


@pytest.mark.parametrize("copies", [1, 9])
@pytest.mark.parametrize(
    "selector",
    ["div", "div p", "div > ul li", "*", "[data-k]", "li[data-k~=w], p.x", "div .b", "[href^='/n']"],
)  # fmt: skip
def test_long_lists_are_searched_as_short_ones(copies: int, selector: str) -> None:
    page = document(PAGE * copies)
    assert parse_css(selector) is not None
    selected = Selector(root=page.tree, type="html").css(selector)
    assert css(page, selector) == [page.number[match.root] for match in selected]


def test_matches_stay_inside_their_scope() -> None:
    page = document(PAGE)
    second = css(page, "div")[1]
    assert css(page, "li", second) == css(page, "div.b li")[-1:]
    assert css(page, "div li", second) == []
    assert css(page, "> a", second) == css(page, "a")


def test_the_page_itself_may_match_but_no_other_scope_does() -> None:
    page = document(PAGE)
    assert css(page, "html") == css(page, ":root") == css(page, "html:not(.x)") == [0]
    div = css(page, "div")[0]
    assert css(page, "div", div) == css(page, "div:not(.z)", div) == []


def test_children_of_a_scope_are_reached_from_it() -> None:
    page = document(PAGE)
    body, (first, second) = css(page, "body")[0], css(page, "div")
    assert css(page, "> div", body) == [first, second]
    assert css(page, "> div > ul > li:nth-of-type(2)", body) == css(page, "li.x")
    assert css(page, "> li", body) == []
    assert css(page, "> p, > ul", first) == [*css(page, "p"), *css(page, "ul.a")]


def test_what_would_hold_the_selected_is_found_by_all_steps_but_the_last() -> None:
    page = document(PAGE)
    assert css_holders(page, "div > ul li") == css(page, "div > ul")
    assert css_holders(page, "div .none, ul > .none") == sorted(
        {*css(page, "div"), *css(page, "ul")}
    )
    first = css(page, "div")[0]
    assert css_holders(page, "ul .none", first) == css(page, "ul", first)
    assert css_holders(page, "li") == css_holders(page, "ul:has(li) li") == []
    assert css_holders(json_document("1"), "ul li") == []


def test_a_page_that_is_json_matches_nothing() -> None:
    page = json_document('{"a": 1}')
    for selector in ("*", "p", "p:not(.x)", "> p, a"):
        assert css(page, selector) == []
    assert xpath(page, "//p") == []


def test_what_was_found_is_remembered() -> None:
    page = document(PAGE)
    assert css(page, "div p") is css(page, "div p")
    assert css(page, "p:not(.y)") is css(page, "p:not(.y)")


@pytest.mark.parametrize(
    "selector",
    ["p::text", "a::attr(href)", "p:not(.x)::text", "", "p >", "p[", "p:x", "s|p, i"],
)
def test_only_selectors_of_elements_can_run(selector: str) -> None:
    with pytest.raises(BadSelector):
        check_css(selector)
    with pytest.raises(BadSelector):
        css(document(PAGE), selector)


@pytest.mark.parametrize("selector", ["p", "> p", "p + p", "p:not(.x), a", ":has(p)"])
def test_selectors_that_can_run_pass(selector: str) -> None:
    check_css(selector)
    assert isinstance(css(document(PAGE), selector), list), "and it does run"


def test_what_the_index_cannot_do_goes_to_libxml2() -> None:
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
        "//a//b//c//d",
        "a/" + "b/" * 250 + "c",
        "key('a', 'b')",
        "//a/ancestor::b",
        "//a/namespace::b",
        "exsl:node-set(a)",
        "//s:p",
        "//none/s:p",
        "frobnicate(1)",
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


def test_what_is_quoted_in_xpath_reaches_nothing() -> None:
    check_xpath("//a[. = 'document(1)$']")
    check_xpath('//a[@title="//x//y//z"]')
    check_xpath("//a//b//c")
    check_xpath("a" * 500)
    with pytest.raises(BadSelector):
        check_xpath("a" * 501)


def test_xpath_starts_at_its_scope_and_says_what_is_wrong() -> None:
    page = document(PAGE)
    second = css(page, "div")[1]
    assert xpath(page, "./ul/li", second) == css(page, "li")[-1:]
    assert xpath(page, "count(.//li)", second) == ["1.0"]
    assert xpath(page, ".//li/text()", second) == ["6"]
    assert xpath(page, "//comment()") == []
    with pytest.raises(BadSelector, match="unknown"):
        xpath(page, "unknown(1)")


def test_comments_are_no_elements_for_xpath_either() -> None:
    page = Document(Page(url="https://x.example/", body=b"<p>a<!-- c --></p>"))
    assert xpath(page, "//p/node()") == ["a"]
