"""The browser's only way out, spoken to directly."""

import asyncio

import pytest

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.tunnel import Tunnel
from crawloop_assets.family import Domain, Domains
from tests.access.site import Site

pytestmark = pytest.mark.anyio


def allowlist(site: Site, **changes: object) -> Allowlist:
    entry = {"host": "127.0.0.1", "scheme": "http", "port": site.port, "private": True, "paths": ["/p/"]} | changes
    return Allowlist(Domains(domains=(Domain.model_validate(entry),)), {})


async def say(tunnel: Tunnel, text: str) -> str:
    """All that comes back for some bytes."""
    host, _, port = tunnel.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(text.encode())
    answer = b""
    while b"</html>" not in answer and (more := await asyncio.wait_for(reader.read(200_000), 5)):
        answer += more
    writer.close()
    return answer.decode("utf-8", "replace")


def get(url: str, *lines: str) -> str:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *lines, "", ""])


async def test_a_listed_url_passes_and_the_connection_ends_with_it(site: Site) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        answer = await say(tunnel, get(site.url("/p/0"), "Proxy-Authorization: Basic eA==", "X-Kept: 1"))
    assert answer.startswith("HTTP/1.1 200")
    assert "\r\nConnection: close\r\n" in answer
    assert answer.endswith("</html>")
    assert site.hits()[0].headers["x-kept"] == "1"
    assert "proxy-authorization" not in site.hits()[0].headers


async def test_what_follows_a_checked_request_is_not_sent_on(site: Site) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        await say(tunnel, get(site.url("/p/0")) + get("/private/1"))
    assert [hit.path for hit in site.log] == ["/p/0"]


@pytest.mark.parametrize(
    "request_line",
    [
        "GET {other}/p/1 HTTP/1.1",
        "GET {own}/list/0 HTTP/1.1",
        "GET /p/0 HTTP/1.1",
        "GET ftp://127.0.0.1/p/0 HTTP/1.1",
        "CONNECT 127.0.0.2:{port} HTTP/1.1",
        "CONNECT 127.0.0.1:22 HTTP/1.1",
        "CONNECT 127.0.0.1 HTTP/1.1",
        "CONNECT localhost:{port} HTTP/1.1",
        "CONNECT 2130706433:{port} HTTP/1.1",
    ],
)
async def test_everything_else_is_refused(site: Site, request_line: str) -> None:
    line = request_line.format(own=site.url(""), other=site.url("", host=1), port=site.port)
    async with Tunnel(allowlist(site)) as tunnel:
        answer = await say(tunnel, f"{line}\r\nHost: x\r\n\r\n")
        assert answer.startswith("HTTP/1.1 403")
        assert len(tunnel.refused) == 1
    assert not site.log


async def test_a_listed_host_is_connected_through(site: Site) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        host, _, port = tunnel.address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET /p/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_a_listed_name_that_points_inside_is_refused(site: Site) -> None:
    named = allowlist(site, host="localhost", private=False)
    async with Tunnel(named) as tunnel:
        answer = await say(tunnel, f"CONNECT localhost:{site.port} HTTP/1.1\r\n\r\n")
    assert answer.startswith("HTTP/1.1 403")
    assert "not public" in tunnel.refused[0]


@pytest.mark.parametrize("rubbish", ["\r\n\r\n", "GET\r\n\r\n", "\x00\x01\x02\r\n\r\n", "x" * 100_000])
async def test_rubbish_ends_the_connection_and_nothing_else(site: Site, rubbish: str) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        await say(tunnel, rubbish)
        assert (await say(tunnel, get(site.url("/p/0")))).startswith("HTTP/1.1 200")
