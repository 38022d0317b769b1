"""Limits of processes that share no folder: what the site saw of three of them."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.access import shared_limits
from crawloop_assets.access.limiter import Limiter, Pace
from crawloop_assets.access.shared_limits import LIMITS, shared_hosts
from crawloop_assets.errors import ConfigError, Transient
from tests.access.site import Site
from tests.broker import running_broker

pytestmark = pytest.mark.anyio
RATE = 20
# Fetches some pages of a site, in a folder of its own.
_CHILD = """
import asyncio, sys
from pathlib import Path
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import Access, Domain, Domains, Rung
from crawloop_assets.page import Verdict

async def main(folder, port, concurrency, rate, *urls):
    domain = Domain.model_validate({"host": "127.0.0.1", "scheme": "http", "port": port, "private": True,
        "robots": "ignore", "robots_reason": "a test", "max_rps": rate, "concurrency": concurrency})
    domains = Domains(user_agent="a test", domains=(domain,))
    async with Fetcher(domains, Path(folder)) as fetcher:
        access = Access(ladder=(Rung.PLAIN,))
        done = await asyncio.gather(*(fetcher.fetch(url, access=access) for url in urls))
    print([one.verdict is Verdict.OK for one in done].count(True))

asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), *sys.argv[5:]))
"""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_broker(tmp_path_factory.mktemp("limits")) as url:
        yield url


@pytest.fixture
def shared(redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMITS, redis)


def limiter(folder: Path, name: str = "a", max_wait_s: float = 20) -> Limiter:
    """One of a machine of its own."""
    return Limiter(folder / name, max_wait_s, shared=shared_hosts())


def fetched_by_three(
    folder: Path, site: Site, concurrency: int, rate: float, paths: list[str]
) -> int:
    """How many pages three processes got, each in a working folder of its own."""
    urls = list(map(site.url, paths))
    children = []
    for number in range(3):
        home = folder / f"machine{number}"
        home.mkdir()
        told = [str(home / "var"), str(site.port), str(concurrency), str(rate)]
        children.append(
            subprocess.Popen(
                [sys.executable, "-c", _CHILD, *told, *urls],
                cwd=home,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    return sum(int(child.communicate(timeout=120)[0]) for child in children)


async def test_a_site_sees_the_rate_of_one_from_three_machines(
    site: Site, tmp_path: Path, shared: None
) -> None:
    paths = [f"/p/0?{number}" for number in range(10)]
    got = await asyncio.to_thread(fetched_by_three, tmp_path, site, 8, RATE, paths)
    assert got == 30
    seen = sorted(hit.at for hit in site.hits())
    assert seen[-1] - seen[0] >= 29 / RATE * 0.95
    # A request that left in time may arrive late, and then the next ones are near it;
    # of three that know nothing of each other ten would take a third of that time.
    tens = zip(seen, seen[9:], strict=False)
    assert min(last - first for first, last in tens) >= 9 / RATE / 2
    assert not list(tmp_path.glob("machine*/var/limits/*")), "no files beside it"


async def test_places_are_those_of_all(tmp_path: Path, shared: None) -> None:
    limiters = [limiter(tmp_path, name) for name in "abc"]
    under_way, most = 0, 0

    async def take(one: Limiter) -> None:
        nonlocal under_way, most
        async with one.turn("places", Pace(2, 0.0)):
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.02)
            under_way -= 1

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for one in limiters * 5:
            group.create_task(take(one))
    assert most == 2


async def test_what_a_killed_machine_held_is_free_after_a_while(
    tmp_path: Path, shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_limits, "LEASE_S", 0.6)
    one, other, pace = limiter(tmp_path), limiter(tmp_path, "b"), Pace(1, 0.0)
    async with one.turn("killed", pace):
        waits = asyncio.create_task(_taken(other, pace))
        await asyncio.sleep(1.5)
        assert not waits.done(), "it is lent on while a request is under way"
        waits.cancel()
    with one._used("killed") as queue:
        dead = shared_limits.SharedHost(queue._redis, "killed")  # type: ignore[attr-defined]
    monkeypatch.setattr(dead, "_lend", lambda place: asyncio.sleep(60))
    async with dead.slot(pace), asyncio.timeout(30):
        await _taken(other, pace)


async def _taken(limiter: Limiter, pace: Pace) -> None:
    async with limiter.turn("killed", pace):
        await asyncio.sleep(0)


async def test_a_pause_is_kept_by_all_and_a_shorter_one_ends_none(
    tmp_path: Path, shared: None
) -> None:
    one, other = limiter(tmp_path), limiter(tmp_path, "b", max_wait_s=5)
    one.pause("paused", 300)
    other.pause("paused", 0.1)
    with pytest.raises(Transient) as caught:
        await _turn(other, "paused")
    assert 290 < (caught.value.retry_after or 0) <= 300
    await _turn(other, "another")


async def test_the_distance_is_kept_from_when_a_request_is_on_the_wire(
    tmp_path: Path, shared: None
) -> None:
    one, other, pace = limiter(tmp_path), limiter(tmp_path, "b"), Pace(4, 0.3)
    async with one.turn("wire", pace) as turn:
        await asyncio.sleep(0.2)  # resolving, connecting
        sent = time.monotonic()
        turn.sent()
        async with other.turn("wire", pace):
            assert time.monotonic() - sent >= 0.3
    one.close()


async def test_nothing_is_asked_for_while_nobody_knows_the_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    with running_broker(tmp_path / "gone") as url:
        monkeypatch.setenv(LIMITS, url)
        one = limiter(tmp_path)
        await _turn(one, "h")
    with pytest.raises(Transient, match="does not answer") as caught:
        await _turn(one, "h")
    assert "a-test" not in str(caught.value), "no password in what is said"


async def test_without_the_extra_it_says_what_to_install(
    shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigError, match="crawloop-assets\\[workers\\]"):
        shared_hosts()


async def test_it_is_asked_for_by_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIMITS, raising=False)
    assert shared_hosts() is None


async def _turn(limiter: Limiter, host: str) -> None:
    async with asyncio.timeout(30), limiter.turn(host, Pace(4, 0.0)):
        await asyncio.sleep(0)
