"""One attempt at a page over HTTP: redirects are followed by hand, and every hop passes
the gate first."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
from w3lib.url import safe_url_string

from crawloop_assets.access.client import telling_when_sent
from crawloop_assets.access.cookies import Jar
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, exchange
from crawloop_assets.access.gate import Gate, Permit, site
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.errors import Blocked, NotAllowed, Transient

REDIRECTS = frozenset({301, 302, 303, 307, 308})
PERMANENT = frozenset({301, 308})


@dataclass(frozen=True)
class Bounds:
    """`max_bytes` are decoded bytes of one body, `deadline_s` is for one attempt, all
    hops together, without waits."""

    max_bytes: int = 20_000_000
    deadline_s: float = 60.0
    redirects: int = 10


@dataclass
class Trip:
    """What an attempt did, also when it failed halfway."""

    redirects: list[str] = field(default_factory=list)
    permanent: bool = True
    requests: int = 0
    bytes: int = 0
    waited_s: float = 0.0
    wire_s: float = 0.0


@dataclass(frozen=True)
class Via:
    """How requests go out: the client, headers added on the page's own host, and
    cookies."""

    client: httpx.AsyncClient
    headers: Mapping[str, str] = field(default_factory=dict)
    jar: Jar = field(default_factory=Jar)


class Walker:
    """Walks from a url to the end of its redirects."""

    def __init__(self, limiter: Limiter, bounds: Bounds):
        self._limiter, self._bounds = limiter, bounds

    async def walk(
        self, ask: HttpRequest, via: Via, gate: Gate, trip: Trip
    ) -> HttpAnswer:
        """The answer at the end.

        NotAllowed, Transient, or Blocked for a chain that does not end.
        """
        first = ask = replace(ask, url=urldefrag(ask.url).url)
        seen: set[tuple[str, int]] = set()
        while True:
            permit = await gate(ask.url)
            seen.add((ask.url, len(via.jar)))
            answer = await self._ask(
                ask, _headers(ask, first, permit, via), permit, via, trip
            )
            target = _location(answer)
            if target is None:
                return answer
            trip.redirects.append(target)
            trip.permanent = trip.permanent and answer.status in PERMANENT
            # Back at a url with nothing new in the jar, the answer will be the same.
            if (target, len(via.jar)) in seen:
                raise Blocked(first.url, f"redirect: loop at {target[:200]}")
            if len(trip.redirects) > self._bounds.redirects:
                raise Blocked(
                    first.url, f"redirect: more than {self._bounds.redirects} hops"
                )
            ask = _next(ask, target, answer.status)

    async def _ask(
        self,
        ask: HttpRequest,
        headers: dict[str, str],
        permit: Permit,
        via: Via,
        trip: Trip,
    ) -> HttpAnswer:
        left = self._bounds.deadline_s - trip.wire_s
        if left <= 0:
            raise Transient(
                ask.url,
                f"network: no complete answer within {self._bounds.deadline_s:g} s",
            )
        async with self._limiter.turn(site(ask.url), permit.pace) as turn:
            trip.waited_s += turn.waited_s
            trip.requests += 1
            began = monotonic()
            try:
                with telling_when_sent(turn.sent):
                    answer = await exchange(
                        via.client,
                        replace(ask, headers=headers),
                        max_bytes=self._bounds.max_bytes,
                        deadline_s=left,
                    )
            finally:
                trip.wire_s += monotonic() - began
        trip.bytes += answer.bytes
        if answer.cookies:
            via.jar.take(answer.url, answer.cookies)
        return answer


def _headers(
    ask: HttpRequest, first: HttpRequest, permit: Permit, via: Via
) -> dict[str, str]:
    """The headers for one hop.

    Those of the family and the rung may hold secrets: they stay on the page's own host.
    """
    headers = {"user-agent": permit.agent}
    if _same_host(first.url, ask.url):
        headers |= {**ask.headers, **via.headers}
    if ask.validators and ask.url == (ask.validators.url or first.url):
        headers |= ask.validators.headers()
    if cookies := "; ".join(
        filter(None, (headers.get("cookie"), via.jar.header(ask.url)))
    ):
        headers["cookie"] = cookies
    return headers


def _same_host(first: str, url: str) -> bool:
    """On the same host, and not on a connection that anyone can read when the first one
    was not."""
    one, other = urlsplit(first), urlsplit(url)
    return one.hostname == other.hostname and (
        one.scheme == "http" or other.scheme == "https"
    )


def _location(answer: HttpAnswer) -> str | None:
    """Where a redirect leads, absolute and without fragment; None if the answer is no
    redirect."""
    target = answer.headers.get("location", "")
    if answer.status not in REDIRECTS or not target:
        return None
    try:
        return str(urldefrag(safe_url_string(urljoin(answer.url, target))).url)
    except ValueError as error:
        raise NotAllowed(target[:200], f"redirect: {error}") from error


def _next(ask: HttpRequest, target: str, status: int) -> HttpRequest:
    """As browsers do: 307 and 308 repeat the request, the others turn a POST into a
    GET."""
    if status in (307, 308) or ask.method == "GET":
        return replace(ask, url=target)
    headers = {
        name: value for name, value in ask.headers.items() if name != "content-type"
    }
    return replace(ask, url=target, method="GET", headers=headers, content=None)
