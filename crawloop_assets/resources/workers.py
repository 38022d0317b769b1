"""The sandbox workers as a resource."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg
from pydantic import PrivateAttr

from crawloop_assets.project import Project
from crawloop_assets.sandbox import Limits, WorkerPool
from crawloop_assets.sandbox.slow import SlowPages


class WorkersResource(dg.ConfigurableResource["WorkersResource"]):
    """How many workers parse pages and run crawlers, and what each may use.

    size 0 means one per core.
    """

    size: int = 0
    deadline_s: float = 10.0
    memory_mb: int = 768
    page_bytes: int = 4_000_000
    _of_run: WorkerPool | None = PrivateAttr(None)

    @contextmanager
    def yield_for_execution(
        self, context: dg.InitResourceContext
    ) -> Iterator["WorkersResource"]:
        """Dagster's way to say how long a run takes: a worker that one step has started
        serves the next one as well."""
        with super().yield_for_execution(context) as given, self._made() as pool:
            given._of_run = pool
            yield given

    @contextmanager
    def pool(self) -> Iterator[WorkerPool]:
        """A pool for one step; its workers end with the run, or with the block where
        there is none."""
        if self._of_run is not None:
            yield self._of_run
            return
        with self._made() as pool:
            yield pool

    def _made(self) -> WorkerPool:
        """A pool as it was told, of which nothing is started yet."""
        limits = Limits(
            deadline_s=self.deadline_s,
            memory_mb=self.memory_mb,
            page_bytes=self.page_bytes,
        )
        slow = SlowPages(Project.find().var / "slow_pages.jsonl")
        return WorkerPool(self.size or None, limits, slow=slow)
