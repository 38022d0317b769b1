"""One request and its answer, within bounds: seconds, decoded bytes, a complete
body."""

import asyncio
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import aiohttp
import httpx

from crawloop_assets.access.client import OWN_CONNECTION, SENT
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import Transient
from crawloop_assets.page import Page

_ENCODINGS = "gzip, deflate"
_GZIP_BITS = zlib.MAX_WBITS | 16
_GZIP_MAGIC = b"\x1f\x8b"
# zlib's window bits by content-encoding, None for a body that is sent as it is.
_WINDOW_BITS = {
    "": None,
    "identity": None,
    "gzip": _GZIP_BITS,
    "x-gzip": _GZIP_BITS,
    "deflate": zlib.MAX_WBITS,
}
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
        return cls(etag, modified, page.base_url) if etag or modified else None

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
    client: httpx.AsyncClient,
    request: HttpRequest,
    *,
    max_bytes: int,
    deadline_s: float,
) -> HttpAnswer:
    """Ask once.

    Transient on a network failure, a truncated body or a missed deadline (total: a slow
    drip counts).
    """
    try:
        async with asyncio.timeout(deadline_s):
            return await _exchange(client, request, max_bytes)
    except TimeoutError as error:
        raise Transient(
            request.url, f"network: no complete answer within {deadline_s:.0f} s"
        ) from error
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        aiohttp.ClientError,
        ssl.SSLError,
        OSError,
    ) as error:
        raise Transient(request.url, f"network: {_deepest(error)}") from error


async def _exchange(
    client: httpx.AsyncClient, request: HttpRequest, max_bytes: int
) -> HttpAnswer:
    """Sends and receives without a time limit. Transient for a truncated body; a body
    over the cap comes back empty, marked `too_large`."""
    response = await client.send(_request(client, request), stream=True)
    try:
        headers = dict(response.headers.items())
        headers.pop("set-cookie", None)
        body = Body(headers.pop("content-encoding", ""), max_bytes)
        await _receive(body, response, headers)
    finally:
        await response.aclose()
    if not body.too_large and not body.complete:
        raise Transient(request.url, "network: truncated body")
    return HttpAnswer(
        url=str(request.sent),
        status=response.status_code,
        headers=headers,
        cookies=tuple(response.headers.get_list("set-cookie")),
        body=b"" if body.too_large else bytes(body.decoded),
        too_large=body.too_large,
        bytes=body.received,
    )


async def _receive(
    body: "Body", response: httpx.Response, headers: Mapping[str, str]
) -> None:
    """Take a body off the wire, but for one that is announced as too large."""
    if _announced(headers) > body.max_bytes:
        body.too_large = True
        return
    async for chunk in response.aiter_raw():
        if not body.feed(chunk):
            return


class Body:
    """Decodes a body as it comes in and stops at the cap, however small it was on the
    wire."""

    def __init__(self, encoding: str, max_bytes: int):
        """httpx.DecodingError for an encoding that was not asked for."""
        self._encoding, self.max_bytes = encoding.strip().lower(), max_bytes
        if self._encoding not in _WINDOW_BITS:
            raise httpx.DecodingError(
                f"content-encoding {self._encoding[:40]!r} was not asked for"
            )
        bits = _WINDOW_BITS[self._encoding]
        self._inflate: Any = None if bits is None else zlib.decompressobj(bits)
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
        self.too_large = len(self.decoded) > self.max_bytes
        return not self.too_large

    def _decode(self, chunk: bytes) -> None:
        """Adds a compressed chunk, a step at a time, to one step past the cap at most;
        httpx.DecodingError for what is broken."""
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
        send; httpx.DecodingError for any other encoding, or in the middle of a body."""
        if self._encoding != "deflate" or self.decoded:
            raise httpx.DecodingError(f"broken {self._encoding}: {error}") from error
        self._encoding = "raw deflate"
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)


def _request(client: httpx.AsyncClient, request: HttpRequest) -> httpx.Request:
    """As the client would build it from its own defaults, all of which are ours to say:
    merging them costs as much as reading the url."""
    headers = {"accept": "*/*", **request.headers, "accept-encoding": _ENCODINGS}
    extensions = {
        "timeout": client.timeout.as_dict(),
        OWN_CONNECTION: request.anew,
        SENT: request.sent,
    }
    return httpx.Request(
        request.method,
        _origin_url(request.sent.origin),
        headers=headers,
        content=request.content,
        extensions=extensions,
    )


@lru_cache(maxsize=1_024)
def _origin_url(origin: str) -> httpx.URL:
    """An origin as httpx reads it: half of what a request cost."""
    return httpx.URL(origin)


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
