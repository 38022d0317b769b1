"""The browser rung in a real Chromium: that it ends, whatever a page does and whoever is killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.chromium import browser as browser_module
from crawloop_assets.access.chromium.launch import Chromium, find_chromium
from crawloop_assets.family import Access, BrowserOptions, Rung
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]


def rendered(**options: Any) -> Access:
    return Access(
        render=True, ladder=(Rung.BROWSER,), browser=BrowserOptions(**options)
    )


def marked() -> set[int]:
    """The browsers of the machine, also those of tests that run beside this one."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"--crawloop-browser=" in entry.read_bytes():
                found.add(int(entry.parent.name))
        except OSError:
            continue
    return found


def chromiums() -> set[int]:
    """Processes of Chromium and of its driver that descend from this one."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        children.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(
            int(entry.parent.name)
        )
    found, left = set(), [os.getpid()]
    while left:
        for child in children.get(left.pop(), []):
            if is_of_browser(child):
                found.add(child)
            left.append(child)
    return found


def is_of_browser(process: int) -> bool:
    """Whether a process is Chromium or its driver: workers that read pages are kept."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"chrom" in command or b"playwright" in command


def ours() -> set[int]:
    """The browsers that this test has started."""
    return marked() & chromiums()


async def test_many_pages_leave_no_process(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_module, "PAGES_PER_BROWSER", 4)
    before = chromiums()
    async with make_fetcher() as fetcher:
        urls = [site.url(f"/p/{number * 4 % 40}?n={number}") for number in range(10)]
        fetched = await asyncio.gather(
            *(fetcher.fetch(url, access=rendered(settle="0s")) for url in urls)
        )
        assert len(ours()) >= 1
    assert {one.verdict for one in fetched} == {Verdict.OK}
    assert chromiums() == before
    assert ours() == set()


async def test_a_page_that_hangs_is_left_and_takes_its_process_with_it(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["hangs"] = lambda asked: Told(
        b"<html><script>setTimeout(() => { while (true) {} }, 10)</script></html>"
    )
    before = chromiums()
    async with make_fetcher() as fetcher:
        one = await fetcher.fetch(site.url("/hangs"), access=rendered(deadline="3s"))
        assert (one.verdict, one.attempts) == (Verdict.TRANSIENT, 1)
        assert (
            await fetcher.fetch(site.url("/p/0"), access=rendered())
        ).verdict is Verdict.OK
    for _ in range(50):  # what is killed is there for a moment more
        if chromiums() != before:
            await asyncio.sleep(0.1)
    assert chromiums() == before


async def test_no_page_of_chromiums_own_is_made_beside_one_that_is_shown() -> None:
    """Each window had two, for an address bar in which nobody writes: more work than a page."""
    chromium = await Chromium.start("playwright", "127.0.0.1:9", "pin")
    await chromium.browser.new_page()
    session = await chromium.browser.new_browser_cdp_session()
    found = await session.send("Target.getTargets", {"filter": [{}]})
    assert {one["url"] for one in found["targetInfos"]} == {"about:blank"}
    await chromium.close()


async def test_a_deadline_that_ends_while_the_driver_starts_leaves_no_process() -> None:
    before = chromiums()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.15):
            await Chromium.start("playwright", "127.0.0.1:9", "pin")
    assert chromiums() == before


async def test_a_crashed_browser_is_replaced(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    async with make_fetcher() as fetcher:
        assert (
            await fetcher.fetch(site.url("/p/0"), access=rendered())
        ).verdict is Verdict.OK
        for process in ours():
            os.kill(process, signal.SIGKILL)
        await asyncio.sleep(0.3)
        assert (
            await fetcher.fetch(site.url("/p/4"), access=rendered())
        ).verdict is Verdict.OK
    assert ours() == set()


async def test_a_browser_that_crashes_before_it_opens_a_window_is_replaced_at_once(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_fetcher() as fetcher:
        assert (
            await fetcher.fetch(site.url("/p/0"), access=rendered())
        ).verdict is Verdict.OK
        running, killed = browser_module.Browser._running, set[int]()

        async def crashing(self: Any, url: str) -> Any:
            """Gives a browser that still seems to be there."""
            found = await running(self, url)
            if not killed:
                killed.update(ours())
                for process in killed:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            return found

        monkeypatch.setattr(browser_module.Browser, "_running", crashing)
        fetched = await fetcher.fetch(site.url("/p/4"), access=rendered())
        assert (fetched.verdict, fetched.attempts) == (Verdict.OK, 1)
        assert killed and not killed & ours()
    assert ours() == set()


async def test_a_killed_run_takes_its_browser_with_it(
    site: Site, tmp_path: Path
) -> None:
    program = f"""
import asyncio
from pathlib import Path
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import Access, Domain, Domains
async def main():
    domain = Domain(host="127.0.0.1", scheme="http", port={site.port}, private=True, max_rps=100)
    async with Fetcher(Domains(domains=(domain,)), Path({str(tmp_path)!r})) as fetcher:
        await fetcher.fetch("{site.url("/p/0")}", access=Access(render=True))
        print("shown", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""
    run = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert await asyncio.to_thread(run.stdout.readline) == "shown\n"
    started = ours()
    assert started
    run.kill()
    run.wait()
    run.stdout.close()
    until = time.monotonic() + 15
    while marked() & started and time.monotonic() < until:
        await asyncio.sleep(0.2)
    assert not marked() & started
