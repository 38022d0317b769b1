"""robots.txt: asked for once, obeyed to the letter, and when it is unknown nothing is fetched."""

import asyncio
import fcntl
import json
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access import robots
from crawloop_assets.access.retry import Patience
from crawloop_assets.access.robots import Rules
from crawloop_assets.errors import NotAllowed
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Told

pytestmark = pytest.mark.anyio
AGENT = "crawlooptest/1.0"


def refused(text: str, path: str) -> str:
    try:
        Rules(text, AGENT).check(f"http://a.test{path}")
    except NotAllowed as error:
        return error.reason
    return ""


def test_the_rule_is_named() -> None:
    text = (
        "User-agent: *\nDisallow: /a/ # why\nAllow: /a/b\nDisallow: /*?s=\n\n"
        "User-agent: other\nDisallow: /a/long/path\nDisallow: /\n"
    )
    assert refused(text, "/a/x") == "robots.txt: Disallow: /a/"
    assert refused(text, "/a/long/path/x") == "robots.txt: Disallow: /a/"
    assert refused(text, "/a/b") == ""
    assert refused(text, "/c?s=1") == "robots.txt: Disallow: /*?s="
    assert refused(text, "/c") == ""


def test_a_file_with_thousands_of_rules_names_its_rule() -> None:
    text = (
        "User-agent: *\n"
        + "".join(f"Disallow: /shelf/{number}/\n" for number in range(10_000))
        + "Disallow: /*.pdf$"
    )
    rules = Rules(text, AGENT)
    for number in range(0, 10_000, 100):
        with pytest.raises(NotAllowed) as caught:
            rules.check(f"http://a.test/shelf/{number}/x")
        assert caught.value.reason == f"robots.txt: Disallow: /shelf/{number}/"
    with pytest.raises(NotAllowed, match=r"Disallow: /\*\.pdf\$"):
        rules.check("http://a.test/any/file.pdf")


def test_a_group_of_our_own_replaces_the_general_one() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: crawlooptest\nDisallow: /x\n"
    assert refused(text, "/y") == ""
    assert refused(text, "/x") == "robots.txt: Disallow: /x"


def test_crawl_delay_and_request_rate_are_one_interval() -> None:
    assert Rules("User-agent: *\nCrawl-delay: 2.5\n", AGENT).interval_s == 2.5
    assert Rules("User-agent: *\nRequest-rate: 1/10\n", AGENT).interval_s == 10
    assert (
        Rules("User-agent: *\nCrawl-delay: 2\nRequest-rate: 2/1\n", AGENT).interval_s
        == 2
    )
    assert Rules("", AGENT).interval_s == 0


async def test_many_at_once_ask_once_and_nothing_disallowed_is_fetched(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    paths = [f"/private/{n}" if n % 10 < 3 else f"/p/{n * 4 % 40}" for n in range(100)]
    async with make_fetcher() as fetcher:
        fetched = await asyncio.gather(
            *(fetcher.fetch(site.url(path)) for path in paths)
        )
    assert len(site.hits("/robots.txt")) == 1
    assert not site.hits("/private/")
    assert sum(one.verdict is Verdict.OK for one in fetched) == 70
    skipped = [one for one in fetched if one.verdict is Verdict.NOT_ALLOWED]
    assert {one.rule for one in skipped} == {"robots.txt: Disallow: /private/"}
    assert len(skipped) == 30


async def test_a_redirect_to_a_disallowed_page_is_not_followed(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        one = await fetcher.fetch(site.url("/to?url=/private/1"))
    assert (one.verdict, one.rule) == (
        Verdict.NOT_ALLOWED,
        "robots.txt: Disallow: /private/",
    )
    assert not site.hits("/private/")


async def test_it_is_shared_with_later_runs_until_it_is_old(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    for _ in range(3):
        async with make_fetcher() as fetcher:
            await fetcher.fetch(site.url("/p/0"))
    assert len(site.hits("/robots.txt")) == 1
    kept = next((tmp_path / "robots").glob("*.json"))
    copy = json.loads(kept.read_text())
    kept.write_text(json.dumps(copy | {"tried_at": time.time() - robots.TTL_S - 1}))
    async with make_fetcher() as fetcher:
        await fetcher.fetch(site.url("/p/0"))
    assert len(site.hits("/robots.txt")) == 2


async def test_a_spoiled_copy_is_fetched_again(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    async with make_fetcher() as fetcher:
        await fetcher.fetch(site.url("/p/0"))
    next((tmp_path / "robots").glob("*.json")).write_text('{"text": ')
    async with make_fetcher() as fetcher:
        assert (
            await fetcher.fetch(site.url("/private/1"))
        ).verdict is Verdict.NOT_ALLOWED
    assert len(site.hits("/robots.txt")) == 2


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_no_robots_allows_all(
    site: Site, make_fetcher: MakeFetcher, status: int
) -> None:
    site.robots = lambda host: Told(b"User-agent: *\nDisallow: /", status)
    async with make_fetcher() as fetcher:
        assert (await fetcher.fetch(site.url("/private/1"))).verdict is Verdict.OK


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_unknown_robots_fetch_nothing_and_are_asked_for_later(
    site: Site, make_fetcher: MakeFetcher, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.robots = lambda host: Told(b"", status)
    async with make_fetcher() as fetcher:
        fetched = await asyncio.gather(
            *(fetcher.fetch(site.url(f"/p/{n}")) for n in (0, 4, 8))
        )
        assert {one.verdict for one in fetched} == {Verdict.TRANSIENT}
        assert f"status {status}" in fetched[0].reason
        assert all(
            one.retry_after_s and one.retry_after_s <= robots.RETRY_S for one in fetched
        )
        assert len(site.log) == 1
        monkeypatch.setattr(robots, "RETRY_S", 0.0)
        site.robots = lambda host: Told(b"")
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK


async def test_the_last_good_copy_is_used_while_the_site_fails(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_fetcher() as fetcher:
        await fetcher.fetch(site.url("/p/0"))
    monkeypatch.setattr(robots, "TTL_S", 0.0)
    site.robots = lambda host: Told(b"", 503)
    async with make_fetcher() as fetcher:
        assert (
            await fetcher.fetch(site.url("/private/1"))
        ).verdict is Verdict.NOT_ALLOWED
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK
    assert [hit.status for hit in site.hits("/robots.txt")] == [200, 503]


async def test_robots_that_redirect_off_the_list_are_unknown(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    target = site.url("/robots.txt", host=3)
    site.robots = lambda host: (
        Told(b"", 302, headers={"Location": target}) if host == 0 else Told(b"")
    )
    async with make_fetcher(hosts=1) as fetcher:
        one = await fetcher.fetch(site.url("/p/0"))
    assert one.verdict is Verdict.TRANSIENT
    assert "redirected" in one.reason
    assert not site.hits(host=3)


async def test_robots_outside_the_allowed_paths_are_still_asked_for(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher({"paths": ["/p/", "/private/"]}) as fetcher:
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK
        assert (
            await fetcher.fetch(site.url("/private/0"))
        ).verdict is Verdict.NOT_ALLOWED


async def test_ignoring_robots_asks_for_none(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher(
        {"robots": "ignore", "robots_reason": "contract of 2026-01-02"}
    ) as fetcher:
        assert (await fetcher.fetch(site.url("/private/1"))).verdict is Verdict.OK
    assert not site.hits("/robots.txt")


async def test_crawl_delay_is_kept_while_other_hosts_go_on(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.crawl_delay, site.latency_s = True, 0.05
    urls = [site.url(f"/p/{n}", host=n % 4) for n in range(16)]
    began = time.time()
    async with make_fetcher() as fetcher:
        fetched = await asyncio.gather(*(fetcher.fetch(url) for url in urls))
    assert all(one.verdict is Verdict.OK for one in fetched)
    starts: dict[int, list[Any]] = {
        host: [hit.at for hit in site.hits(host=host)] for host in range(4)
    }
    # The site notes arrivals, and a busy machine delays one of them now and then: none comes before its turn.
    assert all(at - began >= turn for turn, at in enumerate(starts[3]))
    assert max(starts[0][-1], starts[1][-1], starts[2][-1]) < starts[3][-1]


@pytest.mark.parametrize("line", ["Crawl-delay: 1000000000", "Crawl-delay: 86400"])
async def test_a_delay_that_no_run_keeps_is_refused_and_holds_nobody_up(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path, line: str
) -> None:
    site.robots = lambda host: Told(f"User-agent: *\n{line}".encode())
    began = time.monotonic()
    async with make_fetcher() as fetcher:
        first = await fetcher.fetch(site.url("/p/0"))
        second = await fetcher.fetch(site.url("/p/4"))
    assert {first.verdict, second.verdict} == {Verdict.NOT_ALLOWED}
    assert first.rule == (
        f"robots.txt: {float(line.split()[1]):g} s between two requests, more than 100"
    )
    assert not site.hits("/p/")
    site.robots = lambda host: Told(b"")
    for kept in (tmp_path / "robots").glob("*.json"):
        kept.unlink()
    async with make_fetcher() as fetcher:
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK
    assert time.monotonic() - began < 5


async def test_a_clock_set_back_by_hours_holds_nobody_up(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: robots.txt, its copy, the turn, the page."""
    async with make_fetcher({"max_rps": 5}) as fetcher:
        assert (await fetcher.fetch(site.url("/p/0"))).verdict is Verdict.OK
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - 7_200)
    async with asyncio.timeout(5), make_fetcher({"max_rps": 5}) as fetcher:
        assert (await fetcher.fetch(site.url("/p/4"))).verdict is Verdict.OK


async def test_a_process_that_never_ends_asking_holds_up_no_other(
    site: Site,
    make_fetcher: MakeFetcher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(robots, "_ASKING_S", 0.3)
    async with make_fetcher() as fetcher:
        await fetcher.fetch(site.url("/p/0"))
    for kept in (tmp_path / "robots").glob("*.json"):
        kept.unlink()
    with next((tmp_path / "robots").glob("*.lock")).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        async with make_fetcher(patience=Patience(retries=0)) as fetcher:
            fetched = await fetcher.fetch(site.url("/p/4"))
    assert fetched.verdict is Verdict.TRANSIENT
    assert fetched.reason == "robots.txt: no end within 0.3 s"


def test_a_thousand_lines_for_others_cost_no_more_than_a_few() -> None:
    stars = product(range(6), repeat=4)
    lines = [
        f"Disallow: /{'*' * a}p{'*' * b}/{'*' * c}1{'*' * d}" for a, b, c, d in stars
    ]
    text = "\n".join(["User-agent: other", *lines, "User-agent: *", "Disallow: /p/"])
    rules = Rules(text, "crawloop")
    began = time.process_time()
    with pytest.raises(NotAllowed, match=r"robots\.txt: "):
        rules.check("https://a.test/p/1")
    assert time.process_time() - began < 2


def test_many_wildcards_cost_no_more_than_one() -> None:
    # Older readers of robots.txt made a regular expression of each rule.
    rules = Rules("User-agent: *\nDisallow: /" + "*a" * 12 + "*b", "crawloop")
    began = time.process_time()
    rules.check("https://a.test/" + "a" * 3_000)
    assert time.process_time() - began < 1
