"""What a run says while it fetches: as long as it says something, it gets on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from crawloop_assets.access.fetcher import Stats

Say = Callable[[str], None]

EVERY_S = 60.0


@asynccontextmanager
async def telling_progress(stats: Stats, say: Say) -> AsyncIterator[None]:
    """Say once a minute how many pages were asked for, if any was since then."""
    task = asyncio.create_task(_tell(stats, say))
    try:
        yield
    finally:
        task.cancel()


async def _tell(stats: Stats, say: Say) -> None:
    """Until cancelled; in a thread, since what is said is stored."""
    said = 0
    while True:
        await asyncio.sleep(EVERY_S)
        if stats.fetches != said:
            said = stats.fetches
            await asyncio.to_thread(say, f"{said} pages were asked for so far")
