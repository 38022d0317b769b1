"""The browser rung with a driver that starts no browser: limits, errors, and what is
noted of a page."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.chromium import browser as browser_module
from crawloop_assets.access.chromium.browser import Browser
from crawloop_assets.access.exchange import HttpRequest
from crawloop_assets.access.proxies import Health
from crawloop_assets.access.strategies import FetchJob
from crawloop_assets.access.walk import Bounds, Trip
from crawloop_assets.errors import Blocked, NotAllowed, Transient
from crawloop_assets.family import Access, BrowserOptions, Rung
from tests.access.chromium import driver
from tests.access.chromium.driver import State
from tests.access.relay import RelayProxy
from tests.access.site import Site
from tests.access.walks import AGENT, Walk, walking
from tests.access.wire import Asked, Told

pytestmark = pytest.mark.anyio
DRIVER = "tests.access.chromium.driver"


@pytest.fixture(autouse=True)
def chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may be executed is all that is looked for."""
    file = tmp_path / "chromium"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", str(file))


@pytest.fixture
def state() -> Iterator[State]:
    with driver.fresh() as fresh:
        yield fresh


def job(walk: Walk, url: str, **options: Any) -> FetchJob:
    headers = options.pop("headers", {})
    method = options.pop("method", "GET")
    ladder = options.pop("ladder", (Rung.BROWSER,))
    usual = {"settle": "0s", "deadline": "20s"}
    shown = BrowserOptions.model_validate(usual | options)
    access = Access(render=True, ladder=ladder, browser=shown)
    return FetchJob(HttpRequest(url, method, headers), walk.domain, access)


@asynccontextmanager
async def browsing(
    site: Site, folder: Path, bounds: Bounds | None = None, **domain: Any
) -> AsyncIterator[tuple[Walk, Browser]]:
    async with walking(site, folder, **domain) as walk:
        rung = Browser(
            walk.gates, walk.limiter, bounds or Bounds(), Health(), driver=DRIVER
        )
        try:
            yield walk, rung
        finally:
            await rung.aclose()


async def test_a_page_is_given_as_it_is_shown(
    site: Site, tmp_path: Path, state: State
) -> None:
    trip = Trip()
    async with browsing(site, tmp_path) as (walk, rung):
        assert rung.missing(walk.domain) == ""
        answer = await rung.get(job(walk, site.url("/p/0"), width=800), trip)
    assert (answer.url, answer.status) == (site.url("/p/0"), 200)
    assert answer.body.startswith(b"<!-- rendered --><!DOCTYPE html>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert not {"etag", "last-modified", "content-length"} & answer.headers.keys()
    assert (trip.requests, trip.bytes) == (1, len(answer.body))
    assert (trip.redirects, trip.permanent) == ([], True)
    (context,) = state.contexts
    assert context["user_agent"] == AGENT
    assert context["viewport"]["width"] == 800
    assert (context["accept_downloads"], context["service_workers"]) == (False, "block")


async def test_what_is_no_html_is_given_as_it_came(
    site: Site, tmp_path: Path, state: State
) -> None:
    async with browsing(site, tmp_path) as (walk, rung):
        answer = await rung.get(job(walk, site.url("/api/p/0")), Trip())
    assert answer.body.startswith(b'{"title"')
    assert answer.headers["content-type"] == "application/json"


async def test_a_page_that_is_too_large_is_not_kept(
    site: Site, tmp_path: Path, state: State
) -> None:
    size = len("<!-- rendered -->") + 100
    site.routes["size"] = lambda asked: Told(b"x" * asked.number)
    async with browsing(site, tmp_path, Bounds(max_bytes=size)) as (walk, rung):
        fits = await rung.get(job(walk, site.url("/size/100")), Trip())
        large = await rung.get(job(walk, site.url("/size/101")), Trip())
    assert (len(fits.body), fits.too_large) == (size, False)
    assert (large.body, large.too_large) == (b"", True)


@pytest.mark.parametrize(("status", "permanent"), [(301, True), (302, False)])
async def test_redirects_are_noted_in_order(
    site: Site, tmp_path: Path, state: State, status: int, permanent: bool
) -> None:
    site.routes["hop"] = lambda asked: Told(
        status=status,
        headers={
            "Location": f"/hop/{asked.number + 1}" if asked.number < 1 else "/p/0"
        },
    )
    trip = Trip()
    async with browsing(site, tmp_path) as (walk, rung):
        answer = await rung.get(job(walk, site.url("/hop/0")), trip)
    assert answer.url == site.url("/p/0")
    assert trip.redirects == [site.url("/hop/1"), site.url("/p/0")]
    assert trip.permanent is permanent


async def test_a_chain_of_redirects_ends(
    site: Site, tmp_path: Path, state: State
) -> None:
    async with browsing(site, tmp_path, Bounds(redirects=2)) as (walk, rung):
        answer = await rung.get(job(walk, site.url("/chain/4/2")), Trip())
        assert answer.status == 200
        with pytest.raises(Blocked, match="redirect: too many hops"):
            await rung.get(job(walk, site.url("/chain/4/3")), Trip())


async def test_only_gets_are_shown(site: Site, tmp_path: Path, state: State) -> None:
    async with browsing(site, tmp_path) as (walk, rung):
        with pytest.raises(Blocked, match="cannot send a POST"):
            await rung.get(job(walk, site.url("/p/0"), method="POST"), Trip())
    assert not state.launches


async def test_a_document_that_is_not_listed_is_refused_on_every_hop(
    site: Site, tmp_path: Path, state: State
) -> None:
    site.routes["out"] = lambda asked: Told(
        status=302, headers={"Location": "http://elsewhere.test/"}
    )
    async with browsing(site, tmp_path) as (walk, rung):
        for url in ("http://elsewhere.test/", site.url("/out")):
            with pytest.raises(NotAllowed, match=r"elsewhere\.test"):
                await rung.get(job(walk, url), Trip())
    assert len(site.hits()) == 1


async def test_headers_of_the_family_are_added_on_its_host(
    site: Site, tmp_path: Path, state: State
) -> None:
    headers = {"x-family": "ours", "accept": "not this one"}
    site.routes["away"] = lambda asked: Told(
        status=302, headers={"Location": site.url("/p/1", host=1)}
    )
    async with browsing(site, tmp_path) as (walk, rung):
        await rung.get(job(walk, site.url("/away"), headers=headers), Trip())
    first, second = site.hits()
    assert first.headers["x-family"] == "ours"
    assert first.headers["accept"] != "not this one"
    assert "x-family" not in second.headers


# --- waiting


async def test_a_list_is_scrolled_until_nothing_is_added(
    site: Site, tmp_path: Path, state: State
) -> None:
    state.heights = [1, 2, 2, 3, 3, 3, 9]
    async with browsing(site, tmp_path) as (walk, rung):
        await rung.get(job(walk, site.url("/p/0"), scroll=5), Trip())
        assert (state.scrolls, state.heights) == (3, [9])
        state.heights = [1, 2, 2, 3]
        await rung.get(job(walk, site.url("/p/0"), scroll=2), Trip())
        assert state.scrolls == 5


async def test_a_page_that_never_rests_is_taken_as_it_is(
    site: Site, tmp_path: Path, state: State
) -> None:
    state.never_idle = True
    async with browsing(site, tmp_path) as (walk, rung):
        answer = await rung.get(job(walk, site.url("/p/0")), Trip())
    assert answer.status == 200


async def test_a_page_that_is_not_shown_in_time_is_left(
    site: Site, tmp_path: Path, state: State
) -> None:
    state.selector_hangs = True
    async with browsing(site, tmp_path) as (walk, rung):
        late = job(walk, site.url("/p/0"), wait_for="h1", deadline="0.5s")
        with pytest.raises(Transient, match=r"browser: not shown within 0\.5 s"):
            await rung.get(late, Trip())
        in_time = job(walk, site.url("/p/0"), deadline="5s")
        assert (await rung.get(in_time, Trip())).status == 200


@pytest.mark.parametrize(
    ("says", "kind", "reason"),
    [
        (
            "net::ERR_NAME_NOT_RESOLVED at x",
            Transient,
            "network: net::ERR_NAME_NOT_RESOLVED",
        ),
        ("Download is starting", NotAllowed, "browser: downloads are refused"),
        ("net::ERR_ABORTED", NotAllowed, "browser: downloads are refused"),
        ("Target crashed\nlog: 1", Transient, "browser: Target crashed"),
    ],
)
async def test_a_browsers_error_is_one_of_ours(
    site: Site,
    tmp_path: Path,
    state: State,
    says: str,
    kind: type[NotAllowed | Transient],
    reason: str,
) -> None:
    state.goto_error = says
    async with browsing(site, tmp_path) as (walk, rung):
        with pytest.raises(kind) as caught:
            await rung.get(job(walk, site.url("/p/0")), Trip())
    assert caught.value.reason == reason


# --- browsers


async def test_two_pages_at_a_time_are_shown_by_one_browser(
    site: Site, tmp_path: Path, state: State
) -> None:
    site.routes["slow"] = lambda asked: Told(b"<p>x</p>", delay_s=0.05)
    async with browsing(site, tmp_path, concurrency=8) as (walk, rung):
        jobs = [job(walk, site.url(f"/slow/{n}")) for n in range(6)]
        await asyncio.gather(*(rung.get(each, Trip()) for each in jobs))
    assert len(state.launches) == 1
    assert site.most_at_once[0] == 2
    assert state.stopped == 1


async def test_a_browser_is_replaced_after_so_many_pages(
    site: Site, tmp_path: Path, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert browser_module.PAGES_PER_BROWSER == 200
    monkeypatch.setattr(browser_module, "PAGES_PER_BROWSER", 2)
    async with browsing(site, tmp_path) as (walk, rung):
        for launches in (1, 1, 2, 2, 3):
            await rung.get(job(walk, site.url("/p/0")), Trip())
            assert len(state.launches) == launches
        assert not state.browsers[0].connected


async def test_a_crashed_browser_is_replaced(
    site: Site, tmp_path: Path, state: State
) -> None:
    async with browsing(site, tmp_path) as (walk, rung):
        await rung.get(job(walk, site.url("/p/0")), Trip())
        state.browsers[0].connected = False
        await rung.get(job(walk, site.url("/p/0")), Trip())
    assert len(state.launches) == 2


async def test_a_page_that_cannot_be_closed_takes_its_browser_along(
    site: Site, tmp_path: Path, state: State
) -> None:
    async with browsing(site, tmp_path) as (walk, rung):
        state.close_error = "no"
        await rung.get(job(walk, site.url("/p/0")), Trip())
        assert not state.browsers[0].connected
        state.close_error = ""
        await rung.get(job(walk, site.url("/p/0")), Trip())
    assert len(state.launches) == 2


async def test_a_window_that_cannot_be_opened_may_pass(
    site: Site, tmp_path: Path, state: State
) -> None:
    state.context_error = "too many"
    async with browsing(site, tmp_path) as (walk, rung):
        with pytest.raises(Transient, match="browser: too many"):
            await rung.get(job(walk, site.url("/p/0")), Trip())


async def test_a_browser_that_cannot_be_started_is_not_tried_again(
    site: Site, tmp_path: Path, state: State
) -> None:
    state.launch_error = "no display"
    async with browsing(site, tmp_path) as (walk, rung):
        with pytest.raises(Blocked, match="cannot be started: no display"):
            await rung.get(job(walk, site.url("/p/0")), Trip())
        assert "no display" in rung.missing(walk.domain)


async def test_what_is_not_installed_is_missing(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with walking(site, tmp_path) as walk:
        other = Browser(
            walk.gates, walk.limiter, Bounds(), Health(), driver="no_such_driver"
        )
        missing = "browser: no_such_driver is not installed"
        assert other.missing(walk.domain) == missing
        rung = Browser(walk.gates, walk.limiter, Bounds(), Health(), driver=DRIVER)
        monkeypatch.setenv("CRAWLOOP_CHROMIUM", "/nowhere")
        assert rung.missing(walk.domain) == "browser: no Chromium found"


async def test_a_family_with_proxies_is_shown_through_one(
    site: Site, tmp_path: Path, state: State
) -> None:
    def wall(asked: Asked) -> Told:
        return Told(b"in" if "x-relayed" in asked.headers else b"out")

    site.routes["geo"] = wall
    async with RelayProxy() as relay:
        entry = {"proxies": {"urls": [relay.url]}, "paths": ["/geo"]}
        both = (Rung.PROXY, Rung.BROWSER)
        async with browsing(site, tmp_path, **entry) as (walk, rung):
            through = await rung.get(job(walk, site.url("/geo"), ladder=both), Trip())
            directly = await rung.get(job(walk, site.url("/geo")), Trip())
    assert through.body.endswith(b"in")
    assert directly.body.endswith(b"out")
    assert len(relay.heads) == 1
