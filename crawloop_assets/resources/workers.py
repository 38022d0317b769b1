"""The sandbox workers as a resource."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

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

    @contextmanager
    def pool(self) -> Iterator[WorkerPool]:
        """A pool for one run; its workers end with it."""
        limits = Limits(
            deadline_s=self.deadline_s,
            memory_mb=self.memory_mb,
            page_bytes=self.page_bytes,
        )
        slow = SlowPages(Project.find().var / "slow_pages.jsonl")
        with WorkerPool(self.size or None, limits, slow=slow) as pool:
            yield pool
