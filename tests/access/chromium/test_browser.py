"""The browser rung in a real Chromium: what it shows, and that nothing gets out of it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.chromium.launch import find_chromium, running
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import (
    Access,
    BrowserOptions,
    Domain,
    Domains,
    Request,
    Rung,
)
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.test_ladder_proxies import Relay, partners
from tests.access.wire import Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]
APP = b"""<html><body><div id="root"></div><script>
fetch('/api/p/0').then(r => r.json()).then(item => {
  document.getElementById('root').innerHTML = '<h1>' + item.title + '</h1>' })</script></body></html>"""


def rendered(**options: Any) -> Access:
    return Access(
        render=True, ladder=(Rung.BROWSER,), browser=BrowserOptions(**options)
    )


async def show(
    make: MakeFetcher,
    url: str,
    request: Request = Request(),  # noqa: B008 - immutable
    **options: Any,
) -> Fetched:
    async with make(hosts=1) as fetcher:
        return await fetcher.fetch(url, request, access=rendered(**options))


class Outside:
    """A server that is on no list, over TCP and UDP; `hits` is everything it ever got."""

    def __init__(self) -> None:
        self.hits: list[bytes] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        async def got(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter
        ) -> None:
            self.hits.append(b"connected")
            self.hits.append(await reader.read(1_000))
            writer.close()

        server = await asyncio.start_server(got, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.setblocking(False)
        udp.bind(("127.0.0.1", port))
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await asyncio.sleep(0.3)
            while True:
                try:
                    self.hits.append(udp.recv(1_000))
                except BlockingIOError:
                    break
            udp.close()
            server.close()


# --- what it shows


async def test_a_page_is_stored_as_it_is_shown(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["app"] = lambda asked: Told(APP)
    one = await show(make_fetcher, site.url("/app"), wait_for="h1")
    assert (one.verdict, one.rung, one.status) == (Verdict.OK, Rung.BROWSER, 200)
    assert one.page is not None
    assert b"<h1>" in one.page.body
    assert one.page.headers["content-type"] == "text/html; charset=utf-8"
    assert one.page.url == one.page.final_url == site.url("/app")
    assert one.asked == (site.url("/api/p/0"),)


async def test_a_plain_http_site_is_shown_under_a_name_as_the_world_has_them(
    site: Site, tmp_path: Path
) -> None:
    """Names under "test" and addresses are no proof: of those Chromium asks no https
    first."""
    site.routes["app"] = lambda asked: Told(APP)
    listed = Domain(
        host="shop.example.com",
        scheme="http",
        private=True,
        resolve=f"127.0.0.1:{site.port}",
        max_rps=1_000,
    )
    async with Fetcher(Domains(domains=(listed,)), tmp_path) as fetcher:
        url = "http://shop.example.com/app"
        one = await fetcher.fetch(url, access=rendered(wait_for="h1"))
    assert (one.verdict, one.status) == (Verdict.OK, 200)
    assert [hit.path for hit in site.hits("/app")] == ["/app"]


async def test_a_page_that_is_asked_for_anew_is_shown_past_caches(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(hosts=1) as fetcher:
        for anew in (False, True):
            one = await fetcher.fetch(site.url("/p/0"), access=rendered(), anew=anew)
            assert one.verdict is Verdict.OK
    asked = [hit for hit in site.hits() if hit.path == "/p/0"]
    assert "cache-control" not in asked[0].headers
    assert asked[1].headers["cache-control"] == "no-cache"


async def test_letters_survive(site: Site, make_fetcher: MakeFetcher) -> None:
    async with make_fetcher() as fetcher:
        for path, title in (("/latin1", "Café naïve £"), ("/sjis", "日本語テスト")):
            one = await fetcher.fetch(site.url(path), access=rendered())
            assert one.page is not None
            assert f"<h1>{title}</h1>" in one.page.text


async def test_json_arrives_as_it_was_sent(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await show(make_fetcher, site.url("/api/p/0"))
    assert one.page is not None
    assert one.page.body.startswith(b'{"title": ')


async def test_a_list_is_scrolled_to_its_end(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["endless-list"] = lambda asked: Told(
        b"""<html><body><ul></ul><script>
        let n = 0
        function more() { for (let i = 0; i < 20 && n < 60; i++, n++) document.querySelector('ul').innerHTML +=
          '<li style="height: 100px">row ' + n + '</li>' }
        more(); addEventListener('scroll', more)</script></body></html>"""
    )
    still = await show(make_fetcher, site.url("/endless-list"))
    scrolled = await show(
        make_fetcher, site.url("/endless-list"), scroll=10, settle="0.2s"
    )
    assert still.page is not None
    assert scrolled.page is not None
    assert (b">row 19<" in still.page.body, b">row 20<" in still.page.body) == (
        True,
        False,
    )
    assert b">row 59<" in scrolled.page.body


async def test_media_are_left_out_unless_asked_for(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["pic"] = lambda asked: Told(
        b'<html><img src="/image.png"><h1>ok</h1></html>'
    )
    await show(make_fetcher, site.url("/pic"))
    assert not site.hits("/image.png")
    await show(make_fetcher, site.url("/pic"), media=True)
    assert site.hits("/image.png")


async def test_statuses_and_redirects_are_told(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        moved = await fetcher.fetch(site.url("/old/4"), access=rendered())
        assert (moved.verdict, moved.final_url, moved.permanent_redirect) == (
            Verdict.OK,
            site.url("/p/4"),
            True,
        )
        chain = await fetcher.fetch(site.url("/chain/4/3"), access=rendered())
        assert (len(chain.redirects), chain.permanent_redirect) == (3, False)
        assert (
            await fetcher.fetch(site.url("/gone/1"), access=rendered())
        ).verdict is Verdict.GONE
        assert (
            await fetcher.fetch(site.url("/challenge"), access=rendered())
        ).verdict is Verdict.CHALLENGE
        loop = await fetcher.fetch(site.url("/loop"), access=rendered())
        assert loop.verdict is Verdict.BLOCKED
        assert len(site.hits("/loop")) <= 11
        posted = await fetcher.fetch(
            site.url("/search"), Request(method="POST", json={}), access=rendered()
        )
        assert (posted.verdict, posted.reason) == (
            Verdict.BLOCKED,
            "browser: cannot send a POST",
        )


async def test_a_familys_headers_stay_on_its_host(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    page = f'<html><script>fetch("/echo"); fetch("{site.url("/echo", host=1)}", {{mode: "no-cors"}})</script></html>'
    site.routes["calls"] = lambda asked: Told(page.encode())
    async with make_fetcher() as fetcher:
        await fetcher.fetch(
            site.url("/calls"),
            Request(headers={"X-Key": "s3"}, cookies={"c": "1"}),
            access=rendered(),
        )
    own, other = site.hits("/echo", host=0), site.hits("/echo", host=1)
    assert own[0].headers["x-key"] == "s3"
    assert site.hits("/calls")[0].headers["cookie"] == "c=1"
    assert other
    assert "x-key" not in other[0].headers


async def test_a_family_that_needs_a_browser_climbs_and_stays(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["app"] = lambda asked: Told(APP)
    access = Access(ladder=(Rung.PLAIN, Rung.BACKOFF, Rung.BROWSER))
    async with make_fetcher() as fetcher:
        for number in (1, 2):
            one = await fetcher.fetch(
                site.url(f"/app/{number}"), access=access, scope="shop/app"
            )
            assert (one.verdict, one.rung) == (Verdict.OK, Rung.BROWSER)
        assert len(site.hits("/app/1")) == 2
        assert len(site.hits("/app/2")) == 1
        assert (
            await fetcher.fetch(site.url("/p/0"), access=access, scope="shop/item")
        ).rung is Rung.PLAIN
    async with make_fetcher() as fetcher:
        one = await fetcher.fetch(site.url("/app/3"), access=access, scope="shop/app")
    assert one.rung is Rung.BROWSER
    assert one.page is not None
    assert b"<h1>" in one.page.body


async def test_a_family_with_proxies_is_shown_through_one(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    partners(site)
    access = Access(render=True, ladder=(Rung.PROXY, Rung.BROWSER))
    async with (
        Relay() as relay,
        make_fetcher({"proxies": {"urls": [relay.url]}}, hosts=1) as fetcher,
    ):
        through = await fetcher.fetch(site.url("/geo/1"), access=access)
        direct = await fetcher.fetch(site.url("/geo/2"), access=rendered())
    assert (through.verdict, through.rung) == (Verdict.OK, Rung.BROWSER)
    assert direct.verdict is not Verdict.OK
    first = relay.asked[0]
    assert first.startswith(f"GET {site.url('/geo/1')} HTTP/1.1")
    assert "Proxy-Authorization: Basic YW5uOnB3" in first
    assert "proxy-authorization" not in site.hits("/geo/1")[0].headers


async def test_proxies_that_fail_rest_in_the_browser_too(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    access = Access(render=True, ladder=(Rung.PROXY, Rung.BROWSER))
    async with make_fetcher(
        {"proxies": {"urls": ["http://127.0.0.1:1"]}}, hosts=1
    ) as fetcher:
        one = await fetcher.fetch(site.url("/p/0"), access=access)
        two = await fetcher.fetch(site.url("/p/0"), access=access)
    assert (one.verdict, two.verdict) == (Verdict.TRANSIENT, Verdict.TRANSIENT)
    assert two.reason == "proxy: all of them rest after failures"
    assert site.hits("/p/") == []


# --- what gets out


async def test_downloads_are_refused(site: Site, make_fetcher: MakeFetcher) -> None:
    attached = {"Content-Disposition": "attachment; filename=a.html"}
    site.routes["file"] = lambda asked: Told(
        b"x" * 1_000, kind="application/octet-stream", headers=attached
    )
    one = await show(make_fetcher, site.url("/file"))
    assert (one.verdict, one.rule) == (
        Verdict.NOT_ALLOWED,
        "browser: downloads are refused",
    )


# --- and when it is not there


async def test_a_browser_that_cannot_be_started_says_so_once(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", "/bin/true")
    async with make_fetcher() as fetcher:
        for _ in range(2):
            one = await fetcher.fetch(site.url("/p/0"), access=rendered())
            assert (one.verdict, len(site.hits())) == (Verdict.BLOCKED, 0)
            assert "/bin/true cannot be started" in one.reason
            assert "CRAWLOOP_CHROMIUM" in one.reason
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", "/nowhere/chromium")
    one = await show(make_fetcher, site.url("/p/0"))
    assert (one.verdict, one.attempts) == (Verdict.BLOCKED, 0)
    assert "no Chromium found" in one.reason


async def test_what_the_page_checks_say_is_believed(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    access = Access(ladder=(Rung.PLAIN, Rung.BROWSER))
    async with make_fetcher() as fetcher:
        page = await fetcher.fetch(site.url("/p/0"), access=access, scope="shop/item")
        assert page.rung is Rung.PLAIN
        fetcher.refuse(page, Verdict.NEEDS_RENDER, access=access, scope="shop/item")
        assert (
            await fetcher.fetch(site.url("/p/4"), access=access, scope="shop/item")
        ).rung is Rung.BROWSER


async def test_stealth_is_an_extra(site: Site, make_fetcher: MakeFetcher) -> None:
    async with make_fetcher() as fetcher:
        one = await fetcher.fetch(
            site.url("/status/403"), access=Access(ladder=(Rung.PLAIN, Rung.STEALTH))
        )
    assert one.verdict is Verdict.BLOCKED
    assert "patchright is not installed" in one.reason
    assert running("--nothing") == []
    assert isinstance(fetcher, Fetcher)
