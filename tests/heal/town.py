"""A small site with two families, its store and real workers: goods under /p/ and makers under /m/, in two designs."""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.job import regenerate_family
from crawloop_assets.heal.regenerate import Regeneration, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, Store


class Good(BaseModel):
    """What is sold."""

    title: str
    price: Decimal
    maker: str | None = None
    stock: str | None = None


class Craft(BaseModel):
    """Who makes it."""

    name: str
    place: str | None = None
    maker: str | None = None


GOODS = Family.model_validate(
    {"family": "town/good", "schema": "tests.heal.town:Good", "discover": {}}
)
CRAFTS = Family.model_validate(
    {"family": "town/craft", "schema": "tests.heal.town:Craft", "discover": {}}
)
NAMES = (
    "Walnut lamp",
    "Oak shelf",
    "Brass hook",
    "Paper kite",
    "Linen bag",
    "Stone bowl",
    "Glass jar",
    "Iron pan",
)
MAKERS = (
    "Lumen & Sons",
    "Nordlys",
    "Officina Otto",
    "Washi Works",
    "Vela",
    "Hesper",
    "Calluna",
    "Brook Brothers",
)
PLACES = ("Harlow", "Bergen", "Parma", "Kyoto", "Porto", "Ghent", "Cork", "Leeds")


def good(at: int, **changes: str) -> dict[str, str]:
    """What is known of a good."""
    return {"title": NAMES[at], "price": f"{at + 3}.50", "maker": MAKERS[at]} | changes


def craft(at: int, **changes: str) -> dict[str, str]:
    """What is known of a craft."""
    return {
        "name": f"{NAMES[at]} making",
        "place": PLACES[at],
        "maker": MAKERS[at],
    } | changes


def old(family: Family, at: int, values: Mapping[str, str]) -> Page:
    """A page of the first design."""
    head = values.get("title") or values["name"]
    rest = [
        (name, value) for name, value in values.items() if name not in ("title", "name")
    ]
    rows = "".join(
        f"<dt>{name.title()}</dt><dd class='{name}-now'>{_shown(name, value)}</dd>"
        for name, value in rest
    )
    return _page(
        family,
        at,
        f"<main class='sheet'><h1 class='head-line'>{head}</h1><dl>{rows}</dl></main>",
    )


def new(family: Family, at: int, values: Mapping[str, str]) -> Page:
    """A page of the second design: classes say nothing, and of all labels those of price and maker alone are left."""
    head = values.get("title") or values["name"]
    rest = [
        (name, value) for name, value in values.items() if name not in ("title", "name")
    ]
    labels = {"price": "Price: ", "maker": "Maker: "}
    rows = "".join(
        f"<div>{labels.get(name, '')}<i class='q{len(name)}'>{_shown(name, value)}</i></div>"
        for name, value in rest
    )
    return _page(
        family, at, f"<section id='top'><h2 class='t1'>{head}</h2>{rows}</section>"
    )


def _shown(name: str, value: str) -> str:
    return f"${value}" if name == "price" else value.replace("&", "&amp;")


def _page(family: Family, at: int, body: str) -> Page:
    kind = "p" if family is GOODS else "m"
    filler = "Everything here is made by hand and lasts for years. " * 12
    html = f"<!DOCTYPE html><html lang='en'><head><title>The town</title></head><body>{body}<p>{filler}</p></body></html>"
    return Page(
        url=f"http://town.test/{kind}/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


class Town:
    """The store of the site, and what a run does with its pages."""

    def __init__(self, folder: Path):
        self.store = Store(folder / "var", folder / "crawloop.duckdb", wait_s=10)
        self.folder, self.runs = folder / "var", 0

    def learn(
        self, family: Family, pages: Sequence[Page], known: Sequence[Mapping[str, Any]]
    ) -> Regeneration:
        """The first version of a family."""
        examples = tuple(
            Example(page=at, records=(dict(values),)) for at, values in enumerate(known)
        )
        made = Regenerator(family, self.store, default_pool(), self._run())
        return made.first(HealSample(tuple(pages), examples))

    def read(self, family: Family, pages: Sequence[Page]) -> ServedBatch:
        """One run over pages that were just fetched."""
        self.store.add_urls(family, [FoundUrl(page.url) for page in pages])
        for page in pages:
            self.store.bodies.put(page.body)
        urls = {url.url: url for url in self.store.frontier(family.family)}
        server = BatchServer(family, self.store, default_pool(), self._run())
        return asyncio.run(
            server.serve(
                "000001", [Visit(urls[page.url], page, Verdict.OK) for page in pages]
            )
        )

    def refresh(self, family: Family, pages: Sequence[Page]) -> bool:
        """One refresh over pages that were just fetched, to the end of its run; whether the
        family is red then."""
        self.store.add_urls(family, [FoundUrl(page.url) for page in pages])
        for page in pages:
            self.store.bodies.put(page.body)
        urls = {url.url: url for url in self.store.frontier(family.family)}
        visits = [Visit(urls[page.url], page, Verdict.OK) for page in pages]
        run = self._run()
        server = BatchServer(
            family, self.store, default_pool(), run, refresh=run, unit=run
        )
        asyncio.run(server.serve("000001", visits))
        server.settle()
        self.store.pending.settle(family, run)
        return bool(self.store.past.red(family.family))

    def regenerate(self, family: Family, wave: str | None = "heal0") -> Regeneration:
        """One regeneration run; it fetches nothing."""
        fetcher: Any = None
        return regenerate_family(
            family, self.store, default_pool(), fetcher, run_id=self._run(), wave=wave
        )

    def published(self, family: Family) -> dict[str, dict[str, Any]]:
        """Url -> the values analysts see."""
        return {url: rows[0] for url, rows in self.store.known(family).items()}

    def _run(self) -> str:
        self.runs += 1
        return f"run-{self.runs}"
