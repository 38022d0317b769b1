"""A page that hangs where nothing else ends it costs itself, and says where it hung."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from crawloop_assets.access.captcha import Challenge
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.access.waits import arrive
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Access, Domain, Domains, Family
from crawloop_assets.page import Verdict
from crawloop_assets.serve.visit import fetch_visits
from crawloop_assets.serve.watchdog import Watchdog
from crawloop_assets.store import FoundUrl, Store
from tests.access.serving import running
from tests.access.site import Site

pytestmark = pytest.mark.anyio
FAMILY = Family.model_validate(
    {"family": "shop/item", "schema": "tests.models:Item", "discover": {}}
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


class Deaf:
    """A hook that answers nothing and does not even end when it is cancelled."""

    def __init__(self) -> None:
        self.freed = asyncio.Event()

    async def solve(self, challenge: Challenge) -> dict[str, str] | None:
        while not self.freed.is_set():
            try:
                await asyncio.wait_for(self.freed.wait(), 3_600)
            except asyncio.CancelledError:
                continue
        return None


async def test_a_page_that_hangs_is_transient_and_names_the_place(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawloop_assets.access.captcha._SOLVE_S", 0.2)
    monkeypatch.setattr("crawloop_assets.serve.watchdog.STILL_S", 0.3)
    monkeypatch.setattr("crawloop_assets.serve.watchdog._CANCEL_S", 0.1)
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    paths = ("/p/0", "/status/403", "/p/4")
    store.add_urls(FAMILY, [FoundUrl(site.url(path)) for path in paths])
    domain = Domain(
        host="127.0.0.1",
        scheme="http",
        port=site.port,
        private=True,
        max_rps=1_000,
        captcha=True,
    )
    hook = Deaf()
    family = FAMILY.model_copy(
        update={"access": Access.model_validate({"ladder": ["plain", "captcha"]})}
    )
    async with Fetcher(
        Domains(domains=(domain,)), tmp_path / "var", captcha=hook
    ) as fetcher:
        urls = store.urls(FAMILY.family, "000001")
        async with asyncio.timeout(10):
            visits = await fetch_visits(family, urls, fetcher, store)
        hook.freed.set()
    verdicts = {visit.url.url: visit.verdict for visit in visits}
    assert verdicts == {
        site.url("/p/0"): Verdict.OK,
        site.url("/status/403"): Verdict.TRANSIENT,
        site.url("/p/4"): Verdict.OK,
    }
    (stuck,) = (one for one in visits if one.verdict is Verdict.TRANSIENT)
    assert "captcha: the hook" in stuck.reason
    assert stuck.reason.startswith("stuck for ")
    assert stuck.fetched is not None, "it counts as a fetch that failed"


async def test_while_one_moves_the_others_may_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crawloop_assets.serve.watchdog.STILL_S", 1.0)

    async def make(name: str) -> str:
        for step in range(16 if name == "busy" else 1):
            arrive(f"step {step}")
            await asyncio.sleep(0.1 if name == "busy" else 1.6)
        return name

    began = monotonic()
    done = await Watchdog(make, lambda name, place, s: f"{name} at {place}").all(
        ["busy", "slow"]
    )
    assert done == ["busy", "slow"]
    assert monotonic() - began < 4
    assert await Watchdog(make, lambda name, place, s: f"{name} at {place}").all(
        ["slow"]
    ) == ["slow at step 0"]


async def test_an_error_ends_the_others() -> None:
    ended: list[str] = []

    async def make(name: str) -> str:
        try:
            await asyncio.sleep(0.1 if name == "wrong" else 60)
            raise ConfigError("a secret is not set")
        finally:
            ended.append(name)

    with pytest.raises(ConfigError):
        await Watchdog(make, lambda name, place, s: name).all(["wrong", "other"])
    assert sorted(ended) == ["other", "wrong"]
