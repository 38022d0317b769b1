"""The browser's only way out, spoken to directly."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.chromium.tunnel import Tunnel
from crawloop_assets.access.proxies import Proxy
from crawloop_assets.family import Domain, Domains
from tests.access.site import Site
from tests.access.wire import Connection, Told

pytestmark = pytest.mark.anyio


def allowlist(site: Site, **changes: object) -> Allowlist:
    entry = {
        "host": "127.0.0.1",
        "scheme": "http",
        "port": site.port,
        "private": True,
        "paths": ["/p/"],
    } | changes
    return Allowlist(Domains(domains=(Domain.model_validate(entry),)), {})


def shown(tunnel: Tunnel) -> str:
    """The header line by which the tunnel knows its browser."""
    answer = tunnel.ticket.answer({"source": "Proxy"})
    pair = f"{answer['username']}:{answer['password']}"
    return f"Proxy-Authorization: Basic {base64.b64encode(pair.encode()).decode()}\r\n"


async def say(tunnel: Tunnel, text: str) -> str:
    """All that comes back for some bytes, of which the first line is followed by the ticket."""
    first, end, rest = text.partition("\r\n")
    return await say_as_it_is(
        tunnel, f"{first}{end}{shown(tunnel) if first else ''}{rest}"
    )


async def say_as_it_is(tunnel: Tunnel, text: str) -> str:
    """All that comes back for some bytes."""
    host, _, port = tunnel.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(text.encode())
    answer = b""
    while b"</html>" not in answer and (
        more := await asyncio.wait_for(reader.read(200_000), 5)
    ):
        answer += more
    writer.close()
    return answer.decode("utf-8", "replace")


def get(url: str, *lines: str) -> str:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *lines, "", ""])


async def test_a_listed_url_passes_and_the_connection_ends_with_it(site: Site) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        answer = await say(
            tunnel,
            get(site.url("/p/0"), "X-Kept: 1"),
        )
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
    line = request_line.format(
        own=site.url(""), other=site.url("", host=1), port=site.port
    )
    async with Tunnel(allowlist(site)) as tunnel:
        answer = await say(tunnel, f"{line}\r\nHost: x\r\n\r\n")
        assert answer.startswith("HTTP/1.1 403")
        assert len(tunnel.refused) == 1
    assert not site.log


async def test_a_listed_host_is_connected_through(site: Site) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        host, _, port = tunnel.address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        line = f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n"
        writer.write(f"{line}{shown(tunnel)}\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET /p/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_a_listed_name_that_points_inside_is_refused(site: Site) -> None:
    named = allowlist(site, host="localhost", private=False, paths=["/"])
    async with Tunnel(named) as tunnel:
        answer = await say(tunnel, f"CONNECT localhost:{site.port} HTTP/1.1\r\n\r\n")
    assert answer.startswith("HTTP/1.1 403")
    assert "not public" in tunnel.refused[0]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Proxy-Authorization: Basic eA==\r\n",
        "Proxy-Authorization: Basic \r\n",
        "Proxy-Authorization: Bearer x\r\n",
    ],
)
async def test_who_has_no_ticket_reaches_nothing(site: Site, line: str) -> None:
    """Other users of the machine can connect to the tunnel as well."""
    async with Tunnel(allowlist(site)) as tunnel, Tunnel(allowlist(site)) as other:
        for first in (f"GET {site.url('/p/0')}", f"CONNECT 127.0.0.1:{site.port}"):
            for credentials in (line, shown(other)):
                answer = await say_as_it_is(
                    tunnel, f"{first} HTTP/1.1\r\nHost: x\r\n{credentials}\r\n"
                )
                assert answer.startswith("HTTP/1.1 407")
                assert "Proxy-Authenticate: Basic" in answer
    assert site.log == []


@pytest.mark.parametrize(
    "rubbish", ["\r\n\r\n", "GET\r\n\r\n", "\x00\x01\x02\r\n\r\n", "x" * 100_000]
)
async def test_rubbish_ends_the_connection_and_nothing_else(
    site: Site, rubbish: str
) -> None:
    async with Tunnel(allowlist(site)) as tunnel:
        await say(tunnel, rubbish)
        assert (await say(tunnel, get(site.url("/p/0")))).startswith("HTTP/1.1 200")


# --- looking into connections


@pytest.mark.parametrize(
    ("path", "status"), [("/p/0", 200), ("/list/0", 403), ("/p/../list/0", 403)]
)
async def test_where_only_paths_are_listed_a_connection_is_looked_into(
    site: Site, path: str, status: int
) -> None:
    """As a browser opens one for ws://."""
    async with Tunnel(allowlist(site)) as tunnel:
        answer = await say(
            tunnel, f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\n" + get(path)
        )
    assert f"HTTP/1.1 {status}" in answer
    assert len(site.log) == (status == 200)


@asynccontextmanager
async def secured(site: Site, key: Path, file: Path) -> AsyncIterator[int]:
    """The site over TLS; its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, key)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(site, 0), "127.0.0.1", 0, ssl=context
    )
    async with server:
        yield server.sockets[0].getsockname()[1]


async def say_securely(tunnel: Tunnel, text: bytes) -> bytes:
    """All that comes back from secure.test for one request, over TLS that takes any certificate."""
    host, _, port = tunnel.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    line = "CONNECT secure.test:443 HTTP/1.1\r\n"
    writer.write(f"{line}{shown(tunnel)}\r\n".encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    await writer.start_tls(trusting, server_hostname="secure.test")
    writer.write(text)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    length = next(
        int(line[15:])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )
    body = await asyncio.wait_for(reader.readexactly(length), 10)
    writer.close()
    return head + body


def secure(site: Site, port: int) -> Allowlist:
    return allowlist(
        site,
        host="secure.test",
        scheme="https",
        port=None,
        resolve=f"127.0.0.1:{port}",
        paths=["/echo", "/much"],
    )


async def test_bodies_go_through_whole_both_ways(
    site: Site, trusted: tuple[Path, Path]
) -> None:
    site.routes["much"] = lambda asked: Told(b"x" * 3_000_000)
    sent = b"y" * 300_000
    async with secured(site, *trusted) as port, Tunnel(secure(site, port)) as tunnel:
        head = f"POST /echo HTTP/1.1\r\nHost: secure.test\r\nContent-Length: {len(sent)}\r\n\r\n"
        assert (await say_securely(tunnel, head.encode() + sent)).count(b"y") >= len(
            sent
        )
        assert (
            await say_securely(
                tunnel, b"GET /much HTTP/1.1\r\nHost: secure.test\r\n\r\n"
            )
        ).count(b"x") >= 3_000_000
        assert b" 403 " in await say_securely(
            tunnel, b"GET /closed HTTP/1.1\r\nHost: secure.test\r\n\r\n"
        )
        assert b" 403 " in await say_securely(
            tunnel, b"GET .evil.test/much HTTP/1.1\r\nHost: secure.test\r\n\r\n"
        )
    assert [hit.path for hit in site.log] == ["/echo", "/much"]


async def test_a_proxy_is_led_through_and_sees_no_url(
    site: Site, trusted: tuple[Path, Path]
) -> None:
    heads: list[bytes] = []

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        inner, onward = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")

        async def pour(
            source: asyncio.StreamReader, sink: asyncio.StreamWriter
        ) -> None:
            while chunk := await source.read(65_536):
                heads.append(chunk)
                sink.write(chunk)

        await asyncio.gather(pour(reader, onward), pour(inner, writer))
        writer.close()
        onward.close()

    async with secured(site, *trusted) as port, Tunnel(secure(site, port)) as tunnel:
        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        async with server:
            proxy = Proxy(
                f"http://ann:pw@127.0.0.1:{server.sockets[0].getsockname()[1]}",
                "proxy 1",
            )
            tunnel.through("secure.test:443", proxy)
            answer = await say_securely(
                tunnel, b"GET /much HTTP/1.1\r\nHost: secure.test\r\n\r\n"
            )
    assert answer.startswith(b"HTTP/1.1 404")
    assert heads[0].startswith(b"CONNECT secure.test:443 HTTP/1.1")
    assert b"Proxy-Authorization: Basic" in heads[0]
    assert not any(b"/much" in head for head in heads)
