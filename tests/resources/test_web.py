"""Fetching as a resource: the project's allowlist, and nothing beside it."""

from pathlib import Path

import pytest

from crawloop_assets.page import Verdict
from crawloop_assets.resources import StoreResource, WebResource

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Fetching is asyncio's."""
    return "asyncio"


async def test_a_project_that_allows_nothing_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    async with WebResource().fetcher(StoreResource().open()) as fetcher:
        fetched = await fetcher.fetch("http://127.0.0.1:9/")
    assert fetched.verdict is Verdict.NOT_ALLOWED
