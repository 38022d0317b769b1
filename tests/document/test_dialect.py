"""The dialect is parsel's, and so is the `Selector` that people get."""

import re
import subprocess
import sys

import pytest
from parsel import Selector
from parsel import css2xpath as translated_by_parsel

from crawloop_assets.document.css_grammar import BadSelector
from crawloop_assets.document.dialect import (
    css_to_xpath,
    elements_to_xpath,
    selector_of,
)
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from tests.document.build import document, json_document

PAGE = "<h1>One <b>two</b></h1><a class=n href=/2>next</a><!-- c --><p>x</p>"


@pytest.mark.parametrize(
    "selector",
    ["h1", "a.n > b", "p:not(.x)", "h1::text", "a::attr(href)", "DIV#x ~ [y|=z]"],
)
def test_selectors_are_translated_as_parsel_does(selector: str) -> None:
    expression = css_to_xpath(selector, "descendant-or-self::")
    assert expression == translated_by_parsel(selector)


def test_the_axis_is_where_a_selector_starts() -> None:
    assert css_to_xpath("p", "descendant::") == "descendant::p"
    assert elements_to_xpath("p, a", "child::") == "child::p | child::a"


@pytest.mark.parametrize("selector", ["", "p >", "p:unknown", "p::unknown", "p:x(1)"])
def test_what_is_no_selector_is_named(selector: str) -> None:
    for translate in (css_to_xpath, elements_to_xpath):
        with pytest.raises(BadSelector, match=re.escape(repr(selector))):
            translate(selector, "descendant::")


@pytest.mark.parametrize("selector", ["p::text", "a, p::text", "a::attr(href)"])
def test_texts_are_no_elements(selector: str) -> None:
    with pytest.raises(BadSelector, match="get"):
        elements_to_xpath(selector, "descendant::")


def test_people_try_selectors_on_what_the_crawlers_see() -> None:
    of = document(PAGE)
    selector = selector_of(of.page)
    assert isinstance(selector, Selector)
    assert selector.css("h1::text").getall() == ["One "]
    assert selector.css("a.n::attr(href)").get() == "/2"
    assert selector.xpath("//p/text()").get() == "x"
    seen = [node.root.tag for node in selector.css("body *")]
    assert seen == [of.tags[number] for number in css(of, "body *")]


def test_strange_bytes_are_seen_as_the_crawlers_see_them() -> None:
    page = document("<p>a\0b</p>").page
    text = selector_of(page).css("p::text").get()
    assert text == Document(page).text(css(Document(page), "p")[0]) == "ab"


def test_a_page_that_is_json_is_asked_in_jmespath() -> None:
    page = json_document('{"rows": [{"a": 1}, {"a": 2}]}').page
    assert selector_of(page).jmespath("rows[].a").getall() == [1, 2]


@pytest.mark.parametrize(
    "module",
    ["crawloop_assets", "crawloop_assets.cli.app", "crawloop_assets.document.select"],
)
def test_parsel_is_loaded_by_those_who_need_it(module: str) -> None:
    code = f"import sys, {module}; print('parsel' in sys.modules)"
    answer = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert answer.strip() == "False"


def test_a_worker_has_loaded_parsel_before_it_is_locked() -> None:
    code = (
        "import sys, crawloop_assets.sandbox.handlers; print('parsel' in sys.modules)"
    )
    answer = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert answer.strip() == "True"
