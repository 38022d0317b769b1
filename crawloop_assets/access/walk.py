"""One attempt at a page over HTTP: redirects are followed by hand, and every hop passes
the gate first."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

from crawloop_assets.access.client import Client, telling_when_sent
from crawloop_assets.access.cookies import Jar
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, exchange
from crawloop_assets.access.gate import Gate, Permit
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.waits import arrive
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import Blocked, NotAllowed, Transient

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
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
    """What an attempt did, also when it failed halfway; `asked` are urls that scripts
    of the page asked for."""

    redirects: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    permanent: bool = True
    requests: int = 0
    bytes: int = 0
    waited_s: float = 0.0
    wire_s: float = 0.0


@dataclass(frozen=True)
class Via:
    """How requests go out: the client, headers added on the page's own host, and
    cookies."""

    client: Client
    headers: Mapping[str, str] = field(default_factory=dict)
    jar: Jar = field(default_factory=Jar)


class Walker:
    """Walks from a url to the end of its redirects."""

    def __init__(self, limiter: Limiter, bounds: Bounds):
        """`limiter` gives every hop its turn."""
        self._limiter, self._bounds = limiter, bounds

    def _check_length(self, url: str, trip: Trip) -> None:
        """Blocked, for the url the walk began at, once it has led on too often: a chain
        without end need not come back to a url it was at."""
        most = self._bounds.redirects
        if len(trip.redirects) > most:
            raise Blocked(url, f"redirect: more than {most} hops")

    async def walk(
        self, request: HttpRequest, via: Via, gate: Gate, trip: Trip
    ) -> HttpAnswer:
        """The answer at the end.

        NotAllowed, Transient, or Blocked for a chain that does not end.
        """
        first = request
        seen: set[tuple[str, int]] = set()
        while True:
            permit = await gate(request.sent)
            seen.add((request.sent, len(via.jar)))
            headers = _headers(request, first, permit, via)
            answer = await self._send(
                replace(request, headers=headers), permit, via, trip
            )
            target = _location(answer)
            if target is None:
                return answer
            trip.redirects.append(str(target))
            trip.permanent = trip.permanent and answer.status in PERMANENT
            # Back at a url with nothing new in the jar, the answer will be the same.
            if (target, len(via.jar)) in seen:
                raise Blocked(first.url, f"redirect: loop at {target[:200]}")
            self._check_length(first.url, trip)
            request = _redirected(request, target, answer.status)

    async def _send(
        self, request: HttpRequest, permit: Permit, via: Via, trip: Trip
    ) -> HttpAnswer:
        """One hop, in its turn and within the seconds that are left."""
        left = self._bounds.deadline_s - trip.wire_s
        if left <= 0:
            raise Transient(
                request.url,
                f"network: no complete answer within {self._bounds.deadline_s:g} s",
            )
        async with self._limiter.turn(request.sent.site, permit.pace) as turn:
            trip.waited_s += turn.waited_s
            trip.requests += 1
            arrive("network: the answer", left)
            began = monotonic()
            try:
                with telling_when_sent(turn.sent):
                    answer = await exchange(
                        via.client,
                        request,
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
    request: HttpRequest, first: HttpRequest, permit: Permit, via: Via
) -> dict[str, str]:
    """The headers for one hop.

    Those of the family and the rung may hold secrets: they stay on the page's own host.
    """
    headers = {"user-agent": permit.agent}
    if _is_same_host(first.sent, request.sent):
        headers |= {**request.headers, **via.headers}
    headers |= request.past_caches
    validators = request.validators
    if validators and request.sent == (validators.url or first.sent):
        headers |= validators.headers()
    cookies = (headers.get("cookie"), via.jar.header(request.sent))
    if any(cookies):
        headers["cookie"] = "; ".join(filter(None, cookies))
    return headers


def _is_same_host(first: WebUrl, url: WebUrl) -> bool:
    """On the same host, and not on a connection that anyone can read when the first one
    was not."""
    if first.host != url.host:
        return False
    return first.scheme == "http" or url.scheme == "https"


def _location(answer: HttpAnswer) -> WebUrl | None:
    """Where a redirect leads, absolute and without fragment; None if the answer is no
    redirect."""
    target = answer.headers.get("location", "")
    if answer.status not in _REDIRECTS or not target:
        return None
    try:
        return WebUrl.of(target.strip(), answer.url)
    except NotAllowed as error:
        raise NotAllowed(target[:200], f"redirect: {error.reason}") from error


def _redirected(request: HttpRequest, target: WebUrl, status: int) -> HttpRequest:
    """As browsers do: 307 and 308 repeat the request, the others turn a POST into a
    GET."""
    if status in (307, 308) or request.method == "GET":
        return replace(request, url=target)
    headers = dict(request.headers)
    headers.pop("content-type", None)
    return replace(request, url=target, method="GET", headers=headers, content=None)
