"""The browser rung over TLS, where the connections it opens tell host and port only: path rules hold all the same."""

import asyncio
from pathlib import Path

import pytest

from crawloop_assets.access.chromium import launch as chromium
from crawloop_assets.access.chromium import screen
from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.access.fetched import Fetched
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.family import Access, BrowserOptions, Domain, Domains, Rung
from crawloop_assets.page import Verdict
from tests.access.chromium.test_browser_ways_out import INSIDE
from tests.access.chromium.test_tunnel import secured
from tests.access.conftest import certificate
from tests.access.site import Site
from tests.access.wire import Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]
HOST = "secure.test"

# What only a page of a secure origin may try, or what does not go through the page's own requests.
SECURE = """<script>
attempt("dedicated worker", () => new Worker("/open/worker.js"))
attempt("module worker", () => new Worker("/open/worker.js", {{type: "module"}}))
attempt("forbidden worker", () => new Worker("{out}/as-worker.js"))
attempt("shared worker", () => new SharedWorker("/open/shared.js"))
attempt("data worker", () => new Worker("data:text/javascript,fetch('{out}/data-worker',{{mode:'no-cors'}})"))
attempt("nested worker", () => new Worker(URL.createObjectURL(new Blob([
  "new Worker(URL.createObjectURL(new Blob([\\"fetch('{out}/nested-worker', {{mode: 'no-cors'}})\\"])))"]))))
attempt("worklet", () => CSS.paintWorklet && CSS.paintWorklet.addModule("{out}/worklet.js").catch(() => 0))
attempt("audio worklet", () => new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule("{out}/audio.js"))
attempt("late fetch", () => fetch("{out}/late", {{method: "POST", body: "x", duplex: "half"}}).catch(() => 0))
attempt("fetchLater", () => fetchLater("{out}/later", {{activateAfter: 0}}))
attempt("identity", () => navigator.credentials.get({{identity: {{providers: [
  {{configURL: "{out}/identity.json", clientId: "1"}}]}}}}).catch(() => 0))
attempt("payment", () => new PaymentRequest([{{supportedMethods: "{out}/pay"}}],
  {{total: {{label: "x", amount: {{currency: "EUR", value: "1"}}}}}}).canMakePayment().catch(() => 0))
attempt("own websocket", () => new WebSocket("wss://" + location.host + "/closed/own-socket"))
attempt("background fetch", () => navigator.serviceWorker.register("/open/worker.js", {{scope: "/open/"}}).then(
  found => found.backgroundFetch.fetch("x", ["{out}/background"])).catch(() => 0))
attempt("frame worker", () => {{ const frame = document.createElement("iframe"); document.body.append(frame)
  const text = "fetch('{out}/frame-worker', {{mode: 'no-cors'}})"
  new frame.contentWindow.Worker(URL.createObjectURL(new Blob([text]))) }})
attempt("blob frame", () => {{ const frame = document.createElement("iframe")
  frame.src = URL.createObjectURL(new Blob(["<script>new Worker(URL.createObjectURL(new Blob(['" +
  "fetch(`{out}/blob-frame-worker`, {{mode: `no-cors`}})']))); fetch('{out}/blob-frame', {{mode: 'no-cors'}})</scr" +
  "ipt>"], {{type: "text/html"}})); document.body.append(frame) }})
</script>
<iframe sandbox="allow-scripts" src="/open/frame"></iframe>
<iframe sandbox="allow-scripts" srcdoc="<script>fetch('{out}/sandboxed-srcdoc', {{mode: 'no-cors'}})</script>"></iframe>
<iframe src="https://{host}/open/frame"></iframe>
<fencedframe src="{out}/fenced"></fencedframe>
<link rel="prerender" href="{out}/old-prerender"><link rel="manifest" href="{out}/manifest.json">
<script type="speculationrules">{{"prerender": [{{"source": "list", "urls": ["{out}/prerender2"], "eagerness":
"immediate"}}], "prefetch": [{{"source": "list", "urls": ["{out}/speculated2"], "eagerness": "immediate"}}]}}</script>
"""
WORKER = """
fetch("/closed/from-{name}", {{mode: "no-cors"}}); fetch("/to?url=/closed/by-redirect-{name}", {{mode: "no-cors"}})
new WebSocket("wss://" + location.host + "/closed/socket-of-{name}")
importScripts("/closed/import-of-{name}.js")
"""
REPORTED = {
    "Reporting-Endpoints": 'default="https://secure.test/closed/reports"',
    "Report-To": '{"group":"default","max_age":60,"endpoints":[{"url":"https://secure.test/closed/reports"}]}',
    "NEL": '{"report_to":"default","max_age":60,"success_fraction":1.0}',
    "Link": "</closed/early.css>; rel=preload; as=style, </closed/early>; rel=prefetch",
    "Content-Security-Policy": "img-src 'none'; report-uri https://secure.test/closed/policy",
}


def spy(site: Site, out: str) -> None:
    """Pages that try everything to get at `out`."""
    page = (
        (INSIDE + SECURE)
        .replace("/to?url=", "/open/to?url=")
        .format(out=out, host=HOST)
    )

    def asked_for(asked: object) -> Told:
        name = asked.parts[1]  # type: ignore[attr-defined]
        if name == "page":
            return Told(page.encode(), headers=REPORTED)
        if name == "to":
            return site.on_to(asked)  # type: ignore[arg-type]
        if name == "frame":
            return Told(
                f"<script>fetch('{out}/of-frame', {{mode: 'no-cors'}}); new Worker('/open/worker.js')</script>".encode()
            )
        return Told(
            WORKER.format(name=name.partition(".")[0]).encode(), kind="text/javascript"
        )

    site.routes["open"] = asked_for
    site.routes["closed"] = lambda asked: Told(b"leaked", kind="text/javascript")


async def show(
    site: Site, var: Path, port: int, *paths: str, settle: str = "1s"
) -> Fetched:
    options = {
        "robots": "ignore",
        "robots_reason": "a test",
        "max_rps": 1_000,
        "resolve": f"127.0.0.1:{port}",
    }
    domain = Domain.model_validate({"host": HOST, "paths": paths, **options})
    access = Access(
        render=True,
        ladder=(Rung.BROWSER,),
        browser=BrowserOptions(media=True, wait_for="body[data-tried]", settle=settle),
    )
    async with Fetcher(Domains(domains=(domain,)), var) as fetcher:
        return await fetcher.fetch(f"https://{HOST}/open/page", access=access)


async def test_no_way_to_a_path_that_is_not_listed(
    site: Site, tmp_path: Path, trusted: tuple[Path, Path]
) -> None:
    async with secured(site, *trusted) as port:
        spy(site, f"https://{HOST}/closed")
        one = await show(site, tmp_path, port, "/open/")
        await asyncio.sleep(1)
    assert [hit.path for hit in site.log if not hit.path.startswith("/open/")] == []
    assert (one.verdict, one.status) == (Verdict.OK, 200)
    asked_for = {hit.path for hit in site.log}
    assert {"/open/worker.js", "/open/frame"} <= asked_for
    assert "/open/shared.js" not in asked_for, "there are no shared workers"


async def test_the_same_page_does_get_there_where_it_may(
    site: Site,
    tmp_path: Path,
    trusted: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The whole host is listed: nothing is looked into, and the browser has to take the test's certificate itself.
    monkeypatch.setattr(
        chromium, "_FLAGS", (*chromium._FLAGS, "--ignore-certificate-errors")
    )
    # Windows open too, so that each way there is tried.
    monkeypatch.setitem(screen._NO_WINDOWS, "name", "X-Nothing")
    async with secured(site, *trusted) as port:
        spy(site, f"https://{HOST}/closed")
        await show(site, tmp_path, port, "/", settle="6s")
    got = {hit.path for hit in site.hits("/closed")}
    ways = [
        "worker",
        "worker-socket",
        "imported.js",
        "socket",
        "from-worker",
        "socket-of-worker",
        "import-of-worker.js",
    ]
    ways += [
        "popup",
        "form-popup",
        "reports",
        "policy",
        "frame-worker",
    ]
    assert [way for way in ways if f"/closed/{way}" not in got] == []
    # What the browser asks for in the page's name, no screen sees: it does not, not even where it may.
    ahead = ["prerender2", "speculated2", "prerender", "speculated"]
    ahead += ["identity.json", "pay"]
    assert [way for way in ahead if f"/closed/{way}" in got] == []
    assert "/.well-known/web-identity" not in {hit.path for hit in site.log}


async def test_a_site_whose_certificate_nobody_vouches_for_is_not_shown(
    site: Site, tmp_path: Path
) -> None:
    async with secured(site, *certificate(tmp_path, HOST)) as port:
        for paths in ("/", "/open/"):
            one = await show(site, tmp_path, port, paths)
            assert (one.verdict, one.page) == (Verdict.TRANSIENT, None)
    assert site.log == []
