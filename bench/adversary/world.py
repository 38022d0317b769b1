"""What the sites of the world answer."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from bench.adversary import shop
from bench.adversary.browser_pages import Escape
from bench.adversary.hostile import Attack
from bench.adversary.sites import SITES
from bench.adversary.urls import EVIL, Bait
from bench.adversary.web import Question, Reply

CARRIERS = {
    "link": '<a href="{u}">x</a>',
    "next page": '<link rel="next" href="{u}"><a class="next" rel="next" href="{u}">next</a>',
    "canonical": '<link rel="canonical" href="{u}">',
    "form": '<form action="{u}"></form>',
    "frame": '<iframe src="{u}"></iframe>',
    "area": '<map><area href="{u}"></map>',
    "base": '<base href="{u}"><a href="x">x</a>',
    "meta refresh": '<meta http-equiv="refresh" content="0; url={u}">',
    "linked data": '<script type="application/ld+json">{{"@type": "Product", "url": "{u}", "image": "{u}"}}</script>',
    "alternate": '<link rel="alternate" hreflang="de" href="{u}"><meta property="og:url" content="{u}">',
    "Refresh header": "Refresh: 0; url={u}",
    "Link header": 'Link: <{u}>; rel="next"',
}
"""How a page leads to another one; what has a colon first is a header."""
_STATUSES = (301, 302, 303, 307, 308)
_OUTWARD = re.compile(r"/to/([qb]\d{5})")
_BREAKS = re.compile("[\r\n\0]")
_SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


@dataclass
class World:
    """What is served now; the harness fills it before a run, and edits the shop in
    between.

    `honest` and `hostile` are the numbers of the wares that are shown as they are, and
    of those that are attacks.
    """

    honest: Sequence[int] = ()
    hostile: dict[int, Attack] = field(default_factory=dict)
    edition: int = 0
    moved: Sequence[Bait] = ()
    carried: Sequence[Bait] = ()
    mapped: Sequence[Bait] = ()
    maps: Sequence[Bait] = ()
    escapes: Sequence[Escape] = ()
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, question: Question) -> Reply:
        """What somebody gets, whoever it is: nothing is refused here, so that whatever
        is asked for succeeds."""
        host, path = question.host.partition(":")[0], question.target.partition("?")[0]
        if host not in SITES:
            return Reply(
                b"<h1>outside</h1>", headers=[("Access-Control-Allow-Origin", "*")]
            )
        if path == "/robots.txt":
            return self._robots(host)
        if found := _OUTWARD.search(path):
            return Reply(
                status=302,
                headers=[("Location", f"https://{found[1]}.{EVIL}/{found[1]}")],
            )
        name, _, rest = path.removeprefix(SITES[host].paths).partition("/")
        route = _ROUTES.get(name)
        number = re.fullmatch(r"\d{1,6}", rest)
        if route is None or (name not in _UNNUMBERED and number is None):
            return _ware(len(path), 0)
        return route(self, int(rest or 0))

    def _robots(self, host: str) -> Reply:
        """The rules of a site; the shop's and the open site's name hostile sitemaps."""
        rules = f"User-agent: *\nDisallow: {SITES[host].closed}\n"
        named = [f"Sitemap: {_BREAKS.sub('', bait.url)}" for bait in self.maps]
        named.append(f"Sitemap: {SITES[host].url}{SITES[host].paths}map/")
        return Reply(
            (rules + "\n".join(named)).encode("utf-8", "replace"), kind="text/plain"
        )

    def _list(self, number: int) -> Reply:
        """All wares, the hostile ones among the honest ones."""
        numbers = sorted([*self.honest, *self.hostile])
        return Reply(shop.listing([f"/shop/p/{one}" for one in numbers]).encode())

    def _page(self, number: int) -> Reply:
        """A ware: an attack where its number says so."""
        attack = self.hostile.get(number)
        if attack is None:
            return _ware(number, self.edition if number in self.honest else 0)
        # Some take a second to make: not more than one at a time.
        with self.lock:
            return attack.make()

    def _go(self, number: int) -> Reply:
        """A redirect to a trick."""
        target = _BREAKS.sub("", self.moved[number].url).encode("utf-8", "replace")
        status = _STATUSES[number % len(_STATUSES)]
        return Reply(status=status, headers=[("Location", target.decode("latin-1"))])

    def _carry(self, number: int) -> Reply:
        """A page that leads to a trick, in its own way each."""
        ways = dict(enumerate(CARRIERS.values()))
        return carrying(ways[number % len(ways)], self.carried[number].url, number)

    def _escape(self, number: int) -> Reply:
        """A page that wants out of its browser."""
        return self.escapes[number].reply

    def _map(self, number: int) -> Reply:
        """A sitemap of tricks."""
        urls = "".join(
            f"<url><loc>{escape(bait.url)}</loc></url>" for bait in self.mapped
        )
        text = _SITEMAP.format(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", urls))
        return Reply(text.encode("utf-8", "replace"), kind="application/xml")


def carrying(way: str, url: str, number: int) -> Reply:
    """A ware's page that leads to a url."""
    name, is_header, value = way.partition(": ")
    if is_header and name in ("Refresh", "Link"):
        target = _BREAKS.sub("", url).encode("utf-8", "replace").decode("latin-1")
        reply = _ware(number, 0)
        reply.headers.append((name, value.format(u=target)))
        return reply
    said = shop.Texts.of(number)
    text = shop.page(said).replace("</head>", way.format(u=escape(url)) + "</head>")
    return Reply(text.encode("utf-8", "replace"))


def _ware(number: int, edition: int) -> Reply:
    return Reply(shop.page(shop.Texts.of(number, edition)).encode())


_ROUTES: dict[str, Callable[[World, int], Reply]] = {
    "list": World._list, "p": World._page, "alone": World._page, "go": World._go, "l": World._carry, "map": World._map,
    "b": World._escape,
}  # fmt: skip
_UNNUMBERED = frozenset({"list", "map"})


def carrier_of(number: int) -> str:
    """The name of the way in which a page leads on."""
    return list(CARRIERS)[number % len(CARRIERS)]
