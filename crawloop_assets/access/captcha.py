"""The captcha rung: a hook of the operator's own, refused unless the domain authorizes
it.

None is shipped.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol

from pydantic import TypeAdapter

from crawloop_assets.access.client import Client
from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.gate import Gate
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.waits import within
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.errors import Blocked
from crawloop_assets.family import Domain

# People who solve them by hand take a minute.
_SOLVE_S = 180.0
_Headers = TypeAdapter(dict[str, str] | None)


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
        client: Client,
        hook: CaptchaHook | None,
    ):
        """`hook` is asked where a domain names none of its own; None where there is no
        other."""
        self._walker, self._gate = walker, gate
        self._client, self._hook = client, hook

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: not authorized, or no hook; "" if it can."""
        if not domain.captcha:
            return "captcha: not authorized for this domain"
        return "" if self._solver(domain) else "captcha: no hook is wired"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page asked for with the headers the hook answered; the wall itself if the
        hook knew no answer."""
        wall = await self._walker.walk(job.request, Via(self._client), self._gate, trip)
        challenge = Challenge(wall.url, wall.status, wall.body)
        async with within(_SOLVE_S, wall.url, "captcha: the hook"):
            solved = await self._solved(job.domain, challenge)
        if solved is None:
            return wall
        headers = {name.lower(): value for name, value in solved.items()}
        return await self._walker.walk(
            job.request, Via(self._client, headers), self._gate, trip
        )

    def _solver(self, domain: Domain) -> Callable[[Challenge], Any] | None:
        """What a domain names, else what was handed to the fetcher."""
        return domain.captcha_hook() or (self._hook.solve if self._hook else None)

    async def _solved(
        self, domain: Domain, challenge: Challenge
    ) -> dict[str, str] | None:
        """The answer of the hook, which may be a coroutine or a plain function; Blocked,
        with its error, where it raises or answers with anything else."""
        solver = self._solver(domain)
        assert solver is not None
        try:
            answer = await asyncio.to_thread(solver, challenge)
            answer = await answer if isawaitable(answer) else answer
            return _Headers.validate_python(answer)
        except Exception as error:  # a hook of the operator's may raise anything
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise Blocked(challenge.url, f"captcha: the hook failed: {said}") from error

    async def aclose(self) -> None:
        """The hook is the operator's."""
