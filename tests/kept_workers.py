"""Workers that outlive their pool.

A process of tests runs the pipeline many times, and starting a worker costs as much as the pages of a small run.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from crawloop_assets.sandbox import pool
from crawloop_assets.sandbox.process import Limits, Worker

HANDLERS = pool.WorkerPool(1)._handlers


class KeptWorkers:
    """Idle workers of closed pools, for the next pool that wants the same kind."""

    def __init__(self) -> None:
        """Keeps nothing yet."""
        self._idle: dict[tuple[str, str], list[Worker]] = defaultdict(list)

    def start(self, limits: Limits, handlers: str, start: Any = None) -> Worker:
        """A kept worker that still lives, or a new one, which does not end with its
        pool; with handlers of a test as the pool itself has it."""
        if handlers != HANDLERS:
            return Worker(limits, handlers, start)
        kept = self._idle[_kind(limits, handlers)]
        while kept:
            worker = kept.pop()
            if worker.alive():
                return worker
            worker.kill()
        return Worker(limits, handlers)

    def take(self, closing: pool.WorkerPool) -> None:
        """Takes what is idle in a pool before it is closed; those with handlers of a test are that test's."""
        if closing._handlers != HANDLERS:
            return
        with closing._lock:
            idle, closing._idle[:] = list(closing._idle), []
            closing._workers.difference_update(idle)
        self._idle[_kind(closing.limits, closing._handlers)] += idle

    def end(self) -> None:
        """Ends all of them."""
        for worker in [worker for kept in self._idle.values() for worker in kept]:
            worker.kill()


@contextmanager
def kept_workers() -> Iterator[None]:
    """While this is open, closed pools leave their idle workers to the next."""
    kept = KeptWorkers()
    close = pool.WorkerPool.close

    def keep(closing: pool.WorkerPool) -> None:
        """Closes a pool without its idle workers."""
        kept.take(closing)
        close(closing)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "Worker", kept.start)
        patch.setattr(pool.WorkerPool, "close", keep)
        yield
    kept.end()


def _kind(limits: Limits, handlers: str) -> tuple[str, str]:
    """What two workers must have in common to stand in for each other."""
    return limits.model_dump_json(), handlers
