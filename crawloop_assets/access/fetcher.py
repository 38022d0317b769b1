"""The fetcher: one url in, one typed outcome out. What the web does is a verdict, never an exception."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Protocol
from urllib.parse import urlencode

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.client import open_client
from crawloop_assets.access.exchange import Answer, Ask, Validators
from crawloop_assets.access.gate import Gates, site
from crawloop_assets.access.judge import judge
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.retry import Patience, retry_after
from crawloop_assets.access.robots import Robots
from crawloop_assets.access.walk import Bounds, Trip, Via, Walker
from crawloop_assets.errors import Blocked, ConfigError, NotAllowed, Transient
from crawloop_assets.family import Access, Domains, Request, Rung
from crawloop_assets.page import Page, Verdict

ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,application/xml;q=0.9,*/*;q=0.8"
_REQUEST, _ACCESS, _BOUNDS, _PATIENCE = Request(), Access(), Bounds(), Patience()
_RESERVED = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "user-agent"})


@dataclass(frozen=True)
class Fetched:
    """What became of one url.

    `page` is set for `ok` unless `not_modified`. `rule` names what refused a `not_allowed` url. `redirects` are the
    urls redirected to, in order; `permanent_redirect` says that all of them were for good (301, 308). `retry_after_s`
    is when to come back, None if nobody said. `attempts` are requests sent, `bytes` those received on the wire,
    `waited_s` the seconds spent waiting for the host's turn.
    """

    url: str
    verdict: Verdict
    reason: str
    page: Page | None = None
    rule: str = ""
    status: int | None = None
    not_modified: bool = False
    redirects: tuple[str, ...] = ()
    permanent_redirect: bool = False
    retry_after_s: float | None = None
    rung: Rung = Rung.PLAIN
    elapsed_s: float = 0.0
    waited_s: float = 0.0
    attempts: int = 0
    bytes: int = 0
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def final_url(self) -> str:
        """Where the redirects ended."""
        return self.redirects[-1] if self.redirects else self.url


class AccessLog(Protocol):
    """Keeps outcomes; the store implements it."""

    def add(self, outcome: Fetched) -> None:
        """Keep one outcome."""


class Fetcher:
    """Fetches within the allowlist, politely. One per run; an async context manager.

    State that all processes of the machine share (rates, pauses, robots.txt) lies in `var`.
    """

    def __init__(
        self,
        domains: Domains,
        var: Path,
        *,
        outcomes: AccessLog | None = None,
        bounds: Bounds = _BOUNDS,
        patience: Patience = _PATIENCE,
        max_wait_s: float = 120.0,
    ):
        self.allowlist = Allowlist(domains)
        self._outcomes, self._patience, self._max_wait_s = outcomes, patience, max_wait_s
        self._limiter = Limiter(var / "limits", max_wait_s)
        self._gates = Gates(self.allowlist, Robots(var / "robots", self._ask_robots))
        self._walker = Walker(self._limiter, bounds)
        self._client = open_client(self.allowlist)

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()
        self._limiter.close()

    async def fetch(
        self, url: str, request: Request = _REQUEST, *, validators: Validators | None = None, access: Access = _ACCESS
    ) -> Fetched:
        """Fetch one url. ConfigError for a request that cannot be sent; everything else is a verdict."""
        ask = _ask(url, request, validators)
        began = monotonic()
        retries = self._patience.retries if Rung.BACKOFF in access.ladder else 0
        fetched = await self._tries(ask, request.accept, retries)
        fetched = replace(fetched, elapsed_s=monotonic() - began)
        if self._outcomes is not None:
            self._outcomes.add(fetched)
        return fetched

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that robots.txt of the url's site names; none if it is unknown or the site is off the list."""
        try:
            return (await self._gates.rules(url, self.allowlist.origin(url))).sitemaps
        except (NotAllowed, Transient):
            return ()

    async def refusal(self, url: str) -> str:
        """The rule by which a url may not be fetched, "" if it may or robots.txt is not known yet."""
        try:
            await self._gates.page(url)
        except NotAllowed as error:
            return error.reason
        except Transient:
            return ""
        return ""

    async def _tries(self, ask: Ask, accept: tuple[str, ...], retries: int) -> Fetched:
        trip = Trip()
        for tries in range(1, retries + 2):
            fetched = await self._try(ask, accept, trip)
            if fetched.verdict is not Verdict.TRANSIENT or tries > retries:
                break
            wait = fetched.retry_after_s
            if wait is None:
                await asyncio.sleep(self._patience.pause_s(tries))
            elif fetched.status is None or wait > self._max_wait_s:
                return fetched  # told to come back later than a run waits, or by robots.txt or the limiter
            # Else the host asked for a pause, and the limiter keeps it for every request of every process.
        if fetched.status == 429 and fetched.verdict is Verdict.TRANSIENT and retries:
            return replace(fetched, verdict=Verdict.BLOCKED, reason=f"status 429 after {trip.requests} requests")
        return fetched

    async def _try(self, ask: Ask, accept: tuple[str, ...], trip: Trip) -> Fetched:
        """One attempt at the page; `trip` keeps the sums over all attempts."""
        once = Trip()
        try:
            answer = await self._walker.walk(ask, Via(self._client), self._gates.page, once)
            fetched = self._judged(ask, answer, accept, once)
        except NotAllowed as error:
            fetched = Fetched(ask.url, Verdict.NOT_ALLOWED, error.reason, rule=error.reason)
        except Blocked as error:
            fetched = Fetched(ask.url, Verdict.BLOCKED, error.reason)
        except Transient as error:
            fetched = Fetched(ask.url, Verdict.TRANSIENT, error.reason, retry_after_s=error.retry_after)
        trip.requests += once.requests
        trip.bytes += once.bytes
        trip.waited_s += once.waited_s
        return replace(
            fetched,
            redirects=tuple(once.redirects),
            permanent_redirect=bool(once.redirects) and once.permanent,
            attempts=trip.requests,
            bytes=trip.bytes,
            waited_s=trip.waited_s,
        )

    def _judged(self, ask: Ask, answer: Answer, accept: tuple[str, ...], trip: Trip) -> Fetched:
        if answer.status == 304 and ask.validators is not None:
            return Fetched(ask.url, Verdict.OK, "not modified", status=304, not_modified=True)
        verdict, reason = judge(answer, accept)
        wait = retry_after(answer.headers) if verdict is Verdict.TRANSIENT else None
        if wait is not None:
            self._limiter.pause(site(answer.url), wait)
        page = None
        if verdict is Verdict.OK:
            headers = dict(answer.headers)
            page = Page(url=ask.url, final_url=answer.url, status=answer.status, headers=headers, body=answer.body)
        return Fetched(ask.url, verdict, reason, page=page, status=answer.status, retry_after_s=wait)

    async def _ask_robots(self, url: str) -> Answer:
        trip = Trip()
        try:
            return await self._walker.walk(Ask(url), Via(self._client), self._gates.bare, trip)
        except Blocked as error:
            raise Transient(url, error.reason) from error
        except NotAllowed as error:
            if not trip.redirects:
                raise
            raise Transient(url, f"redirected to {trip.redirects[-1][:200]}, {error.reason}") from error


def _ask(url: str, request: Request, validators: Validators | None) -> Ask:
    headers = {"accept": ACCEPT} | {name.lower(): value for name, value in request.headers.items()}
    if wrong := sorted(_RESERVED & headers.keys()):
        raise ConfigError(f"header {wrong[0]!r} cannot be set", field="request.headers")
    if request.cookies:
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in request.cookies.items())
    content = None
    if request.method == "POST":
        kind, content = _content(request)
        headers.setdefault("content-type", kind)
    return Ask(url, request.method, headers, content, validators)


def _content(request: Request) -> tuple[str, bytes]:
    if request.form is not None:
        return "application/x-www-form-urlencoded", urlencode(request.form).encode()
    return "application/json", json.dumps(request.json_body).encode()
