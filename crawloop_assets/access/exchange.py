"""One request and its answer, within bounds: seconds, decoded bytes, a complete
body."""

import asyncio
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiohttp
from multidict import CIMultiDict

from crawloop_assets.access.client import Client
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import Transient
from crawloop_assets.page import Page

_ENCODINGS = "gzip, deflate"
_GZIP_BITS = zlib.MAX_WBITS | 16
_GZIP_MAGIC = b"\x1f\x8b"


class _Plain:
    """Unpacks what is not packed."""

    eof, unconsumed_tail, unused_data = True, b"", b""

    def decompress(self, chunk: bytes, _: int) -> bytes:
        """The bytes as they are."""
        return chunk


_UNPACKERS: Mapping[str, Callable[[], Any]] = {
    "": _Plain,
    "identity": _Plain,
    "gzip": partial(zlib.decompressobj, _GZIP_BITS),
    "x-gzip": partial(zlib.decompressobj, _GZIP_BITS),
    "deflate": zlib.decompressobj,
}
"""By content-encoding."""
_PAST_CACHES = {"cache-control": "no-cache", "pragma": "no-cache"}
_STEP = 64 * 1024  # bytes decoded at a time: a bomb is seen before it has gone off


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
        return cls(etag, modified, page.base_url) if any((etag, modified)) else None

    def headers(self) -> dict[str, str]:
        """As request headers."""
        said = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {
            name: text for name, text in said.items() if text and text.isprintable()
        }


@dataclass(frozen=True)
class HttpRequest:
    """One request as it goes over the wire.

    `url` is the name of the page, `sent` the canonical url it is asked for by: what the
    gate judges and the client sends. `content` is the encoded body; header names are lower-case. `anew`: over a
    connection of its own, and no cache on the way may answer.
    """

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    validators: Validators | None = None
    anew: bool = False
    sent: WebUrl = field(init=False)

    def __post_init__(self) -> None:
        """NotAllowed for a url that cannot be sent: no request is made for one."""
        object.__setattr__(self, "sent", WebUrl.of(self.url))

    @property
    def past_caches(self) -> Mapping[str, str]:
        """Headers by which caches let a request through that is made anew; none for
        others."""
        return _PAST_CACHES if self.anew else {}


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
    client: Client,
    request: HttpRequest,
    *,
    max_bytes: int,
    deadline_s: float,
) -> HttpAnswer:
    """Ask once.

    Transient on a network failure, a truncated body or a missed deadline (total: a slow
    drip counts).
    """
    limit = asyncio.timeout(deadline_s)
    try:
        async with limit:
            return await _exchange(client, request, max_bytes)
    except (aiohttp.ClientError, DecodingError, OSError) as error:
        reason = _deepest(error)
        if limit.expired():
            reason = f"no complete answer within {deadline_s:.0f} s"
        raise Transient(request.url, f"network: {reason}") from error


async def _exchange(client: Client, request: HttpRequest, max_bytes: int) -> HttpAnswer:
    """Sends and receives without a time limit. Transient for a truncated body; a body
    over the cap comes back empty, marked `too_large`."""
    asked = {"accept": "*/*", **request.headers, "accept-encoding": _ENCODINGS}
    async with client.send(
        request.sent, request.method, asked, request.content, anew=request.anew
    ) as response:
        headers, cookies = _said(response.raw_headers)
        body = Body(headers.pop("content-encoding", ""), max_bytes)
        await _receive(body, response, headers)
    if not body.too_large and not body.complete:
        raise Transient(request.url, "network: truncated body")
    return HttpAnswer(
        url=str(request.sent),
        status=response.status,
        headers=headers,
        cookies=cookies,
        body=b"" if body.too_large else bytes(body.decoded),
        too_large=body.too_large,
        bytes=body.received,
    )


def _said(
    raw_headers: Sequence[tuple[bytes, bytes]],
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The headers of an answer, those that are there several times in one line, and its
    cookies. What is no UTF-8 is Latin-1, as it was when headers were invented."""
    try:
        said = _decoded(raw_headers, "utf-8")
    except UnicodeDecodeError:
        said = _decoded(raw_headers, "latin-1")
    cookies = tuple(said.popall("set-cookie", ()))
    return {name.lower(): ", ".join(said.getall(name)) for name in said}, cookies


def _decoded(
    raw_headers: Sequence[tuple[bytes, bytes]], charset: str
) -> CIMultiDict[str]:
    """Headers as text."""
    return CIMultiDict(
        (name.decode(charset), text.decode(charset)) for name, text in raw_headers
    )


async def _receive(
    body: "Body", response: aiohttp.ClientResponse, headers: Mapping[str, str]
) -> None:
    """Take a body off the wire, but for one that is announced as too large."""
    if _announced(headers) > body.max_bytes:
        body.too_large = True
        return
    async for chunk in response.content.iter_chunked(_STEP):
        if not body.feed(chunk):
            return


class DecodingError(Exception):
    """A body that is not packed as its headers say."""


class Body:
    """Decodes a body as it comes in and stops at the cap, however small it was on the
    wire."""

    def __init__(self, encoding: str, max_bytes: int):
        """DecodingError for an encoding that was not asked for."""
        self._encoding, self.max_bytes = encoding.strip().lower(), max_bytes
        if self._encoding not in _UNPACKERS:
            raise DecodingError(
                f"content-encoding {self._encoding[:40]!r} was not asked for"
            )
        self._inflate = _UNPACKERS[self._encoding]()
        self.decoded = bytearray()
        self.received = 0
        self.too_large = False

    @property
    def complete(self) -> bool:
        """True unless a compressed stream ended early."""
        return self._inflate.eof or self.received == 0

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes off the wire; False when there is no need for more."""
        self.received += len(chunk)
        self._decode(chunk)
        self.too_large = len(self.decoded) > self.max_bytes
        return not self.too_large

    def _decode(self, chunk: bytes) -> None:
        """Adds a chunk, of a compressed one a step at a time, to one step past the cap at most;
        DecodingError for what is broken."""
        while chunk and len(self.decoded) <= self.max_bytes:
            try:
                self.decoded += self._inflate.decompress(chunk, _STEP)
            except zlib.error as error:
                self._begin_raw(error)
                continue
            chunk = self._inflate.unconsumed_tail
            if self._inflate.eof:
                chunk = self._inflate.unused_data
                if not chunk.startswith(_GZIP_MAGIC):
                    return
                self._inflate = zlib.decompressobj(_GZIP_BITS)

    def _begin_raw(self, error: zlib.error) -> None:
        """Begin anew without the two-byte header of deflate, which some servers do not
        send; DecodingError for any other encoding, or in the middle of a body."""
        if self._encoding != "deflate" or self.decoded:
            raise DecodingError(f"broken {self._encoding}: {error}") from error
        self._encoding = "raw deflate"
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)


def _announced(headers: Mapping[str, str]) -> int:
    """Bytes that the body is said to have, 0 if nothing sensible is said."""
    text = headers.get("content-length", "")
    return int(text) if text.isdecimal() and len(text) < 20 else 0


def _deepest(error: BaseException) -> str:
    """The deepest cause that says something, such as "ServerDisconnectedError: Server
    disconnected"."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
