"""A page opens no window: what one asks for first, nobody could look at."""

import gzip
from pathlib import Path

import pytest

from crawloop_assets.access.chromium import screen
from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.walk import Bounds
from crawloop_assets.page import Verdict
from tests.access.chromium.test_browser import rendered
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Asked, Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]
WAYS = """<html><body><h1>here</h1>
<a id="blank" target="_blank" href="/private/blank">x</a>
<a id="named" target="other" href="/private/named">x</a>
<a id="alone" target="_blank" rel="noopener" href="/private/alone">x</a>
<form id="form" target="_blank" action="/private/form"></form>
<form id="posted" target="_blank" method="post" action="/private/posted"></form>
<svg><a id="drawn" target="_blank" href="/private/drawn"><text>x</text></a></svg>
<iframe id="inner" srcdoc="<script>window.open('/private/inner')</script>"></iframe>
<script>
const tried = []
function attempt(name, what) { try { what(); tried.push(name) } catch (error) { tried.push(name + " refused") } }
attempt("opened", () => window.open("/private/opened"))
attempt("features", () => window.open("/private/features", "_blank", "popup,noopener"))
attempt("redirected", () => window.open("/to?url=/private/redirected"))
attempt("refreshed", () => window.open("/refresh"))
attempt("written", () => window.open().document.write("<script src='/private/written'></scr" + "ipt>"))
attempt("moved", () => { const other = window.open("about:blank"); other.location = "/private/moved" })
attempt("blob", () => window.open(URL.createObjectURL(new Blob(["<script>location = '" + location.origin +
  "/private/blob'</scr" + "ipt>"], {type: "text/html"}))))
attempt("data", () => document.getElementById("inner").contentWindow.open("/private/frame"))
for (const id of ["blank", "named", "alone", "form", "posted", "drawn"]) attempt(id, () => {
  const element = document.getElementById(id); element.submit ? element.submit() :
  element.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})) })
setTimeout(() => { document.body.dataset.tried = tried.join(",") }, 1000)
</script></body></html>"""


def refresh(asked: Asked) -> Told:
    return Told(
        b'<html><meta http-equiv="refresh" content="0; url=/private/refreshed">'
    )


async def shown(site: Site, make_fetcher: MakeFetcher) -> Fetched:
    site.routes["ways"] = lambda asked: Told(
        WAYS.encode(), headers={"Content-Security-Policy": "img-src 'self'"}
    )
    site.routes["refresh"] = refresh
    site.routes["private"] = lambda asked: Told(b"<h1>closed</h1>")
    access = rendered(media=True, wait_for="body[data-tried]", settle="1s", scroll=1)
    async with make_fetcher(hosts=1) as fetcher:
        return await fetcher.fetch(site.url("/ways"), access=access)


async def test_no_window_asks_for_what_robots_disallows(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    one = await shown(site, make_fetcher)
    assert one.verdict is Verdict.OK
    assert one.page is not None
    assert b"<h1>here</h1>" in one.page.body
    assert one.page.headers["content-security-policy"] == "img-src 'self'"
    assert site.hits("/private/") == []
    assert site.hits("/refresh") == []


async def test_windows_ask_where_they_may_open(
    site: Site, make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(screen._NO_WINDOWS, "name", "X-Nothing")
    await shown(site, make_fetcher)
    asked = {hit.path.rpartition("/")[2] for hit in site.hits("/private/")}
    assert {"opened", "blank", "alone", "form", "redirected", "refreshed"} <= asked


async def test_a_document_that_is_refused_or_moved_is_shown_as_it_is(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    site.routes["sorry"] = lambda asked: Told(b"<h1>sorry</h1>", 503)
    async with make_fetcher(hosts=1) as fetcher:
        moved = await fetcher.fetch(site.url("/old/4"), access=rendered())
        gone = await fetcher.fetch(site.url("/nowhere"), access=rendered())
    assert (moved.verdict, moved.final_url) == (Verdict.OK, site.url("/p/4"))
    assert (gone.verdict, gone.status) == (Verdict.GONE, 404)


async def test_a_page_is_shown_as_it_came_all_the_same(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    """Cookies, compression, charset and secure-or-not are as without the ban."""
    page = (
        "<html><h1>caf\xe9</h1><p></p><script>document.querySelector('p').textContent = "
        "[document.cookie, document.characterSet, localStorage.length, origin].join(' ')</script></html>"
    )
    site.routes["whole"] = lambda asked: Told(
        gzip.compress(page.encode("latin-1")),
        kind="text/html; charset=windows-1252",
        headers={"Set-Cookie": "a=b", "Content-Encoding": "gzip"},
    )
    async with make_fetcher(hosts=1) as fetcher:
        one = await fetcher.fetch(site.url("/whole"), access=rendered())
    assert one.page is not None
    assert "<h1>caf\xe9</h1>" in one.page.text
    assert f"a=b windows-1252 0 {site.url('')}" in one.page.text


async def test_a_document_over_the_cap_is_too_large_here_too(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["much"] = lambda asked: Told(b"<html>" + b"<p>much</p>" * 500_000)
    async with make_fetcher(hosts=1, bounds=Bounds(max_bytes=300_000)) as fetcher:
        one = await fetcher.fetch(site.url("/much"), access=rendered())
    assert (one.verdict, one.page) == (Verdict.TOO_LARGE, None)
