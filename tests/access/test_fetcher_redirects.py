"""Redirects: recorded hop by hop, and none leaves the list."""

import json

import pytest

from crawloop_assets.family import Request
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.test_fetcher import fetch
from tests.access.wire import Told

pytestmark = pytest.mark.anyio


async def test_redirects_are_recorded(site: Site, make_fetcher: MakeFetcher) -> None:
    moved = await fetch(make_fetcher, site.url("/old/4"))
    assert (moved.final_url, moved.permanent_redirect) == (site.url("/p/4"), True)
    assert moved.page is not None
    assert (moved.page.url, moved.page.final_url) == (
        site.url("/old/4"),
        site.url("/p/4"),
    )
    found = await fetch(make_fetcher, site.url("/tmp/4"))
    assert (found.final_url, found.permanent_redirect) == (site.url("/p/4"), False)
    chain = await fetch(make_fetcher, site.url("/chain/4/10"))
    assert (chain.verdict, len(chain.redirects), chain.attempts) == (Verdict.OK, 10, 11)


async def test_a_chain_without_end_is_left(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    endless = await fetch(make_fetcher, site.url("/endless/0"))
    assert (endless.verdict, endless.attempts) == (Verdict.BLOCKED, 11)
    site.reset()
    loop = await fetch(make_fetcher, site.url("/loop"))
    assert (loop.verdict, len(site.hits())) == (Verdict.BLOCKED, 1)
    assert "loop" in loop.reason


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2:{port}/p/1",
        "//127.0.0.2:{port}/p/1",
        "http://user@127.0.0.1:{port}/p/0",
        "http://127.0.0.1:1/",
        "https://127.0.0.1:{port}/p/0",
        "http://2130706433:{port}/p/0",
        "http://127.0.0.1.:{port}/p/0",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]:{port}/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
        "http://[oops",
        "http://xn--a-.test/",
        "http://xn--\u00e9.test/",
        "http://a:99999/",
        "http://%zz/",
    ],
)
async def test_no_hop_leaves_the_list(
    site: Site, make_fetcher: MakeFetcher, target: str
) -> None:
    url = target.format(port=site.port)
    site.routes["away"] = lambda asked: Told(status=302, headers={"Location": url})
    one = await fetch(make_fetcher, site.url("/away"), hosts=1)
    assert one.verdict is Verdict.NOT_ALLOWED
    assert one.rule
    assert [hit.path for hit in site.hits()] == ["/away"]


async def test_secrets_of_a_family_stay_on_its_host(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    request = Request(headers={"Authorization": "Bearer s3"}, cookies={"c": "s3"})
    await fetch(make_fetcher, site.url("/off"), request)
    first, second = site.hits()
    assert first.headers["authorization"] == "Bearer s3"
    assert "authorization" not in second.headers
    assert "cookie" not in second.headers


async def test_a_post_is_redirected_as_browsers_do(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    request = Request(method="POST", json={"a": 1})
    for status, method in ((301, "GET"), (303, "GET"), (307, "POST"), (308, "POST")):
        one = await fetch(
            make_fetcher, site.url(f"/to?status={status}&url=/echo"), request
        )
        assert one.page is not None
        echo = json.loads(one.page.body)
        assert (echo["method"], bool(echo["body"])) == (method, method == "POST")


# --- conditional requests
