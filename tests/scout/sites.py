"""Three small sites of different kinds: a shop with linked data, events in plain HTML,
and a page that a script fills from an API."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Pages = Mapping[str, tuple[str, str]]
HTML, JSON = "text/html; charset=utf-8", "application/json"

_WORDS = [
    "amber",
    "birch",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heron",
    "iris",
    "juniper",
    "kelp",
    "lark",
    "maple",
    "nettle",
    "olive",
    "pine",
    "quartz",
    "reed",
    "sage",
    "thistle",
    "umber",
    "violet",
    "willow",
    "yarrow",
]


@contextmanager
def served(pages: Pages) -> Iterator[str]:
    """Serves pages by their path and query; the address of the site."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = pages.get(self.path, ("", ""))
            body = text.encode()
            self.send_response(200 if kind else 404)
            self.send_header("content-type", kind or "text/plain")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _page(title: str, main: str, head: str = "") -> tuple[str, str]:
    return HTML, (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body>'
        '<header><nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/terms">Terms</a></nav></header>'
        f"<main>{main}</main><footer><p>All rights reserved.</p></footer></body></html>"
    )


# -- a shop -----------------------------------------------------------------------------


def lamp(number: int) -> dict[str, str]:
    """What the shop sells under a number."""
    word = _WORDS[number]
    return {
        "title": f"The {word.title()} lamp",
        "price": f"{20 + 3 * number}.50",
        "sku": f"LA-{1000 + 7 * number}",
        "description": f"A lamp of {word}, {number + 2} hands high, that lights a room of any size.",
    }


def _lamp_page(number: int) -> tuple[str, str]:
    one = lamp(number)
    linked = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": one["title"],
        "sku": one["sku"],
        "description": one["description"],
        "image": f"/img/{number}.jpg",
        "offers": {
            "@type": "Offer",
            "price": one["price"],
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
        },
    }
    main = (
        f'<h1>{one["title"]}</h1><p class="price">€{one["price"]}</p>'
        f"<table><tr><th>Article number</th><td>{one['sku']}</td></tr></table>"
        f'<div class="description"><p>{one["description"]}</p></div>'
    )
    head = f'<script type="application/ld+json">{json.dumps(linked)}</script>'
    return _page(one["title"], main, head)


def shop() -> dict[str, tuple[str, str]]:
    """A listing of three pages with eight lamps each, and a page for each lamp."""
    pages = {f"/lamps/{number}.html": _lamp_page(number) for number in range(24)}
    for page in range(3):
        cards = ""
        for number in range(8 * page, 8 * page + 8):
            one = lamp(number)
            cards += (
                f'<li class="card"><h3><a href="/lamps/{number}.html">{one["title"]}</a></h3>'
                f'<p class="price_color">€{one["price"]}</p><button>Add to basket</button></li>'
            )
        more = f'<ul class="pager"><li class="next"><a href="/?page={page + 2}">next</a></li></ul>'
        main = f"<h1>Lamps</h1><ol>{cards}</ol>{more if page < 2 else ''}"
        pages["/" if page == 0 else f"/?page={page + 1}"] = _page("Lamps", main)
    return pages


# -- events -----------------------------------------------------------------------------


def event(number: int) -> dict[str, str]:
    """What is on under a number."""
    return {
        "date": f"2026-{1 + number % 12:02}-{1 + number:02}",
        "title": f"Evening of {_WORDS[number]}",
        "venue": f"{_WORDS[-1 - number].title()} Hall",
    }


def events() -> dict[str, tuple[str, str]]:
    """A table of events on three pages, without a class or linked data."""
    pages = {}
    for page in range(3):
        rows = "".join(
            f"<tr><td>{one['date']}</td><td>{one['title']}</td><td>{one['venue']}</td></tr>"
            for one in map(event, range(7 * page, 7 * page + 7))
        )
        table = (
            f"<table><tr><th>Date</th><th>Title</th><th>Venue</th></tr>{rows}</table>"
        )
        more = f'<p><a rel="next" href="/events/{page + 2}">More</a></p>'
        path = "/events" if page == 0 else f"/events/{page + 1}"
        pages[path] = _page(
            "Events", f"<h1>What is on</h1>{table}{more if page < 2 else ''}"
        )
    return pages


# -- an API behind a page -----------------------------------------------------------------


def station(number: int) -> dict[str, object]:
    """What the API says of a station."""
    return {
        "id": 100 + number,
        "name": f"{_WORDS[number].title()} Street",
        "bikes": (number * 5) % 17,
        "opened": f"2021-03-{number + 1:02}",
        "location": {"lat": 48.1 + number / 100, "lon": 11.5 - number / 100},
    }


def stations() -> dict[str, tuple[str, str]]:
    """A page that shows nothing until its script has asked the API."""
    script = "<script>fetch('/api/stations?limit=50').then(r => r.json()).then(show)</script>"
    main = f'<div id="app">Loading …</div>{script}'
    body = json.dumps(
        {"count": 20, "stations": [station(number) for number in range(20)]}
    )
    return {"/": _page("Stations", main), "/api/stations?limit=50": (JSON, body)}
