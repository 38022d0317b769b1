"""The fetcher: one url in, one typed outcome out.

What the web does is a verdict, never an exception.
"""

import asyncio
import json
import logging
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Protocol
from urllib.parse import urlencode

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.brakes import Brakes, host_of, quotas
from crawloop_assets.access.captcha import Captcha, CaptchaHook
from crawloop_assets.access.chromium.browser import Browser
from crawloop_assets.access.client import Client
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, Validators
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.gate import Gates, site
from crawloop_assets.access.ladder import Ladder
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.login import Login
from crawloop_assets.access.paged import request_for
from crawloop_assets.access.proxies import Health, Proxies
from crawloop_assets.access.rests import RestBook
from crawloop_assets.access.retry import Patience
from crawloop_assets.access.robots import Robots
from crawloop_assets.access.shared_limits import shared_hosts
from crawloop_assets.access.stats import Stats
from crawloop_assets.access.strategies import Bypass, FetchJob, Plain, Strategy
from crawloop_assets.access.waits import within
from crawloop_assets.access.walk import Bounds, Trip, Via, Walker
from crawloop_assets.access.winners import Winners
from crawloop_assets.errors import (
    Blocked,
    ConfigError,
    NotAllowed,
    Retry,
    StoreBusy,
    Transient,
)
from crawloop_assets.family import Access, Domain, Domains, Quota, Request, Rung
from crawloop_assets.page import Verdict
from crawloop_assets.store.models import AccessOutcome

__all__ = [
    "AccessLog",
    "Bounds",
    "CaptchaHook",
    "Fetched",
    "Fetcher",
    "Patience",
    "Stats",
    "Validators",
]

_ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,application/xml;q=0.9,*/*;q=0.8"
_CLOSE_S = 60.0
_FLUSH = 500  # outcomes that are kept before they are stored in one go
_NO_QUOTA = Quota()
_REQUEST, _ACCESS, _BOUNDS, _PATIENCE = Request(), Access(), Bounds(), Patience()
# Headers that the fetcher itself answers for.
_RESERVED = frozenset(
    {
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "accept-encoding",
        "user-agent",
    }
)
_log = logging.getLogger(__name__)


class AccessLog(Protocol):
    """Keeps outcomes; the store implements it."""

    def record_access(self, *outcomes: AccessOutcome) -> None:
        """Keep many at once."""


class Fetcher:
    """Fetches within the allowlist, politely.

    One per run; an async context manager. What all processes of the machine share
    (rates, pauses, robots.txt, which rung a site needs) lies in `var`; rates and pauses
    may lie in a Redis that machines share.
    """

    def __init__(
        self,
        domains: Domains,
        var: Path,
        *,
        outcomes: AccessLog | None = None,
        bounds: Bounds = _BOUNDS,
        patience: Patience = _PATIENCE,
        captcha: CaptchaHook | None = None,
    ):
        """`var` is where limits, robots.txt and winners are kept for all processes;
        without `outcomes` nothing is logged. ConfigError if the domains are wrong."""
        self.allowlist = Allowlist(domains)
        self.stats = Stats()
        self._outcomes = outcomes
        self._pending: list[AccessOutcome] = []
        self.brakes = Brakes(var / "brakes")
        self._quotas = quotas(domains)
        self._limiter = Limiter(
            var / "limits", patience.max_wait_s, self._brake, shared_hosts()
        )
        self._gates = Gates(self.allowlist, Robots(var / "robots", self._ask_robots))
        self._walker = Walker(self._limiter, bounds)
        self._client = Client(self.allowlist)
        self._rests = RestBook(var / "access" / "proxies.rests")
        self._strategies = self._make_strategies(bounds, captcha)
        winners = Winners(var / "access")
        self._ladder = Ladder(self._strategies, winners, self._limiter, patience)

    def _make_strategies(
        self, bounds: Bounds, captcha: CaptchaHook | None
    ) -> dict[Rung, Strategy]:
        """What each rung does; the rungs that use proxies share what they learn of
        them."""
        gate, client, health = self._gates.page, self._client, Health(self._rests)
        return {
            Rung.PLAIN: Plain(self._walker, gate, client),
            Rung.LOGIN: Login(self._walker, self._gates, client),
            Rung.BYPASS: Bypass(self._walker, gate, client),
            Rung.PROXY: Proxies(
                self._walker,
                gate,
                lambda proxy: Client(self.allowlist, proxy),
                health,
            ),
            Rung.BROWSER: Browser(self._gates, self._limiter, bounds, health),
            Rung.STEALTH: Browser(
                self._gates, self._limiter, bounds, health, driver="patchright"
            ),
            Rung.CAPTCHA: Captcha(self._walker, gate, client, captcha),
        }

    async def __aenter__(self) -> "Fetcher":
        """Nothing to open: connections and browsers start when first needed."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes what was opened and stores the outcomes that still wait."""
        closing = [one.aclose() for one in self._strategies.values()]
        for one in (*closing, self._client.aclose()):
            # What cannot be closed ends with the process.
            with suppress(Transient):
                async with within(_CLOSE_S, "", "closing"):
                    await one
        self._limiter.close()
        await self._flush()

    async def fetch(
        self,
        url: str,
        request: Request = _REQUEST,
        *,
        validators: Validators | None = None,
        access: Access = _ACCESS,
        scope: str = "",
        anew: bool = False,
    ) -> Fetched:
        """Fetch one url over the rungs of `access`.

        `scope` is the family's name: rungs are remembered for each. `anew`: by another
        connection than was used before, and past the caches on the way. ConfigError for
        what an operator has to put right (a header that cannot be set, a secret that
        is not); everything the web does is a verdict.
        """
        try:
            job = FetchJob(
                request=_http_request(url, request, validators, anew),
                domain=self.allowlist.check(url),
                access=access,
                accept=request.accept,
                scope=scope,
            )
            tried = await self._ladder.climb(job)
        except NotAllowed as error:
            rule = error.reason
            tried = (Fetched(url, Verdict.NOT_ALLOWED, rule, rule=rule),)
        self.stats.add(tried)
        self._count(tried)
        await self._keep(tried, scope)
        return tried[-1]

    def refuse(
        self,
        fetched: Fetched,
        verdict: Verdict,
        *,
        access: Access = _ACCESS,
        scope: str = "",
    ) -> None:
        """Say that a page fetched as ok is none after all (needs_render, challenge,
        login …).

        From the next fetch on, the site is asked over the rung above the one that gave
        it, if `access` has one.
        """
        key = f"{site(fetched.url)} {scope}"
        self._ladder.refuse(key, access, fetched.rung, verdict)

    def lacks(self, domain: Domain) -> dict[Rung, str]:
        """What each rung lacks to be used for a domain, "" for one that is ready."""
        return {rung: one.missing(domain) for rung, one in self._strategies.items()}

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that robots.txt of the url's site names; none if it is unknown
        or the site is off the list."""
        try:
            rules = await self._gates.rules(url, self.allowlist.origin(url))
            return rules.sitemaps
        except (NotAllowed, Retry):
            return ()

    async def refusal(self, url: str) -> str:
        """The rule by which a url may not be fetched, "" if it may or robots.txt is not
        known yet."""
        try:
            await self._gates.page(url)
        except NotAllowed as error:
            return error.reason
        except Retry:
            return ""
        return ""

    async def _ask_robots(self, url: str) -> HttpAnswer:
        """The answer for a robots.txt; Transient if there is none, also if that is its
        redirect's fault."""
        trip = Trip()
        try:
            return await self._walker.walk(
                HttpRequest(url), Via(self._client), self._gates.robots, trip
            )
        except Blocked as error:
            raise Transient(url, error.reason) from error
        except NotAllowed as error:
            if not trip.redirects:
                raise
            raise Transient(
                url, f"redirected to {trip.redirects[-1][:200]}, {error.reason}"
            ) from error

    def _brake(self, site: str) -> None:
        """Paused or OverQuota for a site ("host:port") of which nothing is asked for
        now."""
        host = host_of(site)
        self.brakes.check(host, self._quotas.get(host, _NO_QUOTA))

    def _count(self, tried: tuple[Fetched, ...]) -> None:
        """Note what a page cost, where its host has a quota."""
        host, page = host_of(_site_of(tried[-1].url)), tried[-1].page
        if host in self._quotas and any(map(attrgetter("attempts"), tried)):
            wire = sum(map(attrgetter("bytes"), tried))
            self.brakes.count(host, 1, wire, len(page.body) if page else 0)

    async def _keep(self, tried: tuple[Fetched, ...], scope: str) -> None:
        """Notes each rung tried; stores them once enough wait."""
        if self._outcomes is None:
            return
        self._pending += [_outcome(fetched, scope) for fetched in tried]
        if len(self._pending) >= _FLUSH:
            await self._flush()

    async def _flush(self) -> None:
        """Stores the outcomes that wait. A store that is busy loses them, with a
        warning: they are a log, and no page may fail for it."""
        pending, self._pending = self._pending, []
        if self._outcomes is None or not pending:
            return
        try:
            await asyncio.to_thread(self._outcomes.record_access, *pending)
        except StoreBusy as error:
            _log.warning("%d access outcomes were not stored: %s", len(pending), error)


def _site_of(url: str) -> str:
    """The site that a url was asked of; "" for a url that is refused as it is written,
    and so was never asked for."""
    try:
        return site(url)
    except NotAllowed:
        return ""


def _outcome(fetched: Fetched, scope: str) -> AccessOutcome:
    """One rung's outcome, as it is stored."""
    reason = ""
    if fetched.verdict is not Verdict.OK:
        reason = fetched.refusal
    return AccessOutcome(
        domain=_site_of(fetched.url),
        rung=fetched.rung.value,
        outcome=fetched.verdict.value,
        url=fetched.url,
        family=scope or None,
        status=fetched.status,
        ms=fetched.elapsed_s * 1_000,
        reason=reason,
    )


def _headers(request: Request) -> dict[str, str]:
    """The headers of a family's request, with names in lower case, and its cookies as
    one of them; ConfigError for a header that is not the family's to say."""
    headers = {"accept": _ACCEPT}
    for name, value in request.headers.items():
        headers[name.lower()] = value
    if reserved := sorted(_RESERVED & headers.keys()):
        raise ConfigError(
            f"header {reserved[0]!r} cannot be set", field="request.headers"
        )
    if request.cookies:
        pairs = [f"{name}={value}" for name, value in request.cookies.items()]
        headers["cookie"] = "; ".join(pairs)
    return headers


def _http_request(
    url: str, request: Request, validators: Validators | None, anew: bool
) -> HttpRequest:
    """A family's request for a url, as it goes over the wire."""
    request = request_for(url, request)
    headers = _headers(request)
    content = None
    if request.method == "POST":
        content_type, content = _content(request)
        headers.setdefault("content-type", content_type)
    return HttpRequest(url, request.method, headers, content, validators, anew)


def _content(request: Request) -> tuple[str, bytes]:
    """Content-type and body of a POST."""
    if request.form is not None:
        return "application/x-www-form-urlencoded", urlencode(request.form).encode()
    return "application/json", json.dumps(request.json_body).encode()
