"""The one place where an HTTP client is made.

httpx gives the interface, aiohttp the transport (a quarter of httpcore's CPU per page).
Names are resolved here, once per connection: the addresses that pass the rule are the
ones connected to, so a second look-up cannot answer otherwise.
"""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from typing import Any

import certifi
import httpx
from aiohttp import (
    ClientHandlerType,
    ClientRequest,
    ClientResponse,
    ClientSession,
    DummyCookieJar,
    TCPConnector,
    TraceConfig,
)
from aiohttp.abc import AbstractResolver, ResolveResult
from httpx_aiohttp import AiohttpTransport
from yarl import URL

from crawloop_assets.access.address import refusal
from crawloop_assets.access.allowlist import Allowlist, Route
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import NotAllowed

_CONNECT_S = 10.0
_READ_S = 30.0
_CONNECTIONS = 100
OWN_CONNECTION = "own_connection"
"""The extension of a request that says whether it goes over a connection of its own."""
SENT = "sent"
"""The extension of a request that holds the `WebUrl` it is sent by."""

_judged: ContextVar[WebUrl] = ContextVar("judged")
_on_sent: ContextVar[Callable[[], None] | None] = ContextVar("on_sent", default=None)


@contextmanager
def telling_when_sent(callback: Callable[[], None]) -> Iterator[None]:
    """Calls back when a request made inside is on the wire, after resolving and
    connecting."""
    token = _on_sent.set(callback)
    try:
        yield
    finally:
        _on_sent.reset(token)


async def _sent(*_: object) -> None:
    """Tells whoever listens in this context that a request went over the wire."""
    if (callback := _on_sent.get()) is not None:
        callback()


async def _as_judged(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Sends the url that was judged, character by character. Both libraries would spell
    it anew, each in its own way: `%2e%2e` to the judge would be `..` to the site."""
    request.url = URL(_judged.get(), encoded=True)
    return await send(request)


class PinnedResolver(AbstractResolver):
    """Resolves a name to the addresses that may be connected to.

    NotAllowed if there is none.
    """

    def __init__(self, allowlist: Allowlist, proxy: str | None = None):
        """`proxy` is the host of the operator's own proxy, None without one."""
        self._allowlist, self._proxy = allowlist, proxy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Addresses for aiohttp's connector; OSError if the name has none."""
        route = self._route(host, port)
        if route.to:
            return [_result(host, *route.to)]
        loop = asyncio.get_running_loop()
        infos = await loop.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, family=family
        )
        addresses = dict.fromkeys(str(info[4][0]) for info in infos)
        why = {one: refusal(one, private=route.private) for one in addresses}
        allowed = [_result(host, one, port) for one in addresses if not why[one]]
        if not allowed:
            reasons = "; ".join(why.values())
            raise NotAllowed(host, f"address: {host} resolves to {reasons}")
        return allowed

    def _route(self, host: str, port: int) -> Route:
        """How this host is connected to; its rule is the allowlist, except for the
        proxy."""
        # The operator's own proxy may live inside; what it connects to is its business.
        if host == self._proxy:
            return Route(private=True)
        return self._allowlist.route(host, port)

    async def close(self) -> None:
        """Nothing is held."""


def open_client(allowlist: Allowlist, proxy: str | None = None) -> httpx.AsyncClient:
    """A client that follows no redirect, keeps no cookie, ignores proxies of the
    environment and verifies TLS.

    `proxy` is a url such as "http://user:password@10.0.0.1:3128".
    """

    proxy_host = httpx.URL(proxy).host if proxy else None

    def session(keep: bool) -> ClientSession:
        """A transport's session: pinned addresses, TLS verified, no cookies, and
        nothing taken from the environment. Connections are kept, or serve once."""
        connector = TCPConnector(
            force_close=not keep,
            limit=_CONNECTIONS,
            ssl=verifying(),
            resolver=PinnedResolver(allowlist, proxy_host),
            ttl_dns_cache=60,
        )
        trace = TraceConfig()
        trace.on_request_headers_sent.append(_sent)
        return ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
            trust_env=False,
            trace_configs=[trace],
            middlewares=(_as_judged,),
        )

    def transport(keep: bool) -> AiohttpTransport:
        """What sends over such a session, opened with its first request."""
        return AiohttpTransport(
            verify=verifying(),
            client=partial(session, keep),
            proxy=httpx.Proxy(proxy) if proxy else None,
        )

    timeout = httpx.Timeout(_READ_S, connect=_CONNECT_S, pool=_CONNECT_S)
    return _Client(
        _Lanes(transport(keep=True), transport(keep=False)),
        trust_env=False,
        follow_redirects=False,
        timeout=timeout,
    )


class _Lanes(httpx.AsyncBaseTransport):
    """Connections that are kept for the next request, and some that serve only one."""

    def __init__(self, kept: AiohttpTransport, own: AiohttpTransport):
        """`own` is used by requests with `OWN_CONNECTION`."""
        self._kept, self._own = kept, own

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends over the lane that the request asks for. One that was made without a
        `WebUrl` gets its own here."""
        _judged.set(request.extensions.get(SENT) or WebUrl.of(str(request.url)))
        lane = self._own if request.extensions.get(OWN_CONNECTION) else self._kept
        return await lane.handle_async_request(request)

    async def aclose(self) -> None:
        """Closes both lanes."""
        await self._kept.aclose()
        await self._own.aclose()


class _NoCookies(httpx.Cookies):
    """Keeps none, and does not parse what came: that was a third of httpx's own work on
    an answer."""

    def extract_cookies(self, response: httpx.Response) -> None:
        """Takes none: ours are in a `Jar`."""


_NO_COOKIES = _NoCookies()


class _Client(httpx.AsyncClient):
    """Sends a request as it is, once; httpx reads nothing of the answer."""

    def __init__(self, lanes: "_Lanes", **options: Any):
        """`options` are those of httpx."""
        super().__init__(transport=lanes, **options)
        self._lanes = lanes

    async def send(
        self, request: httpx.Request, *, stream: bool = False, **_: Any
    ) -> httpx.Response:
        """The answer, its body unread if it is to be a `stream`. Where a redirect leads
        is not looked at: httpx does, and raises what it likes for a broken url."""
        response = await self._lanes.handle_async_request(request)
        response.request = request
        if not stream:
            await response.aread()
        return response

    @property  # type: ignore[misc]  # nobody sets it
    def cookies(self) -> httpx.Cookies:
        """The same empty jar for every request."""
        return _NO_COOKIES


@lru_cache(1)
def verifying() -> ssl.SSLContext:
    """TLS that trusts Mozilla's authorities, or those in SSL_CERT_FILE.

    Read once: it costs tens of milliseconds.
    """
    return ssl.create_default_context(
        cafile=os.environ.get("SSL_CERT_FILE") or certifi.where()
    )


def _result(name: str, address: str, port: int) -> ResolveResult:
    """One address in the shape aiohttp expects; it is never looked up again."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return {
        "hostname": name,
        "host": address,
        "port": port,
        "family": family,
        "proto": 0,
        "flags": socket.AI_NUMERICHOST,
    }
