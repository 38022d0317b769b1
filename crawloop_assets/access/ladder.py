"""The access ladder: rungs tried from the cheapest up, each as often as patience
allows."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.gate import site
from crawloop_assets.access.judge import judge_answer, shell
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.login import leads_to_form
from crawloop_assets.access.retry import Patience, retry_after
from crawloop_assets.access.strategies import FetchJob, Strategy
from crawloop_assets.access.waits import arrive
from crawloop_assets.access.walk import Trip
from crawloop_assets.access.winners import Winners
from crawloop_assets.errors import (
    Blocked,
    NotAllowed,
    OverQuota,
    Paused,
    Transient,
)
from crawloop_assets.family import Access, Rung
from crawloop_assets.page import Page, Verdict

# What the next rung may do something about.
_CLIMB = frozenset(
    {Verdict.BLOCKED, Verdict.CHALLENGE, Verdict.LOGIN, Verdict.NEEDS_RENDER}
)
_HELD_BACK = {Paused: Verdict.PAUSED, OverQuota: Verdict.OVER_QUOTA}
_RENDER = frozenset({Rung.BROWSER, Rung.STEALTH})
# The rungs that can get a page, and the one to climb where the ladder names none of them.
_RENDERED = _RENDER, Rung.BROWSER
_ANY_PAGE = frozenset(Rung) - {Rung.BACKOFF}, Rung.PLAIN


class Ladder:
    """Climbs from the rung that won before, or the cheapest."""

    def __init__(
        self,
        strategies: Mapping[Rung, Strategy],
        winners: Winners,
        limiter: Limiter,
        patience: Patience,
    ):
        """`strategies` has one for each rung but BACKOFF, which waits and uses
        PLAIN's."""
        self._strategies, self._winners = strategies, winners
        self._limiter, self._patience = limiter, patience

    async def climb(self, job: FetchJob) -> tuple[Fetched, ...]:
        """What each rung tried came to; the last one is the outcome.

        Never empty.
        """
        tried: list[Fetched] = []
        lacking: list[str] = []
        for rung in self._winners.order(job.key, rungs(job.access)):
            if _is_useless(rung, tried):
                continue
            if lack := self._strategies[rung].missing(job.domain):
                lacking.append(lack)
                continue
            tried.append(await self._repeat(rung, job))
            if tried[-1].verdict not in _CLIMB:
                break
        return self._outcome(job, tried, "; ".join(lacking))

    def _outcome(
        self, job: FetchJob, tried: Sequence[Fetched], lacks: str
    ) -> tuple[Fetched, ...]:
        """What the rungs that were tried come to. The one that won is remembered; where
        none did, the reason names what the others lack to be tried."""
        if not tried:
            reason = f"ladder: no rung can be used ({lacks})"
            return (Fetched(job.request.url, Verdict.BLOCKED, reason),)
        last = tried[-1]
        if last.verdict is Verdict.OK:
            below = tried[-2].verdict if len(tried) > 1 else None
            self._winners.won(job.key, _base(last.rung), below)
        elif last.verdict in _CLIMB and lacks:
            last = replace(last, reason=f"{last.reason} ({lacks})")
        return (*tried[:-1], last)

    def refuse(self, key: str, access: Access, rung: Rung, verdict: Verdict) -> None:
        """Start above this rung from now on: what it gave was not the page.

        Does nothing at the top.
        """
        climbed = rungs(access)
        if _base(rung) not in climbed:
            return
        for above in climbed[climbed.index(_base(rung)) + 1 :]:
            if verdict is not Verdict.NEEDS_RENDER or above in _RENDER:
                self._winners.won(key, above, verdict)
                return

    async def _repeat(self, rung: Rung, job: FetchJob) -> Fetched:
        """One rung, again while it fails in a manner that passes."""
        retries = self._retries(rung, job.access)
        total, began = Trip(), monotonic()
        for tries in range(1, retries + 2):
            fetched = await self._try(rung, job, total)
            if tries > retries or not self._may_pass(fetched):
                break
            # Where the host asked for a pause, the limiter keeps it for every request
            # of every process.
            if fetched.retry_after_s is None:
                pause_s = self._patience.pause_s(tries)
                arrive("ladder: the pause before the next try", pause_s)
                await asyncio.sleep(pause_s)
        if fetched.status == 429 and tries > retries > 0:
            fetched = _turned_away(fetched, total.requests)
        if rung is Rung.PLAIN and tries > 1:
            rung = Rung.BACKOFF
        return replace(fetched, rung=rung, elapsed_s=monotonic() - began)

    def _retries(self, rung: Rung, access: Access) -> int:
        """How often a rung may be tried again."""
        if Rung.BACKOFF not in access.ladder:
            return 0
        if rung in _RENDER:
            # One miss of a browser's deadline is dear enough.
            return min(self._patience.retries, 1)
        return self._patience.retries

    def _may_pass(self, fetched: Fetched) -> bool:
        """True if the same attempt may work within the time that a run waits."""
        if fetched.verdict is not Verdict.TRANSIENT:
            return False
        if fetched.retry_after_s is None:
            return True
        # Without a status it was robots.txt or the limiter that named a time.
        if fetched.status is None:
            return False
        return fetched.retry_after_s <= self._patience.max_wait_s

    def _can_render(self, job: FetchJob) -> bool:
        """A browser is on the ladder and can be started.

        Without one a shell is left to the page checks.
        """
        browsers = list(filter(_RENDER.__contains__, rungs(job.access)))
        return not all(self._strategies[rung].missing(job.domain) for rung in browsers)

    async def _try(self, rung: Rung, job: FetchJob, total: Trip) -> Fetched:
        """One attempt; `total` keeps the sums over all attempts."""
        once, url = Trip(), job.request.url
        try:
            answer = await self._strategies[rung].get(job, once)
            fetched = self._judged(rung, job, answer)
        except NotAllowed as error:
            fetched = Fetched(url, Verdict.NOT_ALLOWED, error.reason, rule=error.reason)
        except Blocked as error:
            fetched = Fetched(url, Verdict.BLOCKED, error.reason)
        except (Paused, OverQuota) as error:
            fetched = Fetched(url, _HELD_BACK[type(error)], error.reason)
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
            asked=tuple(dict.fromkeys(once.asked)),
            permanent_redirect=bool(once.redirects) and once.permanent,
            attempts=total.requests,
            bytes=total.bytes,
            waited_s=total.waited_s,
        )

    def _judged(self, rung: Rung, job: FetchJob, answer: HttpAnswer) -> Fetched:
        """What an answer is; a pause it asks for is kept from here on."""
        url = job.request.url
        if answer.status == 304 and job.request.validators is not None:
            return Fetched(
                url, Verdict.OK, "not modified", status=304, not_modified=True
            )
        verdict, reason = judge_answer(answer, job.accept)
        if verdict is Verdict.TRANSIENT:
            return self._put_off(url, reason, answer)
        if verdict is not Verdict.OK:
            return Fetched(url, verdict, reason, status=answer.status)
        if leads_to_form(job.domain.login, url, answer.url):
            reason = f"login: led to {answer.url}"
            return Fetched(url, Verdict.LOGIN, reason, status=answer.status)
        if self._needs_render(rung, job, answer):
            reason = "shell: nothing is shown until scripts have run"
            return Fetched(url, Verdict.NEEDS_RENDER, reason, status=answer.status)
        return _with_page(url, reason, answer)

    def _put_off(self, url: str, reason: str, answer: HttpAnswer) -> Fetched:
        """An answer that will pass. Where it names a pause, the limiter keeps it for
        every request to the site that answered."""
        wait_s = retry_after(answer.headers)
        if wait_s is not None:
            self._limiter.pause(site(answer.url), wait_s)
        return Fetched(
            url, Verdict.TRANSIENT, reason, status=answer.status, retry_after_s=wait_s
        )

    def _needs_render(self, rung: Rung, job: FetchJob, answer: HttpAnswer) -> bool:
        """True for a shell that a browser of this ladder could fill."""
        if rung in _RENDER or not self._can_render(job):
            return False
        return shell(answer)


def _with_page(url: str, reason: str, answer: HttpAnswer) -> Fetched:
    """An answer that is the wanted page, with the page in it."""
    page = Page(
        url=url,
        final_url=answer.url,
        status=answer.status,
        headers=dict(answer.headers),
        body=answer.body,
    )
    return Fetched(
        url,
        Verdict.OK,
        reason,
        page=page,
        status=answer.status,
        fetched_at=page.fetched_at,
    )


def _turned_away(fetched: Fetched, requests: int) -> Fetched:
    """A host that says "too many requests" to the last of several attempts: no more
    waiting helps, so it counts as blocked and the next rung is tried."""
    reason = f"status 429 after {requests} requests"
    return replace(fetched, verdict=Verdict.BLOCKED, reason=reason)


def _is_useless(rung: Rung, tried: Sequence[Fetched]) -> bool:
    """True for a rung that runs no scripts, for a page that is nothing without."""
    if not tried or rung in _RENDER:
        return False
    return tried[-1].verdict is Verdict.NEEDS_RENDER


def rungs(access: Access) -> tuple[Rung, ...]:
    """The rungs to climb.

    Back-off is no rung of its own: it is how often each of them is tried.
    """
    usable, cheapest = _RENDERED if access.render else _ANY_PAGE
    climbed = filter(usable.__contains__, dict.fromkeys(access.ladder))
    return tuple(climbed) or (cheapest,)


def _base(rung: Rung) -> Rung:
    """The rung whose strategy serves this one: backing off is plain, only later."""
    return Rung.PLAIN if rung is Rung.BACKOFF else rung
