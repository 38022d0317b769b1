"""The proxy rung, against real relays."""

import asyncio

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Rung
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.test_ladder import PROXY
from tests.access.wire import Told

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_USER", "ann")
    monkeypatch.setenv("SHOP_PASSWORD", "secret")
    monkeypatch.setenv("SHOP_TOKEN", "agreed")


class Relay:
    """A proxy: sends GETs on, counts them, or refuses."""

    def __init__(self, status: int = 0):
        self.status, self.asked, self.url = status, [], ""
        self.asked: list[str] = []

    async def __aenter__(self) -> "Relay":
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"http://ann:pw@127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        target = head.split(" ")[1]
        self.asked.append(head)
        if self.status:
            writer.write(
                f"HTTP/1.1 {self.status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
            )
        else:
            host, _, path = target.removeprefix("http://").partition("/")
            name, _, port = host.partition(":")
            inner, onward = await asyncio.open_connection(name, int(port))
            onward.write(
                f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nX-Relayed: yes\r\n\r\n".encode()
            )
            writer.write(await inner.readuntil(b"\r\n\r\n") + await inner.read(65_536))
            onward.close()
        await writer.drain()
        writer.close()


def partners(site: Site) -> None:
    """Pages that only a proxy is given."""
    site.routes["geo"] = lambda asked: (
        Told(b"<html><h1>ok</h1></html>")
        if "x-relayed" in asked.headers
        else Told(b"", 403)
    )


async def test_what_is_asked_anew_goes_through_a_proxy_too(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    partners(site)
    async with Relay() as relay:
        policy = {"proxies": {"urls": [relay.url]}}
        async with make_fetcher(policy) as fetcher:
            one = await fetcher.fetch(site.url("/geo/1"), access=PROXY, anew=True)
    assert (one.verdict, one.rung) == (Verdict.OK, Rung.PROXY)
    (head,) = relay.asked
    assert "cache-control: no-cache" in head.lower()


async def test_a_proxy_that_fails_rests_and_the_next_serves(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    partners(site)
    async with Relay() as good, Relay(403) as refused:
        policy = {
            "proxies": {
                "urls": ["http://127.0.0.1:1", refused.url],
                "by_country": {"de": [good.url]},
            }
        }
        async with make_fetcher(policy) as fetcher:
            fetched = [
                await fetcher.fetch(site.url(f"/geo/{n}"), access=PROXY)
                for n in range(4)
            ]
    assert {(one.verdict, one.rung) for one in fetched} == {(Verdict.OK, Rung.PROXY)}
    assert len(refused.asked) == 1
    assert len(good.asked) == 4
    assert "Proxy-Authorization: Basic" in good.asked[0]


async def test_the_password_of_a_proxy_is_in_no_reason(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    partners(site)
    async with Relay(403) as refused:
        monkeypatch.setenv("SHOP_PROXIES", f"{refused.url}, ")
        async with make_fetcher({"proxies": {"urls_env": "SHOP_PROXIES"}}) as fetcher:
            one = await fetcher.fetch(site.url("/geo/1"), access=PROXY)
            other = await fetcher.fetch(site.url("/geo/2"), access=PROXY)
    assert (one.verdict, one.reason) == (Verdict.BLOCKED, "proxy 1: status 403")
    assert (other.verdict, other.reason) == (
        Verdict.TRANSIENT,
        "proxy: all of them rest after failures",
    )
    assert other.retry_after_s == 60


async def test_what_is_no_proxy_is_an_error(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    partners(site)
    async with make_fetcher({"proxies": {"urls": ["10.0.0.1:3128"]}}) as fetcher:
        with pytest.raises(ConfigError, match="proxy 1"):
            await fetcher.fetch(site.url("/geo/1"), access=PROXY)


# --- captcha
