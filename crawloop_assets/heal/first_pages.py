"""The pages that a first version is made of, asked for side by side: one that answers
late, or never, keeps no version waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from crawloop_assets.page import Page

LATE_S = 10.0
"""How long nothing more may come before what has come is enough."""


async def first_pages(
    urls: Sequence[str],
    page_of: Callable[[str], Awaitable[Page | None]],
    needed: Collection[str],
    enough: int,
) -> list[Page]:
    """The pages of urls in their order, without those that there are none of.

    All of the `needed` ones are waited for. Of the others those are left out that have
    not come when `enough` have, and nothing more does.
    """
    tasks = {url: asyncio.ensure_future(page_of(url)) for url in urls}
    waiting = set(tasks.values())
    come = True
    while waiting and (come or not _are_enough(tasks, needed, enough)):
        done, waiting = await asyncio.wait(
            waiting, timeout=LATE_S, return_when=asyncio.FIRST_COMPLETED
        )
        come = bool(done)
    for late in waiting:
        late.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    pages = [task.result() for task in tasks.values() if task not in waiting]
    return [page for page in pages if page is not None]


def _are_enough(
    tasks: Mapping[str, asyncio.Future[Page | None]],
    needed: Collection[str],
    enough: int,
) -> bool:
    """Whether a version can be made of what has come by now."""
    done = {url: task for url, task in tasks.items() if task.done()}
    pages = sum(not one.exception() and bool(one.result()) for one in done.values())
    return pages >= enough and done.keys() >= set(needed)
