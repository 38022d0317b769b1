"""The proxy rung: a list of proxies, those that fail rest for a while."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.client import Client
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, exchange
from crawloop_assets.access.gate import Gate
from crawloop_assets.access.judge import challenge
from crawloop_assets.access.rests import LONGEST_REST_S, Rest, RestBook
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.errors import Blocked, ConfigError, Transient
from crawloop_assets.family import Domain, Domains, ProxyPolicy, ProxyProvider

_MAX_TRIED = 3  # proxies for one attempt
# How long a proxy rests after its first failure, and at most.
REST_S = 60.0
# What a site or the proxy itself answers to one it does not like.
_REFUSALS = frozenset({401, 403, 407, 429})


@dataclass
class Proxy:
    """One proxy.

    `name` is what logs show: a url may hold a password.
    """

    url: str
    name: str
    failures: int = 0
    rests_until: float = 0.0
    tell: Callable[["Proxy"], None] = lambda proxy: None

    def failed(self) -> None:
        """Rest, twice as long each time in a row."""
        rest_s = min(REST_S * 2.0**self.failures, LONGEST_REST_S)
        self.rests_until = monotonic() + rest_s
        self.failures += 1
        self.tell(self)

    def worked(self) -> None:
        """Healthy again."""
        if self.failures:
            self.failures, self.rests_until = 0, 0.0
            self.tell(self)


class Health:
    """All proxies of a run and how they do; what one rung learns of a proxy, the others
    know, and with a `book` later runs, too."""

    def __init__(self, book: RestBook | None = None) -> None:
        """Nothing is known of any proxy yet but what the book says."""
        self._proxies: dict[str, Proxy] = {}
        self._book = book
        self._turn = 0

    def _proxy(self, name: str, url: str) -> Proxy:
        """A proxy of this run, resting if the book says so."""
        if url in self._proxies:
            return self._proxies[url]
        proxy = self._proxies[url] = Proxy(url, name)
        if self._book is not None:
            rest = self._book.of(url)
            proxy.failures = rest.failures
            proxy.rests_until = monotonic() + rest.left_s
            proxy.tell = self._note
        return proxy

    def _note(self, proxy: Proxy) -> None:
        """Write how a proxy does into the book."""
        if self._book is not None:
            left_s = max(0.0, proxy.rests_until - monotonic())
            self._book.note(proxy.url, Rest(proxy.name, proxy.failures, left_s))

    def choose(self, policy: ProxyPolicy, country: str | None = None) -> list[Proxy]:
        """The next healthy ones, in turn."""
        healthy: list[Proxy] = []
        for name, url in listed(policy, country):
            proxy = self._proxy(name, url)
            if proxy.rests_until <= monotonic():
                healthy.append(proxy)
        self._turn += 1
        if not healthy:
            return []
        start = self._turn % len(healthy)
        return (healthy[start:] + healthy[:start])[:_MAX_TRIED]

    def choose_for(self, job: FetchJob) -> list[Proxy]:
        """The next healthy ones for a page, at least one; Transient if all rest, Blocked
        if there is none in the family's country."""
        country = job.access.country
        if not listed(job.domain.proxies, country):
            reason = f"proxy: none in {country} in domains.yaml"
            raise Blocked(job.request.url, reason)
        healthy = self.choose(job.domain.proxies, country)
        if not healthy:
            raise Transient(
                job.request.url,
                "proxy: all of them rest after failures",
                retry_after=REST_S,
            )
        return healthy


class _ProxyFailed(Exception):
    """A proxy did not bring the page; `error` is what to say if no other one does."""

    def __init__(self, error: Transient | Blocked):
        """The message is the reason of `error`."""
        super().__init__(error.reason)
        self.error = error


class Proxies:
    """Pages through proxies of the domain, up to three per attempt, each with its own
    connections."""

    def __init__(
        self,
        walker: Walker,
        gate: Gate,
        open_client: Callable[[str], Client],
        health: Health,
    ):
        """`open_client` makes a client for the url of a proxy."""
        self._walker, self._gate = walker, gate
        self._open, self._health = open_client, health
        self._clients: dict[str, Client] = {}

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: no proxies are configured; "" if some are."""
        return "" if listed(domain.proxies) else "proxy: none in domains.yaml"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page through the first proxy that brings it; if none does, what the last
        one failed with."""
        *others, last = self._health.choose_for(job)
        for proxy in others:
            try:
                return await self._get_through(proxy, job, trip)
            except _ProxyFailed:
                continue
        try:
            return await self._get_through(last, job, trip)
        except _ProxyFailed as failure:
            raise failure.error from failure.__cause__

    async def _get_through(self, proxy: Proxy, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page through one proxy; _ProxyFailed if another one may do better."""
        via = Via(self._client(proxy))
        try:
            answer = await self._walker.walk(job.request, via, self._gate, trip)
        except Transient as error:
            if not error.reason.startswith("network:"):
                raise
            proxy.failed()
            reason = f"{proxy.name}: {error.reason}"
            raise _ProxyFailed(Transient(job.request.url, reason)) from error
        if answer.status in _REFUSALS or challenge(answer):
            proxy.failed()
            reason = f"{proxy.name}: status {answer.status}"
            raise _ProxyFailed(Blocked(job.request.url, reason))
        proxy.worked()
        return answer

    async def aclose(self) -> None:
        """Closes the client of each proxy."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    def _client(self, proxy: Proxy) -> Client:
        """The client of one proxy, opened when first needed."""
        if proxy.url not in self._clients:
            self._clients[proxy.url] = self._open(proxy.url)
        return self._clients[proxy.url]


def listed(policy: ProxyPolicy, country: str | None = None) -> list[tuple[str, str]]:
    """Name and url of all proxies: the list, the environment's list, by country, then
    those of providers. With a country, only those that are there.

    ConfigError for no proxy url.
    """
    named: list[tuple[str, str]] = []
    if country is None:
        urls = [*policy.urls, *_urls_of_environment(policy)]
        named = [(f"proxy {number}", url) for number, url in enumerate(urls, 1)]
    for place, urls_of_country in policy.by_country.items():
        if country in (None, place):
            for number, url in enumerate(urls_of_country, 1):
                named.append((f"proxy {place} {number}", url))
    for number, provider in enumerate(policy.providers, 1):
        named += _sessions(provider, f"provider {number}", country)
    for name, url in named:
        _check_url(name, url)
    return named


def _sessions(
    provider: ProxyProvider, name: str, country: str | None
) -> Iterator[tuple[str, str]]:
    """The sessions of a provider, in one country or in all it can be asked for. Their
    names change with the time, and with them the address that the site sees."""
    template = provider.url or os.environ.get(provider.url_env or "", "")
    places = provider.countries or ("",)
    turn = int(time.time() // (provider.rotate_minutes * 60))
    for place in places:
        if country not in (None, place):
            continue
        for number in range(1, provider.sessions + 1):
            session = f"{turn}x{number}"
            url = template.replace("{country}", place).replace("{session}", session)
            yield f"{name} {place or 'anywhere'} {number}", url


def _urls_of_environment(policy: ProxyPolicy) -> list[str]:
    """The urls of the named variable, split at commas; none if it is not set."""
    if not policy.urls_env:
        return []
    urls = os.environ.get(policy.urls_env, "").split(",")
    return list(filter(None, map(str.strip, urls)))


def _check_url(name: str, url: str) -> None:
    """ConfigError, with the proxy's name, for what is no proxy's url."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"{name} is no http(s) url",
            file="domains.yaml",
            field="domains.proxies",
            hint="http://host:port",
        )


_CHECK_S = 15.0
_CHECK_BYTES = 512 * 1024


@dataclass(frozen=True)
class Checked:
    """What a proxy did when asked for its site's robots.txt.

    `works`: the site answered through it.
    """

    site: str
    proxy: str
    works: bool
    says: str
    seconds: float


async def check(domains: Domains, domain: Domain, name: str, url: str) -> Checked:
    """Ask for a site's robots.txt through one of its proxies; never raises for what the
    web does."""
    port = f":{domain.port}" if domain.port else ""
    request = HttpRequest(
        f"{domain.scheme}://{domain.host}{port}/robots.txt",
        headers={"user-agent": domain.user_agent or domains.user_agent},
    )
    began = monotonic()
    async with Client(Allowlist(domains), url) as client:
        try:
            answer = await exchange(
                client, request, max_bytes=_CHECK_BYTES, deadline_s=_CHECK_S
            )
            # 407 is the proxy's own word; anything else is the site's.
            works = answer.status != 407 and answer.status < 500
            says = f"status {answer.status}"
        except Transient as error:
            works, says = False, error.reason
    return Checked(
        site=domain.host,
        proxy=name,
        works=works,
        says=says,
        seconds=monotonic() - began,
    )
