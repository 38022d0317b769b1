"""The one way to run the code of a crawler, in the gauntlet and in production.

Everything goes through fork servers. In bulk several pages share a child, and a few of
them are read again alone, without the others before them: code that says another thing
then is not believed about any page.
"""

import math
import random
from collections.abc import Sequence
from functools import cached_property
from typing import Self

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import CodeJob, CodeRows
from crawloop_assets.sandbox.pool import JobError, WorkerPool
from crawloop_assets.sandbox.process import Limits

_HANDLERS = "crawloop_assets.sandbox.code.handlers"
_LIMITS = Limits(deadline_s=2, long_deadline_s=2, memory_mb=512, forks=True)
_TWIN_SEED = 4242
_AGAIN, _AGAIN_LEAST = 0.05, 1
"""The share of pages that are read again alone, and how many beside them: one page alone
might be the first of its child, of which nothing is told."""

CodeOutcome = CodeRows | JobError
"""What the code returns for a page, or what it ended in."""


class CodeRunner:
    """Runs code on pages.

    Thread-safe. `gated` is false in tests alone.
    """

    def __init__(
        self,
        size: int = 1,
        *,
        limits: Limits = _LIMITS,
        gated: bool = True,
    ):
        """Starts nothing yet."""
        self._gated = gated
        self._pool = WorkerPool(size, limits, handlers=_HANDLERS)
        other = limits.model_copy(update={"hash_seed": _TWIN_SEED})
        self._twin = WorkerPool(1, other, handlers=_HANDLERS)
        self._random = random.SystemRandom()

    @cached_property
    def held_by(self) -> str:
        """All that holds code here, as proved at the start of a server."""
        return self._pool.held_by

    async def read(self, code: str, pages: Sequence[Page]) -> list[CodeOutcome]:
        """What the code returns for each page of a batch."""
        jobs = self._jobs(code, pages)
        read = await self._pool.arun_many(jobs)
        sound = [at for at, one in enumerate(read) if isinstance(one, CodeRows)]
        # The first one is read alone as it is.
        others = sound[1:]
        count = min(len(others), _AGAIN_LEAST + math.ceil(_AGAIN * len(others)))
        for at in sorted(self._random.sample(others, count)):
            alone = await self._pool.arun_many([jobs[at]])
            if alone != [read[at]]:
                return [_not_believed(jobs[at].page.url)] * len(pages)
        return list(read)

    async def prove(self, code: str, pages: Sequence[Page]) -> list[CodeOutcome]:
        """What the code returns for each page alone, twice: in processes with another
        hash seed at another time. Where both differ the page has no answer."""
        jobs = self._jobs(code, pages)
        read: list[CodeOutcome] = []
        for job in jobs:
            (once,) = await self._pool.arun_many([job])
            (again,) = await self._twin.arun_many([job])
            if isinstance(once, CodeRows) and once != again:
                once = CrawlerGarbage(f"two runs differ on {job.page.url}")
            read.append(once)
        return read

    def close(self) -> None:
        """Ends the servers."""
        self._pool.close()
        self._twin.close()

    def __enter__(self) -> Self:
        """Nothing to start: servers are started when first needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the runner, whatever happened inside."""
        self.close()

    def _jobs(self, code: str, pages: Sequence[Page]) -> list[CodeJob]:
        return [CodeJob(code=code, page=page, gated=self._gated) for page in pages]


def _not_believed(url: str) -> CrawlerGarbage:
    """What becomes of all pages of a batch where one says two things."""
    return CrawlerGarbage(
        f"read alone, {url} says another thing than among other pages: the code keeps "
        "something from page to page"
    )
