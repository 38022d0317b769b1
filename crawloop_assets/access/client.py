"""The one place where an HTTP client is made: aiohttp's, with nothing around it. To wrap
its answers as httpx has them took a sixth of what a fetch costs.

Names are resolved here, once per connection: the addresses that pass the rule are the
ones connected to, so a second look-up cannot answer otherwise.
"""

import asyncio
import os
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import NamedTuple, Self
from urllib.parse import unquote

import certifi
from aiohttp import (
    ClientHandlerType,
    ClientRequest,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    TraceConfig,
)
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from crawloop_assets.access.address import refusal
from crawloop_assets.access.allowlist import Allowlist, Route
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import NotAllowed

_CONNECT_S = 10.0
_READ_S = 30.0
_CONNECTIONS = 100
_TIMEOUT = ClientTimeout(sock_connect=_CONNECT_S, sock_read=_READ_S, connect=_CONNECT_S)

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
    """Sends the url that was judged, character by character. The library would spell
    it anew, in its own way: `%2e%2e` to the judge would be `..` to the site."""
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


class Client:
    """Sends requests as they are, each once: follows no redirect, keeps no cookie,
    ignores proxies of the environment and verifies TLS."""

    def __init__(self, allowlist: Allowlist, proxy: str | None = None):
        """`proxy` is a url such as "http://user:password@10.0.0.1:3128"."""
        self._allowlist = allowlist
        self._proxy = _OwnProxy.at(proxy) if proxy else _NO_PROXY
        self._sessions: dict[bool, ClientSession] = {}
        self.is_closed = False

    def send(
        self,
        url: WebUrl,
        method: str,
        headers: Mapping[str, str],
        content: bytes | None,
        *,
        anew: bool,
    ) -> AbstractAsyncContextManager[ClientResponse]:
        """The answer, its body unread. What is asked `anew` goes over a connection that
        serves nothing else."""
        _judged.set(url)
        proxy = self._proxy
        return self._session(keep=not anew).request(
            method,
            _origin_url(url.origin),
            headers={**headers, **proxy.beside[url.scheme]},
            data=content or None,
            allow_redirects=False,
            proxy=proxy.url,
            proxy_headers=proxy.secret,
        )

    def _session(self, *, keep: bool) -> ClientSession:
        """The session whose connections are kept, or serve once; opened when it is first
        needed."""
        if keep not in self._sessions:
            self._sessions[keep] = self._opened(keep)
        return self._sessions[keep]

    def _opened(self, keep: bool) -> ClientSession:
        """A session: pinned addresses, TLS verified, no cookies, and nothing taken from
        the environment."""
        connector = TCPConnector(
            force_close=not keep,
            limit=_CONNECTIONS,
            ssl=verifying(),
            resolver=PinnedResolver(self._allowlist, self._proxy.host),
            ttl_dns_cache=60,
        )
        trace = TraceConfig()
        trace.on_request_headers_sent.append(_sent)
        return ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
            timeout=_TIMEOUT,
            trust_env=False,
            trace_configs=[trace],
            middlewares=(_as_judged,),
        )

    async def aclose(self) -> None:
        """Closes all connections."""
        self.is_closed = True
        for session in self._sessions.values():
            await session.close()

    async def __aenter__(self) -> Self:
        """Nothing to open: that is done when it is first needed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes all connections."""
        await self.aclose()


class _OwnProxy(NamedTuple):
    """A proxy of the operator, and the header that opens it, if it asks for a password.
    It is sent with the request for a tunnel, or, where nothing is encrypted, `beside` the
    headers of the request itself."""

    url: URL | None
    host: str | None
    secret: Mapping[str, str]

    @property
    def beside(self) -> Mapping[str, Mapping[str, str]]:
        """What is sent to it with a request, by the request's scheme."""
        return {"http": self.secret, "https": {}}

    @classmethod
    def at(cls, text: str) -> "_OwnProxy":
        """The one whose url, with name and password, is given."""
        url, secret = URL(text), {}
        user, is_there, _ = url.raw_authority.rpartition("@")
        if is_there:
            name, _, password = map(unquote, user.partition(":"))
            word = b64encode(f"{name}:{password}".encode("latin-1")).decode()
            secret = {"Proxy-Authorization": f"Basic {word}"}
        return cls(url.with_user(None), url.raw_host, secret)


_NO_PROXY = _OwnProxy(None, None, {})


@lru_cache(maxsize=1_024)
def _origin_url(origin: str) -> URL:
    """An origin as aiohttp reads it: half of what a request cost."""
    return URL(origin)


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
