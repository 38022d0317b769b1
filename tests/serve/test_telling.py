"""A run that fetches says so, and one that does not get on says nothing."""

import asyncio

import pytest

from crawloop_assets.access.fetcher import Stats
from crawloop_assets.serve.telling import telling_progress

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_what_was_asked_for_is_said_and_silence_means_nothing_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crawloop_assets.serve.telling.EVERY_S", 0.05)
    stats, said = Stats(), list[str]()
    async with telling_progress(stats, said.append):
        await asyncio.sleep(0.2)
        assert said == []
        stats.fetches = 3
        await asyncio.sleep(0.3)
        assert said == ["3 pages were asked for so far"]
    stats.fetches = 4
    await asyncio.sleep(0.2)
    assert len(said) == 1, "it ends with the run"
