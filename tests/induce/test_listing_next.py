"""The reader of the next page."""

import json

import pytest

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import PageKind, Program
from crawloop_assets.induce.listing_next import next_reader
from crawloop_assets.page import Page

URL = "https://api.example/items?page=2"


def next_of(made_on: Document, read_on: Document | None = None) -> str | None:
    """What the reader made on one page reads on another."""
    program = Program(kind=PageKind.DETAIL, next=next_reader(made_on), fields=())
    return run(program, read_on or made_on).next_url


def api(body: object, url: str = URL) -> Document:
    return Document(Page(url=url, body=json.dumps(body).encode(), headers={"content-type": "application/json"}))


@pytest.mark.parametrize(
    ("body", "later"),
    [
        ({"next": "/items?page=3", "items": []}, {"next": "/items?page=4"}),
        ({"_links": {"next": {"href": "?page=3"}}}, {"_links": {"next": {"href": "?page=4"}}}),
        ({"meta": {"@odata.nextLink": "items?page=3"}}, {"meta": {"@odata.nextLink": "items?page=4"}}),
    ],
)
def test_json_names_its_next_page_by_a_key(body: object, later: object) -> None:
    assert next_of(api(body)) == "https://api.example/items?page=3"
    assert next_of(api(body), api(later)) == "https://api.example/items?page=4"
    assert next_of(api(body), api({"next": None, "_links": {}, "meta": None})) is None


def test_json_without_a_next_link_has_no_reader() -> None:
    assert next_reader(api({"items": [{"next": "/sequel"}, {"next": "/prequel"}], "next_page": 3})) is None
    assert next_reader(api([{"next": "/a"}])) is None
