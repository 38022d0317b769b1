"""The browser rung: a page as a visitor sees it, with nothing asked for that the
allowlist does not permit."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import Any

from crawloop_assets.access.chromium.launch import (
    CLOSE_S,
    Chromium,
    find_chromium,
    has_driver,
)
from crawloop_assets.access.chromium.screen import Errors, Screen, without_ours
from crawloop_assets.access.chromium.tunnel import Tunnel
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest
from crawloop_assets.access.gate import Gates, Permit
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.proxies import Health, Proxy, listed
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.waits import arrive
from crawloop_assets.access.walk import PERMANENT, Bounds, Trip
from crawloop_assets.errors import Blocked, ConfigError, Transient
from crawloop_assets.family import BrowserOptions as Options
from crawloop_assets.family import Domain, Rung

_CONCURRENT_PAGES = 2
PAGES_PER_BROWSER = 200
_BROWSERS = 2
"""That are tried for a window, where the first is found to have crashed."""
_HTML = ("text/html", "application/xhtml+xml", "")
_SCROLLED = "async () => { window.scrollTo(0, document.documentElement.scrollHeight); }"
_HEIGHT = "() => document.documentElement.scrollHeight"
# Headers that say nothing of a page as rendered.
_DROPPED = frozenset(
    {
        "content-encoding",
        "content-length",
        "transfer-encoding",
        "set-cookie",
        "etag",
        "last-modified",
    }
)


class Browser:
    """Renders pages in one Chromium, two at a time, each in a context of its own;
    started when first needed.

    A browser that crashed is replaced by the next page, and each is replaced after 200
    pages: they grow with age.
    """

    def __init__(
        self,
        gates: Gates,
        limiter: Limiter,
        bounds: Bounds,
        proxies: Health,
        driver: str = "playwright",
    ):
        """`driver` is the package that drives Chromium: playwright or patchright."""
        self._gates, self._limiter, self._bounds = gates, limiter, bounds
        self._proxies, self._driver = proxies, driver
        self._tunnel = Tunnel(gates.allowlist)
        self._places = asyncio.Semaphore(_CONCURRENT_PAGES)
        self._starting = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._chromium: Chromium | None = None
        self._open = 0
        self._broken = ""

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: no driver, no Chromium, or one that would not
        start; "" if it can."""
        if not has_driver(self._driver):
            return f"browser: {self._driver} is not installed"
        return self._broken or ("" if find_chromium() else "browser: no Chromium found")

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page as rendered.

        Its body is UTF-8; `Transient` for a crash or a missed deadline.
        """
        request = job.request
        if request.method != "GET":
            raise Blocked(request.url, f"browser: cannot send a {request.method}")
        permit = await self._gates.page(request.sent)
        options = job.access.browser
        self._tunnel.through(request.sent.site, self._proxy(job))
        arrive("browser: the queue for a window")
        async with (
            self._places,
            self._limiter.turn(request.sent.site, permit.pace) as turn,
        ):
            trip.waited_s += turn.waited_s
            trip.requests += 1
            arrive("browser: the page", options.deadline.total_seconds())
            try:
                async with (
                    asyncio.timeout(options.deadline.total_seconds()),
                    self._context(options, permit) as context,
                ):
                    turn.sent()
                    return await self._visit(context, request, options, trip)
            except TimeoutError as error:
                seconds = options.deadline.total_seconds()
                raise Transient(
                    request.url, f"browser: not shown within {seconds:g} s"
                ) from error

    def _proxy(self, job: FetchJob) -> Proxy | None:
        """A family that may use proxies is shown to its site through one of them here
        too."""
        if Rung.PROXY not in job.access.ladder or not listed(job.domain.proxies):
            return None
        return self._proxies.choose_for(job)[0]

    async def aclose(self) -> None:
        """Ends Chromium, its driver and the tunnel; the next page would start them
        again."""
        async with self._starting:
            if self._chromium is not None:
                await self._chromium.close()
                self._chromium = None
            await self._stack.aclose()
            self._tunnel.address = ""

    async def _visit(
        self, context: Any, request: HttpRequest, options: Options, trip: Trip
    ) -> HttpAnswer:
        """Opens the page, waits until it has settled, and gives what it became. What
        the screen refused counts more than what Chromium makes of it."""
        errors = _errors(self._driver)
        screen = Screen(
            self._gates,
            request,
            media=options.media,
            errors=errors,
            bounds=self._bounds,
        )
        try:
            page = await context.new_page()
            await screen.watch(page, self._tunnel.ticket)
            response = await page.goto(
                request.url, wait_until="domcontentloaded", timeout=0
            )
            await _settle(page, options, errors)
            if screen.refused is not None:
                raise screen.refused
            if response is None:
                raise Transient(request.url, "browser: no answer")
            await _note_hops(page, response, trip)
            answer = await self._answer(page, response)
            trip.asked += screen.asked
        except errors as error:
            raise screen.explain(error) from error
        trip.bytes += len(answer.body)
        return answer

    async def _answer(self, page: Any, response: Any) -> HttpAnswer:
        """The page as rendered, as UTF-8, if it is HTML, else the bytes that came; no
        body if that is over the cap."""
        headers = without_ours(await response.all_headers())
        for name in _DROPPED:
            headers.pop(name, None)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in _HTML:
            body = (await page.content()).encode("utf-8", "replace")
            headers["content-type"] = "text/html; charset=utf-8"
        else:
            body = await response.body()
        too_large = len(body) > self._bounds.max_bytes
        return HttpAnswer(
            page.url,
            response.status,
            headers,
            body=b"" if too_large else body,
            too_large=too_large,
        )

    @asynccontextmanager
    async def _context(self, options: Options, permit: Permit) -> AsyncIterator[Any]:
        """A window of its own: no cookie, cache or worker of another page."""
        chromium, context = await self._window(options, permit)
        try:
            yield context
        finally:
            self._open -= 1
            errors = _errors(self._driver)
            try:
                await asyncio.wait_for(asyncio.shield(context.close()), CLOSE_S)
            except errors + (TimeoutError,):  # noqa: RUF005
                # A page that cannot be closed holds a process: all of it has to go.
                await self._drop(chromium)

    async def _window(self, options: Options, permit: Permit) -> tuple[Chromium, Any]:
        """A browser, and a window of it that counts as open. One that crashed since
        somebody looked is replaced once: nothing was asked of the site yet."""
        said: Exception = Transient(permit.url, "browser: none is there")
        for _ in range(_BROWSERS):
            chromium = await self._running(permit.url)
            self._open += 1
            try:
                return chromium, await chromium.browser.new_context(
                    user_agent=permit.agent,
                    viewport={"width": options.width, "height": options.height},
                    accept_downloads=False,
                    service_workers="block",
                )
            except _errors(self._driver) as error:
                self._open -= 1
                said = error
                if chromium.alive:
                    break
        raise Transient(permit.url, f"browser: {said}"[:300]) from said

    async def _running(self, url: str) -> Chromium:
        """The browser, started if need be.

        Blocked if it cannot be; nobody tries again then.
        """

        async with self._starting:
            old = self._chromium
            if old is not None and self._is_spent(old):
                self._chromium = None
                await old.close()
            if self._chromium is None:
                self._chromium = await self._started(url)
            self._chromium.pages += 1
            return self._chromium

    async def _started(self, url: str) -> Chromium:
        """A new browser behind the tunnel, which is opened for the first one. If it cannot
        be started, Blocked, and from then on the rung counts as missing."""
        if not self._tunnel.address:
            await self._stack.enter_async_context(self._tunnel)
        try:
            return await Chromium.start(
                self._driver, self._tunnel.address, self._tunnel.seal.pin
            )
        except ConfigError as error:
            self._broken = f"browser: {error}"
            raise Blocked(url, self._broken) from error

    def _is_spent(self, chromium: Chromium) -> bool:
        """True for a browser that crashed, or is old and shows no page just now."""
        if not chromium.alive:
            return True
        return chromium.pages >= PAGES_PER_BROWSER and not self._open

    async def _drop(self, chromium: Chromium) -> None:
        """Ends a Chromium that broke, unless another took its place already."""
        async with self._starting:
            if self._chromium is chromium:
                self._chromium = None
        await chromium.close()


async def _is_for_good(request: Any) -> bool:
    """Whether a request was answered with a redirect that will stay; one of which the
    browser has kept no answer is not taken for one."""
    answer = await request.response()
    return answer is not None and answer.status in PERMANENT


async def _note_hops(page: Any, response: Any, trip: Trip) -> None:
    """The redirects that led to a page: those of the server, then where its scripts
    went."""
    chain, request = [], response.request
    while request.redirected_from is not None:
        chain.append(request.url)
        request = request.redirected_from
        trip.permanent = trip.permanent and await _is_for_good(request)
    trip.redirects += reversed(chain)
    if page.url.partition("#")[0] != response.url.partition("#")[0]:
        trip.redirects.append(page.url)
        trip.permanent = False


async def _settle(page: Any, options: Options, errors: Errors) -> None:
    """Wait for what the family waits for; then scroll until nothing is added."""
    await _quiet(page, options, errors)
    if options.wait_for:
        await page.wait_for_selector(options.wait_for, state="attached", timeout=0)
    for _ in range(options.scroll):
        before = await page.evaluate(_HEIGHT)
        await page.evaluate(_SCROLLED)
        await page.wait_for_timeout(options.settle.total_seconds() * 1_000)
        await _quiet(page, options, errors)
        if await page.evaluate(_HEIGHT) == before:
            break


async def _quiet(page: Any, options: Options, errors: Errors) -> None:
    """Until no request was under way for half a second; a page that never stops asking
    is taken as it is."""
    try:
        await page.wait_for_load_state(
            "networkidle", timeout=max(500, options.settle.total_seconds() * 10_000)
        )
    except errors as error:
        if type(error).__name__ != "TimeoutError":
            raise


def _errors(driver: str) -> Errors:
    """What the driver raises, for an `except`; it is imported only here."""
    return (import_module(f"{driver}.async_api").Error,)
