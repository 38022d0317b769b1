"""Pictures of stored pages: no script of theirs runs, and nothing is asked for."""

import asyncio
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from crawloop_assets.access.chromium.launch import Chromium, find_chromium, has_driver

PICTURES = "CRAWLOOP_PICTURES"
"""`no` in the environment leaves them out."""
_DRIVER = "playwright"
_NOWHERE = "127.0.0.1:9"
"""What Chromium may connect to: nobody listens there."""
_DEADLINE_S = 30.0
_SIZE = {"width": 1100, "height": 1300}
_QUALITY = 55
_LEADS_AWAY = re.compile(r"http-equiv[\s=\"']{1,12}refresh", re.I)
"""A document that leads to another one would be gone before it is seen."""


def pictures_of(pages: Sequence[str]) -> list[bytes]:
    """Each document as it looks without its scripts and whatever it would load, as
    JPEG; none where there is no Chromium, or where it does not show them in time."""
    if pages and are_taken():
        # A report without pictures is better than none, whatever the browser says.
        with suppress(Exception), ThreadPoolExecutor(1) as own:
            # The caller may be inside of a loop of its own.
            return own.submit(asyncio.run, _in_time(pages)).result()
    return []


def are_taken() -> bool:
    """Whether pictures are wanted, and there is a browser that takes them."""
    is_wanted = os.environ.get(PICTURES) != "no"
    return is_wanted and has_driver(_DRIVER) and bool(find_chromium())


async def _in_time(pages: Sequence[str]) -> list[bytes]:
    """TimeoutError if it takes too long."""
    return await asyncio.wait_for(_pictures(pages), _DEADLINE_S)


async def _pictures(pages: Sequence[str]) -> list[bytes]:
    """In one browser, which is gone afterwards."""
    chromium = await Chromium.start(_DRIVER, _NOWHERE, "")
    try:
        return [await _picture(chromium.browser, page) for page in pages]
    finally:
        await chromium.close()


async def _picture(browser: Any, page: str) -> bytes:
    """One document, in a context of its own."""
    context = await browser.new_context(
        java_script_enabled=False,
        offline=True,
        accept_downloads=False,
        service_workers="block",
        viewport=_SIZE,
    )
    try:
        await context.route("**/*", _refuse)
        tab = await context.new_page()
        await tab.set_content(_LEADS_AWAY.sub("data-was", page), wait_until="load")
        taken: bytes = await tab.screenshot(type="jpeg", quality=_QUALITY)
        return taken
    finally:
        await context.close()


async def _refuse(route: Any) -> None:
    """Whatever a document asks for."""
    await route.abort()
