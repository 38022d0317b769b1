"""The browser's only way out: a local proxy that lets it connect to listed hosts and
nothing else.

Chromium sends every connection through it: documents, redirects, frames, scripts, web
sockets, workers, popups, prefetches, reports, and what it asks for by itself. Names are
resolved here, so the address that was checked is the one connected to. Where only some
paths of a host are listed, connections are looked into: TLS ends here with a
certificate of our own (which the browser is told to take) and begins again, verified,
towards the site; every url is checked.
"""

import asyncio
import base64
import re
from collections.abc import Coroutine
from contextlib import suppress
from itertools import filterfalse
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.chromium.seal import Seal
from crawloop_assets.access.chromium.ticket import ASK, Ticket
from crawloop_assets.access.client import PinnedResolver, verifying
from crawloop_assets.access.proxies import Proxy
from crawloop_assets.access.web_url import PORTS, WebUrl, bracketed
from crawloop_assets.errors import NotAllowed

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_HUNG_UP = (
    OSError,
    asyncio.IncompleteReadError,
    asyncio.LimitOverrunError,
    TimeoutError,
    ValueError,
)
_HEAD_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_CONNECT_S = 10.0
_CONNECTED = b"HTTP/1.1 200 OK\r\n\r\n"
_HOP_BY_HOP = re.compile(
    rb"^(?:proxy-[a-z-]+|connection|keep-alive|upgrade-insecure-requests):",
    re.IGNORECASE,
)
_HOST = re.compile(rb"^host:", re.IGNORECASE)
_LENGTH = re.compile(
    rb"^content-length:\s*(\d{1,12})\s*$", re.IGNORECASE | re.MULTILINE
)


class Tunnel:
    """An async context manager; `address` is "127.0.0.1:port".

    `refused` keeps what was turned away, by rule. Who does not show the `ticket` reaches
    nothing: other users of the machine can connect here too.
    """

    def __init__(self, allowlist: Allowlist):
        """Nothing listens before the tunnel is entered."""
        self._allowlist, self._resolver = allowlist, PinnedResolver(allowlist)
        self._tasks: set[asyncio.Task[None]] = set()
        self._proxies: dict[str, Proxy] = {}
        self.ticket = Ticket()
        self.refused: list[str] = []
        self.address = ""

    async def __aenter__(self) -> "Tunnel":
        """Listens on a port of its own, on this machine only."""
        self.seal = Seal.make()
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=_HEAD_BYTES
        )
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stops listening and cuts the connections that are open."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def through(self, site: str, proxy: Proxy | None) -> None:
        """From now on a site ("host:port") is reached through one of the operator's
        proxies, or (None) directly."""
        if proxy is None:
            self._proxies.pop(site, None)
        else:
            self._proxies[site] = proxy

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One connection of the browser, from its first byte until a side hangs up."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            # Cancelled: the tunnel closes. Else one side hung up, which the browser reports as an error of its page.
            with suppress(asyncio.CancelledError, *_HUNG_UP):
                await self._serve(reader, writer)
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Reads the first request's head and connects or asks, as it says. What the
        allowlist refuses is answered with 403 and kept in `refused`."""
        head = await reader.readuntil(b"\r\n\r\n")
        first, _, rest = head.partition(b"\r\n")
        method, target, _ = first.decode("ascii").split(" ", 2)
        if not self.ticket.is_shown_in(rest):
            writer.write(ASK)
            return
        try:
            if method == "CONNECT":
                await self._tunnel(reader, writer, *self._endpoint(target))
            else:
                await self._ask(reader, writer, method, target, rest)
        except NotAllowed as error:
            self.refused.append(error.reason)
            writer.write(
                b"HTTP/1.1 403 Not on the allowlist\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            await writer.drain()

    async def _tunnel(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        host: str,
        port: int,
    ) -> None:
        """A connection to a listed host."""
        scheme = self._allowlist.in_part(host, port)
        if scheme:
            await self._look_into(
                reader,
                writer,
                f"{scheme}://{bracketed(host)}:{port}",
            )
            return
        onward = await self._connect(
            host, port, self._proxies.get(f"{bracketed(host)}:{port}"), tunnelled=True
        )
        writer.write(_CONNECTED)
        await _relay_both(reader, writer, *onward)

    async def _look_into(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, origin: str
    ) -> None:
        """Be the site, as far as the browser sees, for one request."""
        if origin.startswith("https:"):
            # What comes after our answer belongs to TLS, not to this reader.
            cast(asyncio.Transport, writer.transport).pause_reading()
            writer.write(_CONNECTED)
            await writer.start_tls(self.seal.context, ssl_handshake_timeout=_CONNECT_S)
        else:
            writer.write(_CONNECTED)
        first, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        method, path, _ = first.decode("ascii").split(" ", 2)
        await self._ask(reader, writer, method, origin + path, rest)

    async def _ask(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        method: str,
        url: str,
        rest: bytes,
    ) -> None:
        """One request whose url is seen, and its answer.

        NotAllowed, before anything is connected to.
        """
        asked = WebUrl.of(url)
        self._allowlist.check(asked)
        proxy, secure = self._proxies.get(asked.site), asked.scheme == "https"
        inner, onward = await self._connect(
            asked.host, asked.port, proxy, tunnelled=secure
        )
        if secure:
            await onward.start_tls(
                verifying(),
                server_hostname=asked.host,
                ssl_handshake_timeout=_CONNECT_S,
            )
        # Through TLS a proxy sees no more than where it leads.
        await _one_request(
            reader,
            writer,
            inner,
            onward,
            _plain_head(method, asked, rest, None if secure else proxy),
        )

    def _endpoint(self, target: str) -> tuple[str, int]:
        """A host and a port that some entry names.

        NotAllowed if none does.
        """
        host, _, port = target.rpartition(":")
        if not port.isdecimal():
            raise NotAllowed(target[:200], "url: no port to connect to")
        host = host.strip("[]").lower()
        self._allowlist.host(host, int(port))
        return host, int(port)

    async def _connect(
        self, host: str, port: int, proxy: Proxy | None, *, tunnelled: bool
    ) -> Streams:
        """A connection to a host, by the address that was checked, or to the proxy that
        goes on from there; TimeoutError if it takes too long."""
        if proxy:
            return await self._beyond(proxy, f"{bracketed(host)}:{port}", tunnelled)
        async with asyncio.timeout(_CONNECT_S):
            found = await self._resolver.resolve(host, port)
            return await asyncio.open_connection(found[0]["host"], found[0]["port"])

    async def _beyond(self, proxy: Proxy, endpoint: str, tunnelled: bool) -> Streams:
        """A connection to the site by way of a proxy, whose health is noted.

        OSError if the proxy refuses.
        """
        parts = urlsplit(proxy.url)
        try:
            async with asyncio.timeout(_CONNECT_S):
                reader, writer = await asyncio.open_connection(
                    parts.hostname,
                    parts.port or PORTS[parts.scheme],
                    ssl=parts.scheme == "https" or None,
                )
                if tunnelled:
                    await _ask_for_tunnel(reader, writer, proxy, endpoint)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            proxy.failed()
            raise
        proxy.worked()
        return reader, writer


async def _ask_for_tunnel(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    proxy: Proxy,
    endpoint: str,
) -> None:
    """Has a proxy connect to "host:port"; all that follows it only passes on.

    ConnectionRefusedError, which closes the connection, for any answer but 200.
    """
    writer.write(f"CONNECT {endpoint} HTTP/1.1\r\nHost: {endpoint}\r\n".encode())
    credentials = b"".join(line + b"\r\n" for line in _credentials(proxy))
    writer.write(credentials + b"\r\n")
    first, _, _ = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
    if first.split(b" ")[1:2] != [b"200"]:
        writer.close()
        raise ConnectionRefusedError(f"{proxy.name} answered {first[:80]!r}")


def _lasting(head: bytes) -> list[bytes]:
    """The header lines of a request or an answer that are meant for its other end; those
    that are about this one connection are left out."""
    lines = filter(None, head.split(b"\r\n"))
    return list(filterfalse(_HOP_BY_HOP.match, lines))


def _plain_head(method: str, url: WebUrl, rest: bytes, proxy: Proxy | None) -> bytes:
    """The request as the site (or the proxy before it) gets it, for this one answer:
    nothing that was not checked may follow, nor stand in the url or the host's name."""
    lines = [
        f"Host: {url.authority}".encode(),
        *filterfalse(_HOST.match, _lasting(rest)),
    ]
    asked: str = url.target
    if proxy:
        # A proxy is asked for the whole url, and told who asks.
        asked = url
        lines += _credentials(proxy)
    return b"\r\n".join(
        [
            f"{method} {asked} HTTP/1.1".encode(),
            *lines,
            b"Connection: close",
            b"",
            b"",
        ]
    )


def _credentials(proxy: Proxy) -> list[bytes]:
    """The header that a proxy with a user name wants."""
    parts = urlsplit(proxy.url)
    if not parts.username:
        return []
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return [b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode())]


async def _one_request(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    inner: asyncio.StreamReader,
    onward: asyncio.StreamWriter,
    head: bytes,
) -> None:
    """Passes on one request with its body, and the answer until a side hangs up."""
    try:
        onward.write(head)
        length = _LENGTH.search(head.replace(b"\r\n", b"\n"))
        left = int(length[1]) if length else 0
        while left and (chunk := await reader.read(min(_CHUNK, left))):
            left -= len(chunk)
            onward.write(chunk)
            await onward.drain()
        writer.write(await _answer_head(inner))
        await _either(_pour(inner, writer), reader.read(1))
    finally:
        onward.close()


async def _answer_head(inner: asyncio.StreamReader) -> bytes:
    """The head of the site's answer, changed so that the browser asks nothing more over
    this connection."""
    first, _, rest = (await inner.readuntil(b"\r\n\r\n")).partition(b"\r\n")
    lines = _lasting(rest)
    return b"\r\n".join([first, *lines, b"Connection: close", b"", b""])


async def _relay_both(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    inner: asyncio.StreamReader,
    onward: asyncio.StreamWriter,
) -> None:
    """Passes on bytes both ways, unread, until a side hangs up."""
    try:
        await _either(_pour(reader, onward), _pour(inner, writer))
    finally:
        onward.close()


async def _either(
    one: Coroutine[Any, Any, object], other: Coroutine[Any, Any, object]
) -> None:
    """Until one of the two ends: when a side hangs up, so does the other."""
    tasks = [asyncio.ensure_future(one), asyncio.ensure_future(other)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Copies until the source ends."""
    while chunk := await source.read(_CHUNK):
        sink.write(chunk)
        await sink.drain()
