"""A page that says itself that it is another one is not the page that was asked for."""

from pathlib import Path

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.replaced import replaced
from crawloop_assets.drift.resemblance import Resemblance
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.family import Discover, Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.store.published import published_rows
from tests.serve.refreshes import DATED, html_page, refreshed, store_of_titles

ASKED = "https://shop.example/p/copper-kettle"
OTHER = "https://shop.example/p/linen-apron-blue"
FILL = "<p>" + "Made to last, and mended for free. " * 120 + "</p>"


def page(head: str, url: str = ASKED, final_url: str = "") -> Page:
    body = f"<head>{head}</head><h1>Linen apron</h1>{FILL}"
    return Page(url=url, final_url=final_url, body=body.encode())


def said(head: str, **changes: str) -> str:
    """Why a page is taken for another one, "" if it is not."""
    found = page(head, **changes)
    ruling = replaced(found, page_facts(Document(found), found))
    return ruling[1] if ruling else ""


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


TITLE = "<title>Linen apron, blue | Shop</title>"
SHARED = f'<meta property="og:url" content="{OTHER}">'


@pytest.mark.parametrize("name", [canonical(OTHER), SHARED, canonical("linen-apron")])
def test_a_page_whose_address_and_title_are_anothers_is_another_one(name):
    assert "/p/linen-apron" in said(TITLE + name)


@pytest.mark.parametrize(
    "head",
    [
        TITLE,
        TITLE + canonical(ASKED),
        TITLE + canonical("/"),
        TITLE + canonical("https://shop.example/p/linen-kettle"),
        TITLE + canonical("https://shop.example/de/schuerze-aus-leinen"),
        TITLE + canonical("https://else.example/p/linen-apron-blue"),
        TITLE + canonical("https://shop.example/p/4711"),
        "<title>Kettle of linen, an apron</title>" + canonical(OTHER),
        "<title>Shop</title>" + canonical(OTHER),
    ],
)
def test_one_of_the_two_says_nothing(head):
    """A template that calls all pages by one name, another language, another name."""
    assert said(head) == ""


@pytest.mark.parametrize("made_up", ["4711", "4711-0815", "8abe2cdd", "dQw4w9WgXcQ"])
def test_an_address_of_numbers_says_nothing(made_up):
    assert said(TITLE + SHARED, url=f"https://shop.example/p/{made_up}") == ""


def test_where_a_redirect_ends_is_where_the_page_is():
    assert said(TITLE + SHARED, final_url=OTHER) == ""


def test_its_records_are_not_those_of_the_page_that_was_asked_for():
    family = Family(
        family="shop/item",
        schema="tests.models:Item",
        discover=Discover(include=("/p/",)),
    )
    came = page(TITLE + SHARED)
    facts = page_facts(Document(came), came)
    found, reason = page_verdict(came, facts, family, records_found=1)
    assert found is Verdict.SOFT_404
    assert OTHER in reason
    known = page_verdict(came, facts, family, 1, Resemblance.KNOWN)
    assert known[0] is Verdict.OK, "what is known of it is there"


def test_nothing_of_it_is_published_under_the_address_that_was_asked_for(
    tmp_path: Path,
) -> None:
    store = store_of_titles(tmp_path)
    head = {"itself": TITLE.replace("Linen apron", "Copper kettle"), "other": TITLE}
    pages = [
        html_page(ASKED.replace("copper", name), f"{said}{SHARED}<h1>Linen apron</h1>")
        for name, said in head.items()
    ]
    served = refreshed(store, DATED, pages, "run-1")
    assert served.verdicts == {Verdict.OK: 1, Verdict.SOFT_404: 1}
    rows = published_rows(store.publish(), "dated", ["_url"])
    assert [row["_url"] for row in rows] == [pages[0].url]
