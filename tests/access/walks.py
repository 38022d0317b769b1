"""A walker over the nuisance site, and gates that let it in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.client import Client
from crawloop_assets.access.exchange import HttpRequest
from crawloop_assets.access.gate import Gates
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.robots import Robots
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.walk import Bounds, Via, Walker
from crawloop_assets.family import Access, Domain, Domains
from tests.access.site import Site

AGENT = "walker/1.0"


@dataclass
class Walk:
    """Everything a strategy is made of."""

    walker: Walker
    gates: Gates
    client: Client
    domain: Domain
    allowlist: Allowlist
    limiter: Limiter

    def job(self, url: str, **request: Any) -> FetchJob:
        return FetchJob(HttpRequest(url, **request), self.domain, Access())

    def via(self, **more: Any) -> Via:
        return Via(self.client, **more)


@asynccontextmanager
async def walking(
    site: Site, folder: Path, bounds: Bounds | None = None, **domain: Any
) -> AsyncIterator[Walk]:
    """A walk over host 0 of the site, and host 1; robots.txt is not asked for."""
    entry = {
        "scheme": "http",
        "port": site.port,
        "private": True,
        "max_rps": 2_000,
        "robots": "ignore",
        "robots_reason": "a test",
    } | domain
    hosts = ("127.0.0.1", "127.0.0.2")
    domains = tuple(Domain.model_validate({"host": host} | entry) for host in hosts)
    allowlist = Allowlist(Domains(user_agent=AGENT, domains=domains), {})
    limiter = Limiter(folder / "limits")
    async with Client(allowlist) as client:

        async def no_robots(url: str) -> Any:
            raise AssertionError(f"{url} was asked for")

        gates = Gates(allowlist, Robots(folder / "robots", no_robots))
        walker = Walker(limiter, bounds or Bounds())
        yield Walk(walker, gates, client, domains[0], allowlist, limiter)
    limiter.close()
