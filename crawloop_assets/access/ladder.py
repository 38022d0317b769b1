"""The access ladder: rungs tried from the cheapest up, each as often as patience
allows."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.gate import site
from crawloop_assets.access.judge import judge_answer, shell
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.retry import Patience, retry_after
from crawloop_assets.access.strategies import FetchJob, Strategy
from crawloop_assets.access.walk import Trip
from crawloop_assets.access.winners import Winners
from crawloop_assets.errors import Blocked, NotAllowed, Transient
from crawloop_assets.family import Access, Rung
from crawloop_assets.page import Page, Verdict

# What the next rung may do something about.
CLIMB = frozenset(
    {Verdict.BLOCKED, Verdict.CHALLENGE, Verdict.LOGIN, Verdict.NEEDS_RENDER}
)
RENDER = frozenset({Rung.BROWSER, Rung.STEALTH})


class Ladder:
    """Climbs."""

    def __init__(
        self,
        ways: Mapping[Rung, Strategy],
        standings: Winners,
        limiter: Limiter,
        patience: Patience,
    ):
        self._ways, self._standings, self._limiter = ways, standings, limiter
        self._patience = patience

    async def climb(self, job: FetchJob) -> tuple[Fetched, ...]:
        """What each rung tried came to; the last one is the outcome.

        Never empty.
        """
        tried: list[Fetched] = []
        lacking: list[str] = []
        for rung in self._standings.order(job.key, rungs(job.access)):
            if (
                tried
                and tried[-1].verdict is Verdict.NEEDS_RENDER
                and rung not in RENDER
            ):
                continue
            if lack := self._ways[rung].missing(job.domain):
                lacking.append(lack)
                continue
            tried.append(await self._tries(rung, job))
            if tried[-1].verdict not in CLIMB:
                break
        if not tried:
            return (
                Fetched(
                    job.ask.url,
                    Verdict.BLOCKED,
                    f"ladder: no rung can be used ({'; '.join(lacking)})",
                ),
            )
        last = tried[-1]
        if last.verdict is Verdict.OK:
            self._standings.won(
                job.key, _base(last.rung), tried[-2].verdict if len(tried) > 1 else None
            )
        elif last.verdict in CLIMB and lacking:
            tried[-1] = replace(last, reason=f"{last.reason} ({'; '.join(lacking)})")
        return tuple(tried)

    def refuse(self, key: str, access: Access, rung: Rung, verdict: Verdict) -> None:
        """Start above this rung from now on: what it gave was not the page.

        Does nothing at the top.
        """
        known = rungs(access)
        above = known[known.index(_base(rung)) + 1 :] if _base(rung) in known else ()
        if verdict is Verdict.NEEDS_RENDER:
            above = tuple(one for one in above if one in RENDER)
        if above:
            self._standings.won(key, above[0], verdict)

    async def _tries(self, rung: Rung, job: FetchJob) -> Fetched:
        """One rung, again while it fails in ways that pass."""
        retries = self._patience.retries if Rung.BACKOFF in job.access.ladder else 0
        if rung in RENDER:
            retries = min(retries, 1)  # one miss of its deadline is dear enough
        total, began = Trip(), monotonic()
        for tries in range(1, retries + 2):
            fetched = await self._try(rung, job, total)
            if fetched.verdict is not Verdict.TRANSIENT or tries > retries:
                break
            wait = fetched.retry_after_s
            if wait is None:
                await asyncio.sleep(self._patience.pause_s(tries))
            elif fetched.status is None or wait > self._patience.max_wait_s:
                break  # told to come back later than a run waits, or by robots.txt or the limiter
            # Else the host asked for a pause, and the limiter keeps it for every request of every process.
        if fetched.status == 429 and tries > retries > 0:
            fetched = replace(
                fetched,
                verdict=Verdict.BLOCKED,
                reason=f"status 429 after {total.requests} requests",
            )
        kind = Rung.BACKOFF if rung is Rung.PLAIN and tries > 1 else rung
        return replace(fetched, rung=kind, elapsed_s=monotonic() - began)

    def _can_render(self, job: FetchJob) -> bool:
        """A browser is on the ladder and can be started.

        Without one a shell is left to the page checks.
        """
        return any(
            one in RENDER and not self._ways[one].missing(job.domain)
            for one in rungs(job.access)
        )

    async def _try(self, rung: Rung, job: FetchJob, total: Trip) -> Fetched:
        """One attempt; `total` keeps the sums over all attempts."""
        once, url = Trip(), job.ask.url
        try:
            fetched = self._judged(rung, job, await self._ways[rung].get(job, once))
        except NotAllowed as error:
            fetched = Fetched(url, Verdict.NOT_ALLOWED, error.reason, rule=error.reason)
        except Blocked as error:
            fetched = Fetched(url, Verdict.BLOCKED, error.reason)
        except Transient as error:
            fetched = Fetched(
                url, Verdict.TRANSIENT, error.reason, retry_after_s=error.retry_after
            )
        total.requests += once.requests
        total.bytes += once.bytes
        total.waited_s += once.waited_s
        return replace(
            fetched,
            redirects=tuple(once.redirects),
            permanent_redirect=bool(once.redirects) and once.permanent,
            attempts=total.requests,
            bytes=total.bytes,
            waited_s=total.waited_s,
        )

    def _judged(self, rung: Rung, job: FetchJob, answer: HttpAnswer) -> Fetched:
        url = job.ask.url
        if answer.status == 304 and job.ask.validators is not None:
            return Fetched(
                url, Verdict.OK, "not modified", status=304, not_modified=True
            )
        verdict, reason = judge_answer(answer, job.accept)
        if (
            verdict is Verdict.OK
            and rung not in RENDER
            and self._can_render(job)
            and shell(answer)
        ):
            verdict, reason = (
                Verdict.NEEDS_RENDER,
                "shell: nothing is shown until scripts have run",
            )
        wait = retry_after(answer.headers) if verdict is Verdict.TRANSIENT else None
        if wait is not None:
            self._limiter.pause(site(answer.url), wait)
        page = None
        if verdict is Verdict.OK:
            page = Page(
                url=url,
                final_url=answer.url,
                status=answer.status,
                headers=dict(answer.headers),
                body=answer.body,
            )
        moment = page.fetched_at if page else datetime.now(UTC)
        return Fetched(
            url,
            verdict,
            reason,
            page=page,
            status=answer.status,
            retry_after_s=wait,
            fetched_at=moment,
        )


def rungs(access: Access) -> tuple[Rung, ...]:
    """The rungs to climb.

    Back-off is no rung of its own: it is how often each of them is tried.
    """
    climbed = tuple(
        rung for rung in dict.fromkeys(access.ladder) if rung is not Rung.BACKOFF
    )
    if access.render:
        return tuple(rung for rung in climbed if rung in RENDER) or (Rung.BROWSER,)
    return climbed or (Rung.PLAIN,)


def _base(rung: Rung) -> Rung:
    return Rung.PLAIN if rung is Rung.BACKOFF else rung
