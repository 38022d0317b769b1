"""Whatever a page tries, nothing leaves the browser that the allowlist does not list."""

import asyncio
from pathlib import Path

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import (
    Domain,
    Domains,
)
from crawloop_assets.page import Verdict
from tests.access.chromium.test_browser import Outside, rendered, show
from tests.access.conftest import MakeFetcher
from tests.access.site import Site
from tests.access.wire import Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]

INSIDE = """<html><head>
<link rel="stylesheet" href="{out}/style.css"><link rel="preconnect" href="{out}"><link rel="dns-prefetch" href="{out}">
<link rel="prefetch" href="{out}/prefetch"><link rel="preload" href="{out}/preload.js" as="script">
<link rel="modulepreload" href="{out}/module.js"><link rel="icon" href="{out}/icon.png">
<script type="speculationrules">{{"prerender": [{{"source": "list", "urls": ["{out}/prerender"]}}],
"prefetch": [{{"source": "list", "urls": ["{out}/speculated"]}}]}}</script>
<style>@import url("{out}/import.css"); @font-face {{ font-family: f; src: url("{out}/font.woff") }}
body {{ background: url("{out}/background.png"); font-family: f }}</style><script src="{out}/script.js"></script></head>
<body><h1>here</h1><img src="{out}/image.png" srcset="{out}/set.png 2x"><img src="/to?url={out}/by-redirect.png">
<iframe src="{out}/frame"></iframe><iframe src="/to?url={out}/frame-by-redirect"></iframe>
<iframe srcdoc="<img src='{out}/srcdoc.png'>"></iframe>
<object data="{out}/object"></object><embed src="{out}/embed">
<video src="{out}/film.mp4" poster="{out}/poster.png"></video>
<audio src="{out}/sound.mp3"></audio><form id="form" action="{out}/form" target="within"></form>
<iframe name="within"></iframe><a id="ping" href="#x" ping="{out}/ping">x</a>
<form id="opens" action="{out}/form-popup" target="_blank"></form>
<a id="opener" href="{out}/blank" target="_blank">o</a>
<script>
const out = "{out}", ws = out.replace("http", "ws"), tried = []
function attempt(name, what) {{ try {{ what(); tried.push(name) }} catch (error) {{ tried.push(name + " refused") }} }}
attempt("fetch", () => fetch(out + "/fetch", {{method: "POST", body: "x", mode: "no-cors"}}).catch(() => 0))
attempt("fetch by redirect", () => fetch("/to?url=" + out + "/fetch2", {{mode: "no-cors"}}).catch(() => 0))
attempt("xhr", () => {{ const x = new XMLHttpRequest(); x.open("GET", out + "/xhr"); x.send() }})
attempt("beacon", () => navigator.sendBeacon(out + "/beacon", "x"))
attempt("keepalive", () => fetch(out + "/keepalive", {{keepalive: true, mode: "no-cors"}}).catch(() => 0))
attempt("websocket", () => new WebSocket(ws + "/socket"))
attempt("events", () => new EventSource(out + "/events"))
attempt("form", () => document.getElementById("form").submit())
attempt("form popup", () => document.getElementById("opens").submit())
attempt("popup", () => window.open(out + "/popup"))
attempt("popup by redirect", () => window.open("/to?url=" + out + "/popup2"))
attempt("anchor", () => document.getElementById("opener").click())
attempt("ping", () => document.getElementById("ping").click())
attempt("worker", () => new Worker(URL.createObjectURL(new Blob(["fetch('" + out + "/worker', {{mode: 'no-cors'}});" +
  "new WebSocket('" + ws + "/worker-socket'); importScripts('" + out + "/imported.js')"]))))
attempt("service worker", () => navigator.serviceWorker.register("/service-worker.js").catch(() => 0))
attempt("rtc", () => {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:" + out.slice(7)}},
  {{urls: "turn:" + out.slice(7) + "?transport=tcp", username: "u", credential: "c"}}]}})
  peer.createDataChannel("c"); peer.createOffer().then(o => peer.setLocalDescription(o)) }})
attempt("transport", () => new WebTransport(out.replace("http:", "https:") + "/transport").ready.catch(() => 0))
attempt("image object", () => {{ new Image().src = out + "/image-object.png" }})
attempt("late", () => addEventListener("pagehide", () => navigator.sendBeacon(out + "/pagehide", "x")))
setTimeout(() => {{ document.body.dataset.tried = tried.join(",") }}, 300)
</script></body></html>"""


async def test_no_way_out_of_a_page(site: Site, make_fetcher: MakeFetcher) -> None:
    outside = Outside()
    async with outside.open() as address:
        site.routes["spy"] = lambda asked: Told(
            INSIDE.format(out=f"http://{address}").encode()
        )
        site.routes["service-worker.js"] = lambda asked: Told(
            f"fetch('http://{address}/from-service-worker', {{mode: 'no-cors'}})".encode(),
            kind="text/javascript",
        )
        one = await show(
            make_fetcher,
            site.url("/spy"),
            media=True,
            wait_for="body[data-tried]",
            settle="1s",
        )
        await asyncio.sleep(0.5)
    assert outside.hits == []
    assert (one.verdict, one.page is not None) == (Verdict.OK, True)
    assert one.page is not None
    assert b"data-tried=" in one.page.body
    assert b"websocket" in one.page.body


async def test_the_same_page_does_try_where_it_may(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    outside = Outside()
    async with outside.open() as address:
        name, _, port = address.partition(":")
        site.routes["spy"] = lambda asked: Told(
            INSIDE.format(out=f"http://{address}").encode()
        )
        policy = {
            "scheme": "http",
            "private": True,
            "max_rps": 1_000,
            "robots": "ignore",
            "robots_reason": "a test",
        }
        entries = tuple(
            Domain.model_validate({"host": name, "port": at, **policy})
            for at in (site.port, int(port))
        )
        async with Fetcher(Domains(domains=entries), tmp_path) as fetcher:
            await fetcher.fetch(
                site.url("/spy"),
                access=rendered(media=True, wait_for="body[data-tried]"),
            )
    tried = b"".join(outside.hits)
    ways = [
        "script.js",
        "style.css",
        "import.css",
        "image.png",
        "by-redirect.png",
        "frame",
        "frame-by-redirect",
    ]
    ways += [
        "fetch",
        "fetch2",
        "xhr",
        "beacon",
        "socket",
        "events",
        "worker",
        "worker-socket",
        "imported.js",
    ]
    assert [way for way in ways if f"/{way} ".encode() not in tried] == []


@pytest.mark.parametrize(
    "escape",
    [
        '<meta http-equiv="refresh" content="0; url={out}/meta">',
        '<script>location.href = "{out}/script"</script>',
        '<script>location.replace("/to?url={out}/by-redirect")</script>',
        '<form action="{out}/form" method="post"></form><script>document.forms[0].submit()</script>',
    ],
)
async def test_a_page_cannot_leave_either(
    site: Site, make_fetcher: MakeFetcher, escape: str
) -> None:
    outside = Outside()
    async with outside.open() as address:
        page = f"<html><body>{escape.format(out=f'http://{address}')}</body></html>"
        site.routes["leaves"] = lambda asked: Told(page.encode())
        one = await show(make_fetcher, site.url("/leaves"), settle="1s")
    assert outside.hits == []
    assert one.verdict is Verdict.NOT_ALLOWED
    assert "not in domains.yaml" in one.rule


async def test_documents_obey_robots_and_paths_on_every_hop(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["frames"] = lambda asked: Told(
        b'<html><iframe src="/private/1"></iframe><iframe src="/to?url=/private/2"></iframe><h1>ok</h1></html>'
    )
    async with make_fetcher({"paths": ["/frames", "/to", "/p/"]}) as fetcher:
        assert (
            await fetcher.fetch(site.url("/frames"), access=rendered())
        ).verdict is Verdict.OK
        moved = await fetcher.fetch(site.url("/to?url=/list/0"), access=rendered())
        assert moved.verdict is Verdict.NOT_ALLOWED
        assert "no path prefix" in moved.rule
    assert not site.hits("/private/")
    assert not site.hits("/list/")


DATA = """<html><body><h1>here</h1><img src="/private/picture.png"><link rel="stylesheet" href="/private/style.css">
<iframe src="/private/frame"></iframe><script src="/private/script.js"></script><script>
const quiet = {mode: "no-cors"}
fetch("/private/fetch", quiet); fetch("/to?url=/private/moved", quiet); new EventSource("/private/events")
navigator.sendBeacon("/private/beacon", "x"); fetch("/private/preflight", {method: "PUT"}).catch(() => 0)
const asked = new XMLHttpRequest(); asked.open("GET", "/private/request"); asked.send()
const blob = text => URL.createObjectURL(new Blob([text])), closed = location.origin + "/private/"
const text = name => blob("fetch('" + closed + name + "', {mode: 'no-cors'})")
new Worker(text("worker")); new Worker(blob("new Worker('" + text("nested") + "')"))
new SharedWorker(text("shared"))
</script></body></html>"""


async def test_what_a_page_asks_for_obeys_robots_but_for_its_looks_and_its_scripts(
    site: Site, make_fetcher: MakeFetcher
) -> None:
    site.routes["data"] = lambda asked: Told(DATA.encode())
    one = await show(make_fetcher, site.url("/data"), media=True, settle="1s")
    assert one.verdict is Verdict.OK
    asked_for = {hit.path.rpartition("/")[2] for hit in site.hits("/private/")}
    assert asked_for == {"picture.png", "style.css", "script.js"}
