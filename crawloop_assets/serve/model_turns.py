"""Questions to a model about the pages of a run: a few at a time, until no more may be
asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from crawloop_assets.errors import (
    CrawlerFault,
    ModelUnavailable,
    NoModelAnswer,
    OverBudget,
    PageTooLarge,
)

_AT_ONCE = 4

_Answer = TypeVar("_Answer")


@dataclass
class ModelTurns:
    """One page without an answer costs that page; `missed` says why, by url. `stopped` says
    why no page is asked about any more: no key, no such model, no budget; "" while some are.
    """

    stopped: str = ""
    missed: dict[str, str] = field(default_factory=dict)
    _turns: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(_AT_ONCE)
    )

    async def ask(
        self, url: str, question: Callable[[], Awaitable[_Answer]]
    ) -> _Answer | None:
        """What the model answers about a page, None if it is not asked or does not."""
        async with self._turns:
            if self.stopped:
                return None
            try:
                return await question()
            except (OverBudget, ModelUnavailable) as error:
                self.stopped = str(error)
            except (CrawlerFault, NoModelAnswer, PageTooLarge) as error:
                self.missed[url] = str(error)
        return None
