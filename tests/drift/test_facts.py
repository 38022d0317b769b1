"""Facts of a page: what stands on it, how it is laid out, and that nothing else leaves the worker."""

import gc
import json
from collections.abc import Collection
from hashlib import sha256
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop_assets.document.document import Document
from crawloop_assets.document.layout import template_distance
from crawloop_assets.drift.facts import PageFacts, page_facts
from crawloop_assets.drift.forms import net_form, numeral_form, text_form
from crawloop_assets.drift.language import spoken_language
from crawloop_assets.page import Page

HTML = """<!doctype html><html lang="en-GB"><head><title>Copper Kettle | Shop</title>
<link rel="canonical" href="https://shop.example/p/1">
<script type="application/ld+json">{"@type": "Product", "sku": "K-77", "offers": {"price": 12.5}}</script></head>
<body><nav class="menu-12"><a href="/">Home</a><a href="/next" rel="next">More</a></nav>
<h1 data-sku="Q-5">Copper <em>Kettle</em></h1><p class="price">£12.50 <small>incl. VAT</small></p>
<p class="net">£10.42 <span>excl. tax</span></p>
<ul class="tags"><li>kitchen</li><li>copper</li><li>stove</li></ul></body></html>"""


def facts(body: str, kind: str = "text/html", asked: Collection[str] = ()) -> PageFacts:
    page = Page(
        url="https://shop.example/p/1",
        body=body.encode(),
        headers={"content-type": kind},
    )
    return page_facts(Document(page), page, asked)


def test_what_a_page_says_of_itself():
    found = facts(HTML)
    assert found.title == "Copper Kettle | Shop"
    assert found.headings == ("Copper Kettle",)
    assert (found.language, found.currency, found.next_link) == ("en", "GBP", True)
    assert found.canonical == "https://shop.example/p/1"
    assert 3 in dict(found.groups or ()).values()


def test_a_page_that_was_looked_over_is_let_go_at_once() -> None:
    """A worker looks for circles of references seldom: a page in one would stay with a
    hundred others."""
    page = Page(url="https://shop.example/p/1", body=HTML.encode())
    asked = {numeral_form("99"), net_form("99"), text_form("no such text")}
    gc.collect()
    gc.disable()
    try:
        document = Document(page)
        gone = ref(document)
        assert not any(page_facts(document, page, asked).stands.values())
        del document
        assert gone() is None
    finally:
        gc.enable()


def test_what_was_not_looked_for_does_not_read_as_absent():
    wall = facts('<div id="root"></div><form><input type="password"></form>')
    assert wall.wall is not None
    found = wall.wall
    assert (found.password, found.root_empty, found.widgets) == (True, True, ())
    large = facts(
        '<div id="root"></div><form><input type="password"></form>' + "word " * 1_000
    )
    assert large.wall is None
    page = Page(
        url="https://shop.example/p/1",
        body=HTML.encode(),
        headers={"content-type": "text/html"},
    )
    detail = page_facts(Document(page), page, several=False)
    assert (detail.groups, detail.next_link) == (None, None)
    assert detail.template == facts(HTML).template


def test_a_next_page_is_told_by_the_relation_of_a_link():
    for tag, told in (("link", True), ("a", True), ("form", False)):
        html = (
            f'<html><body><{tag} rel="nofollow NEXT" href="/2">&gt;</{tag}><p>Pots</p>'
        )
        assert facts(html).next_link is told
    assert facts('<a rel="prev" href="/2">Pots</a>').next_link is False


def test_a_page_answers_what_it_is_asked_and_nothing_else():
    found = facts(
        HTML,
        asked={text_form("Copper Kettle"), numeral_form("1250"), net_form("10.42")},
    )
    assert found.holds(text_form("Copper Kettle")) is True
    assert found.holds(numeral_form("1250")) is False
    assert found.holds(net_form("10.42")) is True
    assert found.holds(text_form("kitchen")) is None, "nobody asked"


def test_layout_distance_ignores_content_and_numbered_classes():
    same = facts(
        HTML.replace("menu-12", "menu-13")
        .replace("Copper", "Iron")
        .replace("12.50", "99.00")
    )
    other = facts(
        "<div><div class=a><span class=t>Copper Kettle</span></div><table><tr><td>1</table></div>"
    )
    assert template_distance(facts(HTML).template, same.template) == 0
    assert template_distance(facts(HTML).template, other.template) > 0.8
    assert template_distance((), other.template) == 0


def test_content_hash_is_that_of_the_words_with_one_space_between():
    found = facts("<p>Copper\n  kettle</p><p>12&nbsp;<b>€</b></p>")
    assert found.content_hash == sha256("Copper kettle 12 €".encode()).hexdigest()
    assert found.text_chars == len("Copper kettle 12 €")
    assert found.lead == "Copper kettle 12 €"


def test_content_hash_follows_the_visible_text_only():
    assert (
        facts(HTML).content_hash == facts(HTML.replace('"K-77"', '"K-78"')).content_hash
    )
    assert facts(HTML).content_hash != facts(HTML.replace("stove", "oven")).content_hash


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_what_a_pattern_ignores_is_no_content(kind: str):
    def content(visitors: int, name: str) -> str:
        text = f"{name}, seen by {visitors} today"
        body = (
            json.dumps({"text": text})
            if kind == "application/json"
            else f"<p>{text}</p>"
        )
        page = Page(
            url="https://shop.test/p/1",
            body=body.encode(),
            headers={"content-type": kind},
        )
        return page_facts(Document(page), page, ignore=[r"seen by \d+"]).content_hash

    assert content(3, "Stove") == content(4, "Stove") != content(4, "Oven")


def test_json_pages():
    body = '{"items": [{"name": "Kettle", "price": 12.5}, {"name": "Pot", "price": 7}]}'
    found = facts(
        body,
        "application/json",
        {text_form("Kettle"), numeral_form("7"), numeral_form("8"), net_form("7")},
    )
    assert (
        found.is_json
        and found.holds(text_form("Kettle"))
        and found.holds(numeral_form("7"))
    )
    assert (
        found.holds(numeral_form("8")) is False and found.holds(net_form("7")) is False
    )
    assert 2 in dict(found.groups or ()).values()


def test_facts_are_small_and_survive_json():
    found = facts(HTML + "<p>" + "word and another word. " * 5_000 + "</p>")
    text = found.model_dump_json()
    assert len(text) < 20_000
    assert PageFacts.model_validate_json(text) == found


def test_languages():
    assert (
        spoken_language(
            ("This is THE kettle and it is for the stove with a lid " * 5)
            .encode()
            .split()
        )
        == "en"
    )
    assert (
        spoken_language(
            ("Das ist der Kessel und er ist nicht FÜR den Ofen " * 5).encode().split()
        )
        == "de"
    )
    assert spoken_language([b"kettle", b"copper"] * 50) == ""


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_page_has_facts(body):
    assert facts(body).text_chars >= 0
    assert facts(body, "application/json").text_chars >= 0
