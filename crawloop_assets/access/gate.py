"""The gate every request passes, each hop of a redirect included: allowlist, then
robots.txt."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.access.limiter import Pace
from crawloop_assets.access.robots import Robots, Rules
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.family import Domain


@dataclass(frozen=True)
class Permit:
    """A url may be asked for, as `agent` and at this pace."""

    url: str
    agent: str
    domain: Domain
    pace: Pace


Gate = Callable[[str], Awaitable[Permit]]


class Gates:
    """`page` is the gate for pages, `robots` the one for robots.txt itself, which no
    path prefix can forbid, and `login` the one for a login the operator wrote down."""

    def __init__(self, allowlist: Allowlist, robots: Robots):
        """`robots` is asked by the gate for pages only."""
        self.allowlist, self._robots = allowlist, robots

    async def page(self, url: str) -> Permit:
        """NotAllowed with the rule; Transient if robots.txt is not known."""
        domain = self.allowlist.check(url)
        if domain.robots == "ignore":
            return self._permit(url, domain)
        rules = await self.rules(url, domain)
        rules.check(url)
        rules.check_delay(url)
        return self._permit(url, domain, rules.interval_s)

    async def login(self, form: str, url: str) -> Permit:
        """NotAllowed unless the url is that of the `form`, or itself listed: a login
        leads nowhere else. The operator wrote it down: robots.txt is not asked."""
        asked, written = WebUrl.of(url), WebUrl.of(form)
        if (asked.origin, asked.path) != (written.origin, written.path):
            self.allowlist.check(asked)
        return self._permit(asked, self.allowlist.origin(asked))

    async def robots(self, url: str) -> Permit:
        """NotAllowed unless the url is a listed site's robots.txt, or itself listed:
        a redirect of one leads nowhere else."""
        if WebUrl.of(url).target != "/robots.txt":
            self.allowlist.check(url)
        return self._permit(url, self.allowlist.origin(url))

    async def rules(self, url: str, domain: Domain) -> Rules:
        """robots.txt of the url's site, as it applies to us."""
        return await self._robots.rules(origin(url), self._agent(domain))

    def _permit(self, url: str, domain: Domain, interval_s: float = 0.0) -> Permit:
        """The permit for a listed url: the slower of the domain's own pace and
        `interval_s` (seconds, what robots.txt asks for)."""
        interval_s = max(1 / domain.max_rps, interval_s)
        return Permit(
            url=url,
            agent=self._agent(domain),
            domain=domain,
            pace=Pace(domain.concurrency, interval_s),
        )

    def _agent(self, domain: Domain) -> str:
        """The user agent of the domain, else the one of all domains."""
        return domain.user_agent or self.allowlist.user_agent


def origin(url: str) -> str:
    """A url's "https://host:port", always with the port. NotAllowed if it is no url to fetch."""
    return WebUrl.of(url).origin


def site(url: str) -> str:
    """A url's "host:port": what requests are counted by."""
    return WebUrl.of(url).site
