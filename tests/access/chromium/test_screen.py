"""Each request of a page is looked at before it leaves the browser."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.chromium.screen import _NO_WINDOWS, Screen, without_ours
from crawloop_assets.access.chromium.ticket import Ticket
from crawloop_assets.access.exchange import HttpRequest
from crawloop_assets.access.walk import Bounds
from crawloop_assets.errors import Blocked, NotAllowed, Transient
from tests.access.chromium.driver.async_api import Error, Session
from tests.access.site import Site
from tests.access.walks import Walk, walking

pytestmark = pytest.mark.anyio
POLICY, OURS = "content-security-policy", _NO_WINDOWS["value"]


class Watched:
    """A page that nobody opened: its requests are the test's."""

    def __init__(self) -> None:
        self.session = Session()
        self.context = self

    async def new_cdp_session(self, page: Any) -> Session:
        assert page is self
        return self.session

    async def asks(
        self, url: str, kind: str = "Script", frame: str = "main"
    ) -> dict[str, str] | None:
        """The headers a request is sent with, None if it is not."""
        return await self.session.headers_for(url, kind, {"Accept": "*/*"}, frame)


async def watched(walk: Walk, site: Site, **more: Any) -> tuple[Watched, Screen]:
    headers = more.pop("headers", {})
    request = HttpRequest(site.url("/p/0"), headers=headers)
    options = {"media": False, "errors": (Error,)} | more
    screen, page = Screen(walk.gates, request, **options), Watched()
    await screen.watch(page, Ticket())
    return page, screen


async def test_what_a_listed_page_needs_passes(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        page, screen = await watched(walk, site)
        assert await page.asks(site.url("/p/0"), "Document") is not None
        assert await page.asks(site.url("/x.js", host=1)) is not None
        assert await page.asks("data:text/css,x", "Image") is not None
        assert await page.asks("blob:http://x/1") is not None
        assert await page.asks("about:blank", "Document") is not None
    assert (screen.refused, screen.turned_away) == (None, [])


async def test_other_hosts_are_turned_away_by_rule(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        page, screen = await watched(walk, site)
        assert await page.asks("http://elsewhere.test/x.js") is None
        assert await page.asks("ws://elsewhere.test/") is None
    assert screen.refused is None
    (script, rule), (socket, _) = screen.turned_away
    assert (script, socket) == ("http://elsewhere.test/x.js", "ws://elsewhere.test/")
    assert "elsewhere.test:80 is not in domains.yaml" in rule


@pytest.mark.parametrize("kind", ["Image", "Media", "Font", "TextTrack"])
async def test_media_pass_only_if_they_are_wanted(
    site: Site, tmp_path: Path, kind: str
) -> None:
    async with walking(site, tmp_path) as walk:
        page, screen = await watched(walk, site)
        assert await page.asks(site.url("/a"), kind) is None
        assert screen.turned_away == []
        page, _ = await watched(walk, site, media=True)
        assert await page.asks(site.url("/a"), kind) is not None


async def test_a_refused_document_is_the_pages_own_or_a_frames(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path) as walk:
        page, screen = await watched(walk, site)
        assert await page.asks(site.url("/p/0"), "Document") is not None
        outside = "http://elsewhere.test/"
        assert await page.asks(outside, "Document", "inner") is None
        assert screen.refused is None
        assert [url for url, _ in screen.turned_away] == [outside]
        assert await page.asks(outside, "Document") is None
    assert isinstance(screen.refused, NotAllowed)
    assert screen.explain(Error("net::ERR_FAILED")) is screen.refused


async def test_a_page_may_go_on_so_many_times(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        page, screen = await watched(walk, site, bounds=Bounds(redirects=1))
        for frame in ("main", "inner", "inner", "main"):
            assert await page.asks(site.url("/p/0"), "Document", frame) is not None
        assert await page.asks(site.url("/p/0"), "Document", "inner") is not None
        assert await page.asks(site.url("/p/0"), "Document") is None
    assert isinstance(screen.refused, Blocked)


async def test_the_familys_headers_are_added_on_its_own_host(
    site: Site, tmp_path: Path
) -> None:
    own = {"x-family": "ours", "accept": "text/html"}
    async with walking(site, tmp_path) as walk:
        page, _ = await watched(walk, site, headers=own)
        here = await page.asks(site.url("/p/0"), "Document")
        there = await page.asks(site.url("/p/0", host=1))
    assert here == {"accept": "*/*", "x-family": "ours"}
    assert there == {"Accept": "*/*"}


async def test_only_the_tunnel_is_shown_the_ticket(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        page, _ = await watched(walk, site)
        assert await page.session.credentials_for("Proxy") is not None
        assert await page.session.credentials_for("Server") is None


@pytest.mark.parametrize(
    ("says", "kind", "reason"),
    [
        ("", Transient, "browser: "),
        (
            "Page.goto: net::ERR_TIMED_OUT at x",
            Transient,
            "network: net::ERR_TIMED_OUT",
        ),
        ("net::ERR_ABORTED", NotAllowed, "browser: downloads are refused"),
        ("Download is starting", NotAllowed, "browser: downloads are refused"),
        ("crash\nmore", Transient, "browser: crash"),
        ("x" * 999, Transient, "browser: " + "x" * 300),
    ],
)
async def test_errors_of_the_browser_are_explained(
    site: Site,
    tmp_path: Path,
    says: str,
    kind: type[NotAllowed | Transient],
    reason: str,
) -> None:
    async with walking(site, tmp_path) as walk:
        _, screen = await watched(walk, site)
        error = screen.explain(Error(says))
    assert isinstance(error, kind)
    assert error.reason == reason


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({}, {}),
        ({POLICY: OURS}, {}),
        ({POLICY: f"img-src 'self', {OURS}"}, {POLICY: "img-src 'self'"}),
        ({POLICY: "img-src 'self'"}, {POLICY: "img-src 'self'"}),
        ({"x-a": "1", POLICY: f"a\n{OURS}"}, {"x-a": "1", POLICY: "a"}),
    ],
)
def test_a_page_keeps_the_headers_its_site_sent(
    sent: dict[str, str], kept: dict[str, str]
) -> None:
    assert without_ours(sent) == kept
