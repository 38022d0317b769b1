"""A pause stops a site at once, also for runs under way; a quota ends at midnight."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.access import brakes
from crawloop_assets.access.brakes import EVERYTHING, Brakes, DayUse, host_of, quotas
from crawloop_assets.errors import OverQuota, Paused
from crawloop_assets.family import Domain, Domains, Quota
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site

pytestmark = pytest.mark.anyio
NONE = Quota()


def test_a_pause_holds_until_it_is_resumed_in_all_processes(tmp_path: Path) -> None:
    one, other = Brakes(tmp_path), Brakes(tmp_path)
    other.check("a.test", NONE)
    one.pause("a.test", "ann", "they asked us to")
    with pytest.raises(Paused, match=r"paused since .* by ann: they asked us to"):
        other.check("a.test", NONE)
    other.check("b.test", NONE)
    assert other.resume("a.test") and not other.resume("a.test")
    one.check("a.test", NONE)


def test_everything_is_paused_and_resumed_together(tmp_path: Path) -> None:
    brake = Brakes(tmp_path)
    brake.pause("a.test")
    brake.pause(EVERYTHING)
    with pytest.raises(Paused):
        brake.check("b.test", NONE)
    assert [pause.host for pause in brake.pauses()] == [EVERYTHING, "a.test"]
    assert brake.resume(EVERYTHING)
    brake.check("a.test", NONE)
    assert brake.pauses() == []


def test_a_damaged_pause_is_one_and_a_damaged_count_is_none(tmp_path: Path) -> None:
    brake = Brakes(tmp_path)
    brake.pause("a.test")
    brake.count("a.test", 5, 0, 0)
    for file in tmp_path.rglob("*.json"):
        file.write_bytes(b"[1")
    with pytest.raises(Paused):
        brake.check("a.test", NONE)
    assert brake.used("a.test").pages == 0


def test_a_quota_is_of_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Brakes(tmp_path), Brakes(tmp_path)
    one.count("a.test", 2, 700, 900)
    other.count("a.test", 1, 300, 100)
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert one.used("a.test") == DayUse(today, 3, 1_000, 1_000)
    one.check("a.test", Quota(pages=4, bytes=1_001, disk=1_001))
    for quota in (Quota(pages=3), Quota(bytes=1_000), Quota(disk=1_000)):
        with pytest.raises(OverQuota, match="of a day are used up"):
            one.check("a.test", quota)
    monkeypatch.setattr(brakes, "_today", lambda: "2999-01-01")
    one.check("a.test", Quota(pages=3))


def test_a_site_is_its_host() -> None:
    assert list(map(host_of, ("a.test:80", "[::1]:80", "a.test"))) == [
        "a.test",
        "[::1]",
        "a.test",
    ]
    named = Domain(host="a.test", quota=Quota(pages=3))
    found = quotas(Domains(domains=(Domain(host="b.test"), named)))
    assert found == {"a.test": Quota(pages=3)}


async def test_a_pause_stops_those_who_wait_and_ends_the_page_under_way(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    async with make_fetcher({"concurrency": 1, "max_rps": 20}) as fetcher:
        await fetcher.fetch(site.url("/p/0"))
        tasks = [
            asyncio.create_task(fetcher.fetch(site.url(f"/p/{n * 4}")))
            for n in range(1, 60)
        ]
        while len(site.hits("/p/")) < 5:
            await asyncio.sleep(0.01)
        Brakes(tmp_path / "brakes").pause("127.0.0.1", "ann")
        at = len(site.hits("/p/"))
        async with asyncio.timeout(2):
            fetched = await asyncio.gather(*tasks)
        assert len(site.hits("/p/")) <= at + 1
        verdicts = {one.verdict for one in fetched}
        assert verdicts == {Verdict.OK, Verdict.PAUSED}
        paused = next(one for one in fetched if one.verdict is Verdict.PAUSED)
        assert "by ann" in paused.reason and paused.attempts == 0
        assert (await fetcher.fetch(site.url("/p/1", 1))).verdict is Verdict.OK
        Brakes(tmp_path / "brakes").resume("127.0.0.1")
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK


async def test_a_quota_ends_the_day_of_a_site_and_survives_restarts(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    for expected in ([Verdict.OK, Verdict.OK], [Verdict.OK, Verdict.OVER_QUOTA]):
        async with make_fetcher({"quota": {"pages": 3}}) as fetcher:
            got = [await fetcher.fetch(site.url(f"/p/{n}")) for n in (0, 4)]
        assert [one.verdict for one in got] == expected
    assert got[1].reason == "quota: the 3 pages of a day are used up"
    assert len(site.hits("/p/")) == 3
