"""The workers as a resource: as many and as strong as it says, ended with the block."""

from pathlib import Path

import pytest

from crawloop_assets.resources import WorkersResource


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
