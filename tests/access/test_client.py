"""Where connections really go: pinned addresses, certificates, proxies of the environment."""

import asyncio
import socket
import ssl
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientTimeout

from crawloop_assets.access import client
from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, exchange
from crawloop_assets.access.fetcher import Fetched, Fetcher
from crawloop_assets.errors import Transient
from crawloop_assets.family import Access, Domain, Domains, Rung
from crawloop_assets.page import Verdict
from tests.access.conftest import certificate
from tests.access.site import Site

pytestmark = pytest.mark.anyio
PLAIN = Access(ladder=(Rung.PLAIN,))


async def fetch(tmp_path: Path, url: str, **domain: Any) -> Fetched:
    entry = Domain.model_validate(
        {"robots": "ignore", "robots_reason": "a test", "max_rps": 1_000, **domain}
    )
    async with Fetcher(Domains(domains=(entry,)), tmp_path) as fetcher:
        return await fetcher.fetch(url, access=PLAIN)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str]], list[str]]:
    """Answers look-ups of a name with one list of addresses after the other; returns the log of look-ups."""

    def install(name: str, *answers: str) -> list[str]:
        asked: list[str] = []
        real = asyncio.BaseEventLoop.getaddrinfo

        async def look_up(self: Any, host: Any, port: Any, **options: Any) -> Any:
            if host != name:
                return await real(self, host, port, **options)
            asked.append(host)
            found = answers[min(len(asked), len(answers)) - 1].split()
            return [
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
                for address in found
            ]

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", look_up)
        return asked

    return install  # type: ignore[return-value]


async def test_a_fixed_address_keeps_the_name_in_the_request(
    site: Site, tmp_path: Path
) -> None:
    one = await fetch(
        tmp_path,
        "http://shop.test/p/0",
        host="shop.test",
        scheme="http",
        resolve=f"127.0.0.1:{site.port}",
    )
    assert one.verdict is Verdict.OK
    assert site.hits()[0].headers["host"] == "shop.test"


async def test_the_environment_says_where_a_listed_host_is(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_RESOLVE", f"shop.test=127.0.0.1:{site.port}")
    assert (
        await fetch(tmp_path, "http://shop.test/p/0", host="shop.test", scheme="http")
    ).verdict is Verdict.OK


async def test_a_name_that_points_inside_is_refused(
    site: Site, tmp_path: Path, names: Callable[..., list[str]]
) -> None:
    names("inside.test", "127.0.0.1 10.0.0.7")
    one = await fetch(
        tmp_path,
        f"http://inside.test:{site.port}/p/0",
        host="inside.test",
        scheme="http",
        port=site.port,
    )
    assert one.verdict is Verdict.NOT_ALLOWED
    assert "not public" in one.rule
    assert not site.log


async def test_a_name_inside_is_reached_with_leave(
    site: Site, tmp_path: Path, names: Callable[..., list[str]]
) -> None:
    names("inside.test", "127.0.0.1")
    url = f"http://inside.test:{site.port}/p/0"
    one = await fetch(
        tmp_path, url, host="inside.test", scheme="http", port=site.port, private=True
    )
    assert one.verdict is Verdict.OK


async def test_only_the_addresses_that_passed_are_connected_to(
    site: Site,
    tmp_path: Path,
    names: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name with a good and a bad address: the bad one is dropped, and nothing looks the name up a second time."""
    asked = names("rebind.test", "127.0.0.9 127.0.0.1", "127.0.0.9")
    monkeypatch.setattr(
        client,
        "refusal",
        lambda address, *, private: "refused" if address == "127.0.0.9" else "",
    )
    url = f"http://rebind.test:{site.port}/p/0"
    one = await fetch(tmp_path, url, host="rebind.test", scheme="http", port=site.port)
    assert one.verdict is Verdict.OK
    assert asked == ["rebind.test"]


async def test_a_name_without_address_is_transient(tmp_path: Path) -> None:
    one = await fetch(
        tmp_path, "http://nowhere.invalid/", host="nowhere.invalid", scheme="http"
    )
    assert one.verdict is Verdict.TRANSIENT


async def test_proxies_of_the_environment_are_ignored(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, site.url("", host=3))
    one = await fetch(
        tmp_path,
        site.url("/p/0"),
        host="127.0.0.1",
        scheme="http",
        port=site.port,
        private=True,
    )
    assert one.verdict is Verdict.OK
    assert not site.hits(host=3)


# --- TLS


@asynccontextmanager
async def https(key: Path, file: Path) -> AsyncIterator[tuple[int, list[str | None]]]:
    """A TLS server that answers everything; its port and the server names it was asked for."""
    asked: list[str | None] = []

    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
        )
        await writer.drain()
        writer.close()

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, key)
    context.sni_callback = lambda connection, name, _: asked.append(name)  # type: ignore[assignment]
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1], asked


async def test_the_certificate_is_for_the_name_not_the_address(
    trusted: tuple[Path, Path], tmp_path: Path
) -> None:
    async with https(*trusted) as (port, asked):
        good = await fetch(
            tmp_path,
            "https://secure.test/",
            host="secure.test",
            resolve=f"127.0.0.1:{port}",
        )
        other = await fetch(
            tmp_path,
            "https://other.test/",
            host="other.test",
            resolve=f"127.0.0.1:{port}",
        )
    assert good.verdict is Verdict.OK
    assert other.verdict is Verdict.TRANSIENT
    assert "ertificate" in other.reason
    assert asked == ["secure.test", "other.test"]


async def test_a_certificate_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    async with https(*certificate(tmp_path, "secure.test")) as (port, _):
        one = await fetch(
            tmp_path,
            "https://secure.test/",
            host="secure.test",
            resolve=f"127.0.0.1:{port}",
        )
    assert one.verdict is Verdict.TRANSIENT
    assert "ertificate" in one.reason


# --- one exchange with a client alone


@asynccontextmanager
async def answering(answer: bytes, stall_s: float = 0) -> AsyncIterator[Any]:
    """A server that says the same to all: its port, and the heads it was sent."""
    heads: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(answer)
        await writer.drain()
        await asyncio.sleep(stall_s)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], heads


async def asked(url: str, proxy: str | None = None) -> HttpAnswer:
    listed = (
        Domain(host="127.0.0.1", scheme="http", private=True),
        Domain(host="shop.test"),
    )
    async with client.Client(Allowlist(Domains(domains=listed)), proxy) as one:
        return await exchange(one, HttpRequest(url), max_bytes=1_000, deadline_s=9)


async def test_headers_are_text_and_cookies_are_kept_apart() -> None:
    lines = (
        *(b"HTTP/1.1 200 OK", b"Content-Length: 2", b"X-Kind: a", b"x-kind: b, c"),
        *("X-Name: Käse".encode("latin-1"), b"Set-Cookie: a=1; Path=/"),
        *(b"Set-Cookie: b=2", b"", b"hi"),
    )
    async with answering(b"\r\n".join(lines)) as (port, _):
        answer = await asked(f"http://127.0.0.1:{port}/")
    assert answer.headers == {
        "content-length": "2",
        "x-kind": "a, b, c",
        "x-name": "Käse",
    }
    assert (answer.cookies, answer.body) == (("a=1; Path=/", "b=2"), b"hi")


async def test_an_answer_that_stalls_is_not_said_to_have_had_the_whole_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client, "_TIMEOUT", ClientTimeout(sock_read=0.05))
    begun = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"
    async with answering(begun, stall_s=1) as (port, _):
        with pytest.raises(Transient, match="Timeout on reading data"):
            await asked(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("http://127.0.0.1:9/a", "GET http://127.0.0.1:9/a"),
        ("https://shop.test/a", "CONNECT shop.test:443"),
    ],
)
async def test_a_proxy_is_given_its_password(url: str, first: str) -> None:
    refused = b"HTTP/1.1 407 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with answering(refused) as (port, heads):
        proxy = f"http://ann:p%40w@127.0.0.1:{port}"
        if url.startswith("https"):
            with pytest.raises(Transient, match="407"):
                await asked(url, proxy)
        else:
            assert (await asked(url, proxy)).status == 407
    (head,) = heads
    assert head.startswith(f"{first} HTTP/1.1\r\n")
    secret = b64encode(b"ann:p@w").decode()
    assert f"proxy-authorization: basic {secret}".lower() in head.lower()


async def test_a_nul_in_a_header_is_a_part_of_it() -> None:
    """Or a reason to refuse the answer, but never the end of a header."""
    lines = (
        *(b"HTTP/1.1 200 OK", b"Content-Length: 2", b"X-Kind: a\0set-cookie\0b"),
        *(b"X-Last: c", b"", b"hi"),
    )
    async with answering(b"\r\n".join(lines)) as (port, _):
        try:
            answer = await asked(f"http://127.0.0.1:{port}/")
        except Transient:
            return
    assert answer.headers.keys() == {"content-length", "x-kind", "x-last"}
    assert answer.cookies == ()
