"""The proxy rung: a list of proxies, those that fail rest for a while."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

import httpx

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.client import open_client
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest, exchange
from crawloop_assets.access.gate import Gate
from crawloop_assets.access.judge import challenge
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.errors import Blocked, ConfigError, Transient
from crawloop_assets.family import Domain, Domains, ProxyPolicy

AT_MOST = 3
REST_S = 60.0
LONGEST_REST_S = 3_600.0


@dataclass
class Proxy:
    """One proxy.

    `name` is what logs show: a url may hold a password.
    """

    url: str
    name: str
    failures: int = 0
    rests_until: float = 0.0

    def failed(self) -> None:
        """Rest, twice as long each time in a row."""
        self.rests_until = monotonic() + min(
            REST_S * 2.0**self.failures, LONGEST_REST_S
        )
        self.failures += 1

    def worked(self) -> None:
        """Healthy again."""
        self.failures, self.rests_until = 0, 0.0


class Health:
    """All proxies of a run and how they do; what one rung learns of a proxy, the others
    know."""

    def __init__(self) -> None:
        self._proxies: dict[str, Proxy] = {}
        self._turn = 0

    def choose(self, policy: ProxyPolicy) -> list[Proxy]:
        """The next healthy ones, in turn."""
        known = [
            self._proxies.setdefault(url, Proxy(url, name))
            for name, url in listed(policy)
        ]
        healthy = [proxy for proxy in known if proxy.rests_until <= monotonic()]
        self._turn += 1
        start = self._turn % len(healthy) if healthy else 0
        return (healthy[start:] + healthy[:start])[:AT_MOST]


class Proxies:
    """Pages through proxies of the domain, up to three per attempt, each with its own
    connections."""

    def __init__(
        self,
        walker: Walker,
        gate: Gate,
        open_client: Callable[[str], httpx.AsyncClient],
        health: Health,
    ):
        self._walker, self._gate, self._open, self._health = (
            walker,
            gate,
            open_client,
            health,
        )
        self._clients: dict[str, httpx.AsyncClient] = {}

    def missing(self, domain: Domain) -> str:
        return "" if listed(domain.proxies) else "proxy: none in domains.yaml"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        tried = self._health.choose(job.domain.proxies)
        if not tried:
            raise Transient(
                job.ask.url,
                "proxy: all of them rest after failures",
                retry_after=REST_S,
            )
        for left, proxy in reversed(list(enumerate(reversed(tried)))):
            try:
                answer = await self._walker.walk(
                    job.ask, Via(self._client(proxy)), self._gate, trip
                )
            except Transient as error:
                if not error.reason.startswith("network:"):
                    raise
                proxy.failed()
                if not left:
                    raise Transient(
                        job.ask.url, f"{proxy.name}: {error.reason}"
                    ) from error
                continue
            if answer.status in (401, 403, 407, 429) or challenge(answer):
                proxy.failed()
                if left:
                    continue
                raise Blocked(job.ask.url, f"{proxy.name}: status {answer.status}")
            proxy.worked()
            return answer
        raise AssertionError("the last proxy either answers or raises")

    async def aclose(self) -> None:
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    def _client(self, proxy: Proxy) -> httpx.AsyncClient:
        if proxy.url not in self._clients:
            self._clients[proxy.url] = self._open(proxy.url)
        return self._clients[proxy.url]


def listed(policy: ProxyPolicy) -> list[tuple[str, str]]:
    """Name and url of all proxies: the list, the environment's list, then by country.

    ConfigError for no proxy url.
    """
    urls = [*policy.urls]
    if policy.urls_env:
        urls += [
            url.strip()
            for url in os.environ.get(policy.urls_env, "").split(",")
            if url.strip()
        ]
    named = [(f"proxy {number}", url) for number, url in enumerate(urls, 1)]
    for country, of_country in policy.by_country.items():
        named += [
            (f"proxy {country} {number}", url)
            for number, url in enumerate(of_country, 1)
        ]
    for name, url in named:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ConfigError(
                f"{name} is no http(s) url",
                file="domains.yaml",
                field="domains.proxies",
                hint="http://host:port",
            )
    return named


CHECK_S = 15.0


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
    target = f"{domain.scheme}://{domain.host}{f':{domain.port}' if domain.port else ''}/robots.txt"
    began = monotonic()
    async with open_client(Allowlist(domains), url) as client:
        try:
            ask = HttpRequest(
                target, headers={"user-agent": domain.user_agent or domains.user_agent}
            )
            answer = await exchange(
                client, ask, max_bytes=512 * 1024, deadline_s=CHECK_S
            )
            # 407 is the proxy's own word; anything else is the site's.
            works, says = (
                answer.status != 407 and answer.status < 500,
                f"status {answer.status}",
            )
        except Transient as error:
            works, says = False, error.reason
    return Checked(domain.host, name, works, says, monotonic() - began)
