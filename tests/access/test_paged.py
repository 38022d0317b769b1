"""Pages of a POST: named by the url, asked for in the body."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.access.paged import page_param, request_for, url_of_page
from crawloop_assets.family import Request
from tests.access.conftest import MakeFetcher
from tests.access.site import Site

URL = "https://api.example/search?lang=en"


@given(
    st.text(min_size=1).filter(lambda name: "=" not in name),
    st.integers(-(10**17), 10**17) | st.text(min_size=1),
)
def test_a_url_tells_what_it_was_made_of(param: str, value: str | int) -> None:
    url = url_of_page(URL, param, value)
    assert page_param(url) == (param, value)
    assert url.isascii()
    assert url_of_page(url, param, value) == url
    assert request_for(url, Request(method="POST", json={"q": 1})).json_body != {"q": 1}


def test_the_value_goes_where_the_parameter_leads() -> None:
    query = Request(
        method="POST", json={"query": "{…}", "variables": {"first": 9, "after": None}}
    )
    page = request_for(url_of_page(URL, "variables.after", "12"), query)
    assert page.json_body == {"query": "{…}", "variables": {"first": 9, "after": "12"}}
    assert query.json_body["variables"]["after"] is None
    assert request_for(
        url_of_page(URL, "page", 3), Request(method="POST", form={"q": "a"})
    ).form == {"q": "a", "page": "3"}
    assert request_for(
        url_of_page(URL, "page", 3), Request(method="POST")
    ).json_body == {"page": 3}


def test_nothing_else_has_a_body_to_change() -> None:
    for url, request in (
        (URL, Request(method="POST", json={"page": 1})),
        (f"{URL}#page=2", Request()),
    ):
        assert request_for(url, request) is request


@pytest.mark.anyio
async def test_the_fragment_is_sent_in_the_body_and_nowhere_else(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    url = url_of_page(site.url("/echo"), "page", 2)
    async with make_fetcher() as fetcher:
        fetched = await fetcher.fetch(
            url, Request(method="POST", json={"page": 1, "size": 5})
        )
    assert fetched.page is not None
    assert fetched.page.url == url
    assert json.loads(json.loads(fetched.page.body)["body"]) == {"page": 2, "size": 5}
    assert [hit.path for hit in site.hits()] == ["/echo"]
