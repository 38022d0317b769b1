"""The control: a plain client does what the product must not, so that what the witnesses do not see is known."""

import asyncio
import re
import ssl
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import unescape
from http.client import HTTPException
from itertools import filterfalse
from operator import attrgetter
from urllib.parse import urljoin

from ada_url import URL
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from bench.adversary.doors import Plan
from bench.adversary.seen import Record
from bench.adversary.sites import SITES
from bench.adversary.urls import SHOP
from crawloop_assets.access.chromium.launch import find_chromium

CONTROL = "the control"
"""What the time of the control is called in the record."""
_AT_ONCE = 16
_TIMEOUT_S = 1.0
_TABS = 4
_STAY_MS = 700
_LED_TO = re.compile(
    r"""(?:href|action|src|url|content)"?\s*[=:]\s*"(?:0; url=)?([^"]+)"""
    r"""|<loc>([^<]+)|(?:Link: <|; url=)([^>\s]+)""",
    re.IGNORECASE,
)
_LEADS, _IN_BROWSER = re.compile("/shop/l/"), re.compile("/b/")
"""The seeds whose links are followed, and those for a browser."""
_HOME = f"{SITES[SHOP].url}/shop/"


def try_all(plan: Plan, record: Record) -> None:
    """Every trick of every door but the browser's, by a client that knows no rule."""
    record.phase = CONTROL
    client = _Client()
    seeds = [str(seed) for run in plan.runs for seed in run.family["discover"]["seeds"]]
    maps = [f"{_HOME}map/", *map(attrgetter("url"), plan.world.maps)]
    leading = list(filter(_LEADS.search, seeds))
    rest = filterfalse(_LEADS.search, seeds)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(client.try_one, [*rest, *maps[1:]]))
        list(pool.map(client.follow, [*leading, maps[0]]))
    asyncio.run(_show_all(list(filter(_IN_BROWSER.search, seeds))))
    record.phase = "between"


class _Client:
    """Asks for any url, as it is and as browsers read it, and follows every redirect."""

    def __init__(self) -> None:
        """Trusts the authority of the run."""
        context = ssl.create_default_context()
        handler = urllib.request.HTTPSHandler(context=context)
        direct = urllib.request.ProxyHandler({})
        self._opener = urllib.request.build_opener(direct, handler)

    def try_one(self, url: str) -> None:
        """Asks for it in both readings."""
        for reading in dict.fromkeys(_readings(url)):
            self._ask(reading)

    def follow(self, url: str) -> None:
        """Tries whatever a page names."""
        for found in _LED_TO.findall(self._ask(url)):
            self.try_one(unescape("".join(found)))

    def _ask(self, url: str) -> str:
        """Head and body of what came, "" for nothing: the witnesses have seen it."""
        with (
            suppress(OSError, ValueError, HTTPException),
            self._opener.open(url, timeout=_TIMEOUT_S) as answer,
        ):
            body = answer.read(300_000).decode("utf-8", "replace")
            return f"{answer.headers}\n{body}"
        return ""


def _readings(url: str) -> Iterator[str]:
    """A url as it is written, relative to the shop, and as browsers understand it."""
    with suppress(ValueError):
        yield urljoin(_HOME, url)
    with suppress(ValueError):
        yield URL(url, _HOME).href


async def _show_all(urls: Sequence[str]) -> None:
    """Opens pages in a Chromium that nobody watches."""
    if not urls or not find_chromium():
        return
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"], headless=True
        )
        free = asyncio.Semaphore(_TABS)

        async def show(url: str) -> None:
            async with free:
                context = await browser.new_context()
                page = await context.new_page()
                with suppress(PlaywrightError):
                    await page.goto(url, timeout=5_000)
                    await page.wait_for_timeout(_STAY_MS)
                await context.close()

        await asyncio.gather(*map(show, urls))
        await browser.close()
