"""The captcha rung: a hook of the operator's own, refused unless the domain authorizes
it.

None is shipped.
"""

from dataclasses import dataclass
from typing import Protocol

import httpx

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.gate import Gate
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.waits import within
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.family import Domain

# People who solve them by hand take a minute.
_SOLVE_S = 180.0


@dataclass(frozen=True)
class Challenge:
    """What stands in the way: the url, and the page that came instead."""

    url: str
    status: int
    body: bytes


class CaptchaHook(Protocol):
    """Solves a challenge by means the site's owner agreed to."""

    async def solve(self, challenge: Challenge) -> dict[str, str] | None:
        """Headers (a cookie, a token) with which the page is given, None if it cannot
        be solved."""


class Captcha:
    """Asks the hook, then asks for the page with what it answered."""

    def __init__(
        self,
        walker: Walker,
        gate: Gate,
        client: httpx.AsyncClient,
        hook: CaptchaHook | None,
    ):
        """`hook` is None where the operator wired none: the rung is never climbed
        then."""
        self._walker, self._gate = walker, gate
        self._client, self._hook = client, hook

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: not authorized, or no hook; "" if it can."""
        if not domain.captcha:
            return "captcha: not authorized for this domain"
        return "" if self._hook else "captcha: no hook is wired"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page asked for with the headers the hook answered; the wall itself if the
        hook knew no answer."""
        assert self._hook is not None
        wall = await self._walker.walk(job.request, Via(self._client), self._gate, trip)
        challenge = Challenge(wall.url, wall.status, wall.body)
        async with within(_SOLVE_S, wall.url, "captcha: the hook"):
            solved = await self._hook.solve(challenge)
        if solved is None:
            return wall
        headers = {name.lower(): value for name, value in solved.items()}
        return await self._walker.walk(
            job.request, Via(self._client, headers), self._gate, trip
        )

    async def aclose(self) -> None:
        """The hook is the operator's."""
