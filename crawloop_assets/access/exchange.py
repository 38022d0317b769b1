"""One request and its answer, within bounds: seconds, decoded bytes, a complete
body."""

import asyncio
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import httpx

from crawloop_assets.errors import Transient
from crawloop_assets.page import Page

ENCODINGS = "gzip, deflate"
_STEP = 64 * 1024


@dataclass(frozen=True)
class Validators:
    """What identifies the stored version of a page to its server.

    `url` is the final url, "" for the one asked for.
    """

    etag: str | None = None
    last_modified: str | None = None
    url: str = ""

    @classmethod
    def of(cls, page: Page) -> "Validators | None":
        """Those of a stored page, None if its server sent none."""
        etag, modified = page.headers.get("etag"), page.headers.get("last-modified")
        return cls(etag, modified, page.base_url) if etag or modified else None

    def headers(self) -> dict[str, str]:
        """As request headers."""
        named = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {
            name: value
            for name, value in named.items()
            if value and value.isprintable()
        }


@dataclass(frozen=True)
class HttpRequest:
    """One request as it goes over the wire.

    `content` is the encoded body; header names are lower-case.
    """

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    validators: Validators | None = None


@dataclass(frozen=True)
class HttpAnswer:
    """What came back.

    `body` is decoded and complete, or empty when it passed the cap (`too_large`).
    `cookies` are the raw Set-Cookie headers; they are kept out of `headers`, which are
    stored with the page.
    """

    url: str
    status: int
    headers: dict[str, str]
    cookies: tuple[str, ...] = ()
    body: bytes = b""
    too_large: bool = False
    bytes: int = 0


async def exchange(
    client: httpx.AsyncClient, ask: HttpRequest, *, max_bytes: int, deadline_s: float
) -> HttpAnswer:
    """Ask once.

    Transient on a network failure, a truncated body or a missed deadline (total: a slow
    drip counts).
    """
    try:
        async with asyncio.timeout(deadline_s):
            return await _exchange(client, ask, max_bytes)
    except TimeoutError as error:
        raise Transient(
            ask.url, f"network: no complete answer within {deadline_s:.0f} s"
        ) from error
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        aiohttp.ClientError,
        ssl.SSLError,
        OSError,
    ) as error:
        raise Transient(ask.url, f"network: {_name(error)}") from error


async def _exchange(
    client: httpx.AsyncClient, ask: HttpRequest, max_bytes: int
) -> HttpAnswer:
    response = await client.send(_request(client, ask), stream=True)
    try:
        headers = {
            name: value
            for name, value in response.headers.items()
            if name != "set-cookie"
        }
        cookies = tuple(response.headers.get_list("set-cookie"))
        body = Body(headers.pop("content-encoding", ""), max_bytes)
        if _announced(headers) <= max_bytes:
            async for chunk in response.aiter_raw():
                if not body.feed(chunk):
                    break
        else:
            body.too_large = True
        if not body.too_large and not body.complete:
            raise Transient(ask.url, "network: truncated body")
        content = b"" if body.too_large else bytes(body.decoded)
        return HttpAnswer(
            ask.url,
            response.status_code,
            headers,
            cookies,
            content,
            body.too_large,
            body.received,
        )
    finally:
        await response.aclose()


class Body:
    """Decodes a body as it comes in and stops at the cap, however small it was on the
    wire."""

    def __init__(self, encoding: str, max_bytes: int):
        self._encoding, self._max = encoding.strip().lower(), max_bytes
        self._inflate: Any = None
        if self._encoding in ("gzip", "x-gzip"):
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
        elif self._encoding == "deflate":
            self._inflate = zlib.decompressobj()
        elif self._encoding not in ("", "identity"):
            raise httpx.DecodingError(
                f"content-encoding {self._encoding[:40]!r} was not asked for"
            )
        self.decoded = bytearray()
        self.received = 0
        self.too_large = False

    @property
    def complete(self) -> bool:
        """True unless a compressed stream ended early."""
        return self._inflate is None or self._inflate.eof or self.received == 0

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes off the wire; False when there is no need for more."""
        self.received += len(chunk)
        if self._inflate is None:
            self.decoded += chunk
        else:
            self._decode(chunk)
        self.too_large = len(self.decoded) > self._max
        return not self.too_large

    def _decode(self, chunk: bytes) -> None:
        while chunk and len(self.decoded) <= self._max:
            try:
                self.decoded += self._inflate.decompress(chunk, _STEP)
            except zlib.error as error:
                if self._encoding != "deflate" or self.decoded:
                    raise httpx.DecodingError(
                        f"broken {self._encoding}: {error}"
                    ) from error
                # Some servers send deflate without its two-byte header.
                self._encoding, self._inflate = (
                    "raw deflate",
                    zlib.decompressobj(-zlib.MAX_WBITS),
                )
                continue
            chunk = self._inflate.unconsumed_tail
            if self._inflate.eof:
                chunk = self._inflate.unused_data
                if not chunk.startswith(b"\x1f\x8b"):
                    return
                self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)


def _request(client: httpx.AsyncClient, ask: HttpRequest) -> httpx.Request:
    """As the client would build it from its own defaults, all of which are ours to say:
    merging them costs as much as reading the url."""
    headers = {"accept": "*/*", **ask.headers, "accept-encoding": ENCODINGS}
    extensions = {"timeout": client.timeout.as_dict()}
    return httpx.Request(
        ask.method, ask.url, headers=headers, content=ask.content, extensions=extensions
    )


def _announced(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "")
    return int(text) if text.isdecimal() and len(text) < 20 else 0


def _name(error: BaseException) -> str:
    """The deepest cause that says something, such as "ServerDisconnectedError: Server
    disconnected"."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
