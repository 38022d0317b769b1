"""A site with every nuisance a crawler meets, on 127.0.0.1 to 127.0.0.4. Its log is the judge of every test.

`python -m tests.access.serving --port 8801 --products 1000` runs it by itself; `/_log`, `/_set?id=3&v=1` and `/_reset`
read and change it then. Product n lives on host n % 4.
"""

import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from urllib.parse import parse_qs, parse_qsl

from tests.access.shop import list_page, product, product_page
from tests.access.wire import Asked, Hit, Told

PER_LIST = 20
EPOCH = 1_780_000_000


class Site:
    """The state of the site: what was asked, what has been edited."""

    def __init__(
        self,
        products: int = 40,
        hosts: int = 4,
        latency_s: float = 0.0,
        crawl_delay: bool = False,
    ):
        self.products, self.hosts, self.latency_s, self.crawl_delay = (
            products,
            hosts,
            latency_s,
            crawl_delay,
        )
        self.port = 0
        self.log: list[Hit] = []
        self.robots: Callable[[int], Told] = self._robots
        self.routes: dict[str, Callable[[Asked], Told]] = {}
        self.at_once: Counter[int] = Counter()
        self.most_at_once: Counter[int] = Counter()
        self._versions: Counter[int] = Counter()
        self._seen: dict[tuple[int, str], float] = {}
        self._counts: Counter[tuple[int, str]] = Counter()
        self._pages: dict[tuple[int, int, bool], bytes] = {}

    def url(self, path: str, host: int = 0) -> str:
        return f"http://127.0.0.{host + 1}:{self.port}{path}"

    def hits(self, start: str = "/", host: int | None = None) -> list[Hit]:
        """The log without robots.txt, or only paths that start so."""
        return [
            hit
            for hit in self.log
            if hit.path.startswith(start)
            and (host is None or hit.host == host)
            and (hit.path != "/robots.txt" or start == hit.path)
        ]

    def edit(self, number: int, version: int) -> None:
        """Change a product."""
        self._versions[number] = version

    def reset(self) -> None:
        for kept in (
            self.log,
            self._seen,
            self._counts,
            self.at_once,
            self.most_at_once,
        ):
            kept.clear()

    def answer(self, asked: Asked) -> Told:
        name = asked.parts[0]
        if name == "robots.txt":
            return self.robots(asked.host)
        route = self.routes.get(name) or getattr(
            self, f"on_{name.partition('.')[0].replace('-', '_') or 'home'}", None
        )
        return route(asked) if route else Told(b"<h1>404</h1>", 404)

    # --- the shop

    def on_home(self, asked: Asked) -> Told:
        return Told(
            b'<html><body><a href="/list/0">all</a> <a href="/private/1">x</a> <a href="/trap/a">c</a></body></html>'
        )

    def on_list(self, asked: Asked) -> Told:
        numbers = list(range(asked.host, self.products, self.hosts))
        first = asked.number * PER_LIST
        shown = numbers[first : first + PER_LIST]
        if not shown:
            return Told(b"<h1>404</h1>", 404)
        return Told(
            list_page(shown, asked.number + 1 if numbers[first + PER_LIST :] else None)
        )

    def on_p(self, asked: Asked) -> Told:
        number = asked.number
        if (
            number >= self.products
            or number % self.hosts != asked.host
            or not asked.parts[1:]
        ):
            return Told(b"<h1>404</h1>", 404)
        version = self._versions[number]
        zipped = "gzip" in asked.headers.get("accept-encoding", "")
        key = (number, version, zipped)
        if key not in self._pages:
            page = product_page(number, version)
            self._pages[key] = gzip.compress(page, 6) if zipped else page
        tag = hashlib.md5(f"{number}/{version}".encode()).hexdigest()
        headers = {
            "ETag": f'"{tag}"',
            "Last-Modified": formatdate(EPOCH + version * 3600, usegmt=True),
        }
        known = asked.headers.get("if-none-match")
        if (known and tag in known) or (
            not known
            and asked.headers.get("if-modified-since") == headers["Last-Modified"]
        ):
            return Told(status=304, headers=headers)
        return Told(
            self._pages[key],
            headers=headers | ({"Content-Encoding": "gzip"} if zipped else {}),
        )

    on_dup = on_p

    def on_api(self, asked: Asked) -> Told:
        number = int(asked.parts[2])
        return _json(vars(product(number, self._versions[number])))

    def on_search(self, asked: Asked) -> Told:
        """A POST API with pages: {"page": n} in, products and the next page's number out."""
        page = json.loads(asked.body or b"{}").get("page", 0)
        numbers = range(asked.host, self.products, self.hosts)[page * 5 : page * 5 + 5]
        return _json(
            {
                "items": [vars(product(number)) for number in numbers],
                "asked": asked.method,
            }
        )

    def on_sitemap(self, asked: Asked) -> Told:
        if asked.path == "/sitemap.xml":
            inner = f"<sitemap><loc>{self.url('/sitemap-1.xml.gz', asked.host)}</loc></sitemap>"
            return Told(
                f"<?xml version='1.0'?><sitemapindex {_NS}>{inner}</sitemapindex>".encode(),
                kind="application/xml",
            )
        return Told(b"", 404)

    def on_sitemap_1(self, asked: Asked) -> Told:
        entries = "".join(
            f"<url><loc>{self.url(f'/p/{number}', asked.host)}</loc><lastmod>{self._modified(number)}</lastmod></url>"
            for number in range(asked.host, self.products, self.hosts)
        )
        packed = gzip.compress(
            f"<?xml version='1.0'?><urlset {_NS}>{entries}</urlset>".encode()
        )
        return Told(packed, kind="application/gzip")

    def _modified(self, number: int) -> str:
        return time.strftime(
            "%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH + self._versions[number] * 3600)
        )

    def _robots(self, host: int) -> Told:
        delay = "Crawl-delay: 1\n" if self.crawl_delay and host == 3 else ""
        rules = f"Disallow: /private/\nAllow: /private/ok\nDisallow: /*?sess=\nDisallow: /trap/\n{delay}"
        text = f"User-agent: *\n{rules}\nUser-agent: badbot\nDisallow: /\n\nSitemap: {self.url('/sitemap.xml', host)}\n"
        return Told(text.encode(), kind="text/plain")

    # --- redirects and dead ends

    def on_old(self, asked: Asked) -> Told:
        return _to(f"/p/{asked.number}", 301)

    def on_tmp(self, asked: Asked) -> Told:
        return _to(f"/p/{asked.number}")

    def on_chain(self, asked: Asked) -> Told:
        """/chain/ID/N redirects N times before it reaches the product."""
        left = int((*asked.parts, "0", "3")[2] if len(asked.parts) > 2 else 3)
        return _to(
            f"/chain/{asked.number}/{left - 1}" if left > 1 else f"/p/{asked.number}"
        )

    def on_loop(self, asked: Asked) -> Told:
        return _to("/loop")

    def on_endless(self, asked: Asked) -> Told:
        return _to(f"/endless/{asked.number + 1}")

    def on_off(self, asked: Asked) -> Told:
        host = (asked.host + 1) % self.hosts
        return _to(self.url(f"/p/{host}", host))

    def on_to(self, asked: Asked) -> Told:
        return _to(
            parse_qs(asked.query)["url"][0],
            int(parse_qs(asked.query).get("status", ["302"])[0]),
        )

    def on_gone(self, asked: Asked) -> Told:
        return Told(b"<h1>Gone</h1>", 410)

    def on_status(self, asked: Asked) -> Told:
        return Told(b"<h1>no</h1>", asked.number)

    def on_soft404(self, asked: Asked) -> Told:
        return Told(
            b"<html><head><title>Page not found</title></head><body><h1>Page not found</h1></body></html>"
        )

    def on_private(self, asked: Asked) -> Told:
        links = "".join(
            f'<a href="{asked.path.rstrip("/")}/{name}">{name}</a>' for name in "ab"
        )
        return Told(f"<html><body>{links}</body></html>".encode())

    on_trap = on_private

    # --- overload and failure

    def on_limited(self, asked: Asked) -> Told:
        """429 until the time it asks to wait is over: /limited/ID?wait=2."""
        wait = parse_qs(asked.query).get("wait", ["1"])[0]
        return self._busy(asked, 429, float(wait), {"Retry-After": wait})

    def on_limdate(self, asked: Asked) -> Told:
        until = int(self._seen.get((asked.host, asked.target), time.time())) + 2
        return self._busy(
            asked,
            503,
            until - time.time(),
            {"Retry-After": formatdate(until, usegmt=True)},
            until,
        )

    def _busy(
        self,
        asked: Asked,
        status: int,
        wait_s: float,
        headers: dict[str, str],
        until: float | None = None,
    ) -> Told:
        first = self._seen.setdefault((asked.host, asked.target), time.time())
        if time.time() < (first + wait_s if until is None else until):
            return Told(b"later", status, headers=headers)
        return Told(b"<html><body><h1>ok</h1></body></html>")

    def on_flaky(self, asked: Asked) -> Told:
        self._counts[asked.host, asked.path] += 1
        return (
            Told(b"no", 500)
            if self._counts[asked.host, asked.path] < 3
            else Told(b"<html><h1>ok</h1></html>")
        )

    def on_always500(self, asked: Asked) -> Told:
        return Told(b"no", 500)

    def on_slow(self, asked: Asked) -> Told:
        return Told(b"<html><h1>slow</h1></html>", delay_s=float(asked.query or 1))

    def on_drip(self, asked: Asked) -> Told:
        return Told(b"x" * 1_000, drip_s=0.05)

    def on_trunc(self, asked: Asked) -> Told:
        return Told(product_page(asked.number)[:20_000], length=50_000)

    def on_trunczip(self, asked: Asked) -> Told:
        half = gzip.compress(product_page(asked.number))[:5_000]
        return Told(half, headers={"Content-Encoding": "gzip"})

    def on_big(self, asked: Asked) -> Told:
        return Told(b"a" * (int(asked.query or 30) << 20))

    def on_bomb(self, asked: Asked) -> Told:
        return Told(_bomb(), headers={"Content-Encoding": "gzip"})

    def on_headers(self, asked: Asked) -> Told:
        return Told(
            b"ok", headers={f"X-Filler-{index}": "y" * 4_000 for index in range(300)}
        )

    # --- letters, walls and doors

    def on_latin1(self, asked: Asked) -> Told:
        page = '<html><head><meta charset="iso-8859-1"></head><body><h1>Café naïve £</h1></body></html>'
        return Told(page.encode("latin-1"), kind="text/html")

    def on_sjis(self, asked: Asked) -> Told:
        page = "<html><body><h1>日本語テスト</h1></body></html>"
        return Told(page.encode("shift_jis"), kind="text/html; charset=Shift_JIS")

    def on_challenge(self, asked: Asked) -> Told:
        status = int(asked.query or 403)
        page = b"<html><head><title>Just a moment...</title></head><script src='/cdn-cgi/x.js'></script></html>"
        return Told(
            page, status, headers={"cf-mitigated": "challenge"} if status == 403 else {}
        )

    def on_login(self, asked: Asked) -> Told:
        form = dict(parse_qsl(asked.body.decode()))
        if (
            asked.method == "POST"
            and form.get("user") == "ann"
            and form.get("password") == "secret"
        ):
            return Told(
                b"<html>Welcome</html>",
                headers={"Set-Cookie": "session=s3; Path=/; HttpOnly"},
            )
        hidden = '<input type="hidden" name="token" value="t1">'
        return Told(
            f'<html><form method="post">{hidden}<input type="password" name="password"></form></html>'.encode()
        )

    def on_members(self, asked: Asked) -> Told:
        if "session=s3" in asked.headers.get("cookie", ""):
            return Told(b"<html><h1>member page</h1></html>")
        return Told(b"<html>log in first</html>", 401)

    def on_token(self, asked: Asked) -> Told:
        good = asked.headers.get("x-crawl-token") == "agreed"
        return Told(b"<html><h1>for partners</h1></html>") if good else Told(b"no", 403)

    def on_echo(self, asked: Asked) -> Told:
        return _json(
            {
                "method": asked.method,
                "headers": asked.headers,
                "body": asked.body.decode(),
            }
        )

    def on_cookie(self, asked: Asked) -> Told:
        if "seen=1" in asked.headers.get("cookie", ""):
            return Told(b"<html><h1>ok</h1></html>")
        return Told(
            status=302, headers={"Location": asked.path, "Set-Cookie": "seen=1; Path=/"}
        )

    # --- its own controls

    def on__log(self, asked: Asked) -> Told:
        return _json([[hit.at, hit.host, hit.path, hit.status] for hit in self.log])

    def on__set(self, asked: Asked) -> Told:
        change = dict(parse_qsl(asked.query))
        self.edit(int(change["id"]), int(change["v"]))
        return Told(b"ok")

    def on__reset(self, asked: Asked) -> Told:
        self.reset()
        return Told(b"ok")


_NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_BOMB: list[bytes] = []


def _bomb() -> bytes:
    """64 MB of zeros in 64 KB."""
    if not _BOMB:
        _BOMB.append(gzip.compress(bytes(64 << 20), 9))
    return _BOMB[0]


def _json(data: object) -> Told:
    return Told(json.dumps(data).encode(), kind="application/json")


def _to(url: str, status: int = 302) -> Told:
    return Told(status=status, headers={"Location": url})
