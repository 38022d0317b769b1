"""The workers as a resource: as many and as strong as it says, ended with the block."""

from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.resources import WorkersResource
from crawloop_assets.sandbox import WorkerPool


def test_a_pool_is_as_it_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    told = WorkersResource(size=3, deadline_s=4, memory_mb=500, page_bytes=1_000)
    with told.pool() as pool:
        assert pool.size == 3
        limits = pool.limits
        assert (limits.deadline_s, limits.memory_mb, limits.page_bytes) == (
            4,
            500,
            1_000,
        )
    with pytest.raises(RuntimeError, match="closed"):
        _ = pool.containment


def test_the_steps_of_a_run_share_their_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    seen: list[tuple[WorkerPool, list[int]]] = []

    def look(workers: WorkersResource) -> None:
        with workers.pool() as pool:
            assert pool.containment
            seen.append((pool, [worker.pid for worker in pool._workers]))

    @dg.op
    def first(workers: WorkersResource) -> int:
        look(workers)
        return 1

    @dg.op
    def second(given: int, workers: WorkersResource) -> None:
        look(workers)

    @dg.job(
        executor_def=dg.in_process_executor,
        resource_defs={"workers": WorkersResource(size=2)},
    )
    def both() -> None:
        second(first())

    assert both.execute_in_process().success
    assert both.execute_in_process().success
    (pool, pids), again, (next_pool, _), _ = seen
    assert again == (pool, pids) and len(pids) == 1
    assert next_pool is not pool
    with pytest.raises(RuntimeError, match="closed"):
        _ = pool.held_by
