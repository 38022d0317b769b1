"""The watchdog of a batch: pages that no longer move are given up, each with the place
where it hung."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from time import monotonic
from typing import Generic, TypeVar

from crawloop_assets.access.waits import Stay, arrive, follow

_Url = TypeVar("_Url")
_Done = TypeVar("_Done")

STILL_S = 300.0
"""So long after the last of its waits should have ended nothing of a batch has moved:
none of the bounds that should have ended it did."""

_CANCEL_S = 10.0


@dataclass
class Watchdog(Generic[_Url, _Done]):
    """Makes all pages of a batch together.

    While one of them moves, the others may wait: most wait for their turn. `given_up`
    is told the page that hung, the place, and for how many seconds.
    """

    make: Callable[[_Url], Awaitable[_Done]]
    given_up: Callable[[_Url, str, float], _Done]
    _stays: list[Stay] = field(default_factory=list)

    async def all(self, urls: Sequence[_Url]) -> list[_Done]:
        """What became of each, in order.

        The first error of any is raised, and the others are not made any more.
        """
        self._stays = [Stay() for _ in urls]
        tasks = [
            asyncio.create_task(self._one(url, stay))
            for url, stay in zip(urls, self._stays, strict=True)
        ]
        waiting = set(tasks)
        try:
            while waiting and (left_s := self._left_s()) > 0:
                done, waiting = await asyncio.wait(
                    waiting, timeout=left_s, return_when=asyncio.FIRST_EXCEPTION
                )
                _raise_first(done)
        finally:
            await _end(waiting)
        return [
            self._stuck(url, stay) if task in waiting else task.result()
            for url, stay, task in zip(urls, self._stays, tasks, strict=True)
        ]

    async def _one(self, url: _Url, stay: Stay) -> _Done:
        """One page, followed wherever it is; its end is a move, too."""
        follow(stay)
        done = await self.make(url)
        arrive("its end")
        return done

    def _left_s(self) -> float:
        """Seconds until nothing has moved for too long."""
        now = monotonic()
        return max(map(attrgetter("until"), self._stays), default=now) + STILL_S - now

    def _stuck(self, url: _Url, stay: Stay) -> _Done:
        """What stands for a page that was waited for too long."""
        return self.given_up(url, stay.place, monotonic() - stay.since)


async def _end(tasks: Collection[asyncio.Task[_Done]]) -> None:
    """Cancel tasks; one that does not even end then is left where it is."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCEL_S)


def _raise_first(done: set[asyncio.Task[_Done]]) -> None:
    """The error of one that failed, if any did."""
    for task in done:
        task.result()
