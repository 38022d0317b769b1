"""The reader of the next page."""

import json
from collections.abc import Callable

import pytest

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.page import Page

URL = "https://api.example/items?page=2"


def next_of(made_on: Document, read_on: Document | None = None) -> str | None:
    """What the reader made on one page reads on another."""
    program = Program(kind=FamilyKind.DETAIL, next=next_reader(made_on), fields=())
    return run(program, read_on or made_on).next_url


def html(body: str, url: str) -> Document:
    return Document(
        Page(url=url, body=f"<html><body>{body}</body></html>".encode(), headers={})
    )


PAGES = 4


def numbers(at: int, item: Callable[[int, bool], str]) -> str:
    return "".join(item(n, n == at) for n in range(1, PAGES + 1))


def all_active(at: int) -> str:
    """Links that all look alike; the arrows are told apart by their text only."""
    items = numbers(
        at,
        lambda n, here: (
            f"<li class='active{' current' * here}'>{n if here else f'<a href=?page={n}>{n}</a>'}</li>"
        ),
    )
    back = (
        f"<li class='active'><a href='?page={at - 1}'>&lt;</a></li>" if at > 1 else ""
    )
    onward = (
        f"<li class='active'><a href='?page={at + 1}'>&gt;</a></li>"
        if at < PAGES
        else ""
    )
    return f"<ul class='pager'>{back}{items}{onward}</ul>"


def next_and_last(at: int) -> str:
    """Next and last have one class, and so have first and previous."""
    step = "<a class='pg' aria-label='{} page' href='?page={}'>{}</a>"
    before = (
        [step.format("First", 0, "«"), step.format("Previous", at - 2, "‹")]
        if at > 1
        else []
    )
    after = (
        [step.format("Next", at, "›"), step.format("Last", PAGES - 1, "»")]
        if at < PAGES
        else []
    )
    return f"<nav class='paging'>{''.join(before + after)}</nav>"


def only_numbers(at: int) -> str:
    items = numbers(
        at,
        lambda n, here: (
            f"<b>{n}</b> " if here else f"<a href='/list/page/{n}'>{n}</a> "
        ),
    )
    return f"<div>{items}</div>" * 2


def marked_number(at: int) -> str:
    items = numbers(
        at,
        lambda n, here: (
            f"<li class='{'on' if here else 'off'}'><a href='?p={n}'>{n}</a></li>"
        ),
    )
    return f"<ul>{items}</ul>"


def plain_word(at: int) -> str:
    back, onward = (
        f"<a href='?start={at * 10 - 20}'>Previous</a>",
        f"<a href='?start={at * 10}'>Next</a>",
    )
    return f"<p><a href='/'>Home</a>{back if at > 1 else ''} | {onward if at < PAGES else ''}</p>"


@pytest.mark.parametrize(
    "pager", [all_active, next_and_last, only_numbers, marked_number, plain_word]
)
@pytest.mark.parametrize("made_on", [1, 2, 3])
def test_a_reader_leads_to_the_page_after_on_every_page(
    pager: Callable[[int], str], made_on: int
) -> None:
    url = {
        "only_numbers": "https://x.example/list/page/{}",
        "marked_number": "https://x.example/l?p={}",
    }
    step = {"next_and_last": ("page", -1, 1), "plain_word": ("start", -1, 10)}
    name, shift, size = step.get(pager.__name__, ("page", 0, 1))
    made = url.get(pager.__name__, f"https://x.example/l?{name}={{}}")
    urls = {at: made.format((at + shift) * size) for at in range(1, PAGES + 1)}
    pages = {at: html(pager(at), urls[at]) for at in urls}
    assert [next_of(pages[made_on], pages[at]) for at in pages] == [
        *(urls[at] for at in (2, 3, 4)),
        None,
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<a class='next' href='?page=2'>Next</a>",  # this page
        "<a class='next' href='?page=1'>Next</a>",  # back
        "<a class='next' href='#list'>Next</a>",
        "<a class='next' href='https://other.example/?page=3'>Next</a>",
        "<table><tr><td><b>5</b></td><td><a href='?day=6'>6</a></td></tr></table>",  # a calendar
        "<h2>Next</h2><a href='?page=3'>Great news</a><a href='?page=4'>More news</a>",
        "",
    ],
)
def test_what_does_not_lead_on_is_no_next_page(body: str) -> None:
    assert next_reader(html(body, "https://x.example/l?page=2")) is None


def test_a_reader_holds_on_all_examples() -> None:
    def page(at: int, mark: str) -> Document:
        links = f"<a class='next' href='?page={3 - at}'>Next</a><a class='more' href='?page={at + 1}'>{mark}</a>"
        return html(links, f"https://x.example/l?page={at}")

    first, second = page(1, "Next"), page(2, "Weiter")
    alone, proved = next_reader(first), next_reader(first, [second])
    assert alone is not None
    assert proved is not None
    assert (alone.at, proved.at) == ("a.next", "a.more")


def api(body: object, url: str = URL) -> Document:
    return Document(
        Page(
            url=url,
            body=json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
    )


@pytest.mark.parametrize(
    ("body", "later"),
    [
        ({"next": "/items?page=3", "items": []}, {"next": "/items?page=4"}),
        (
            {"_links": {"next": {"href": "?page=3"}}},
            {"_links": {"next": {"href": "?page=4"}}},
        ),
        (
            {"meta": {"@odata.nextLink": "items?page=3"}},
            {"meta": {"@odata.nextLink": "items?page=4"}},
        ),
    ],
)
def test_json_names_its_next_page_by_a_key(body: object, later: object) -> None:
    assert next_of(api(body)) == "https://api.example/items?page=3"
    assert next_of(api(body), api(later)) == "https://api.example/items?page=4"
    assert next_of(api(body), api({"next": None, "_links": {}, "meta": None})) is None


def test_json_without_a_next_link_has_no_reader() -> None:
    assert (
        next_reader(
            api({"items": [{"next": "/sequel"}, {"next": "/prequel"}], "next_page": 3})
        )
        is None
    )
    assert next_reader(api([{"next": "/a"}])) is None
