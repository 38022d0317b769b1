"""A shop whose prices and stock move every day, in two designs, and its family; with real workers and a real store."""

import asyncio
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import schema_of
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from crawloop_assets.store.published import published_rows
from tests.models import Ware
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {"family": "shop/ware", "schema": "tests.models:Ware", "discover": {}}
)
PAGES = 20
PLACES = {
    "title": ("h1",),
    "price": ("b", "data"),
    "list_price": ("s", "del"),
    "brand": ("i",),
    "stock": ("u", "output"),
}
Page = Callable[[int, int], str]


def add_version(store: Store, **places: tuple[str, ...]) -> None:
    """A version that reads each field at its places."""
    fields = [
        FieldProgram(
            spec=spec,
            readers=tuple(
                Reader(src=Source.CSS, at=at) for at in (PLACES | places)[spec.name]
            ),
        )
        for spec in schema_of(Ware).fields
    ]
    body = Program(fields=tuple(fields)).to_json()
    version = store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    store.promote(FAMILY.family, version, why="a test")


def price(number: int, day: int) -> str:
    return f"{10 + number + (day * (number + 1) % 7) / 10:.2f}"


def stock(number: int, day: int) -> int:
    return 20 + (number + day) % 9


def old(number: int, day: int) -> str:
    """What a page shows in the old design."""
    return page(number, day) + f"<i>Maker {number}</i><s>{40 + number}.00</s>"


def page(number: int, day: int) -> str:
    return (
        f"<h1>Tea no. {number}</h1>"
        f"<b>{price(number, day)}</b><data>{price(number, day)}</data>"
        f"<u>{stock(number, day)}</u><output>{stock(number, day)}</output>"
    )


def without_brand(number: int, day: int) -> str:
    """A redesign: the maker stands where no reader looks."""
    maker = f"<p class=maker>Maker {number}</p>"
    return page(number, day) + f"<s>{40 + number}.00</s>{maker}"


def without_list_price(number: int, day: int) -> str:
    return page(number, day) + f"<i>Maker {number}</i>"


def refresh(store: Store, day: int, shown: Page, run: str = "") -> ServedBatch:
    pages = [html_page(f"{SITE}/{n}", shown(n, day)) for n in range(PAGES)]
    return refreshed(store, FAMILY, pages, run or f"run-{day}")


def refresh_batch(store: Store, run: str, batch: str, pages: list[str]) -> ServedBatch:
    """One batch of a run that waits for its end; `pages` are their bodies."""
    made = [html_page(f"{SITE}/{batch}-{n}", body) for n, body in enumerate(pages)]
    store.add_urls(FAMILY, [FoundUrl(page.url) for page in made])
    known = {url.url: url for url in store.frontier(FAMILY.family)}
    for page in made:
        store.bodies.put(page.body)
    visits = [Visit(known[page.url], page, Verdict.OK) for page in made]
    server = BatchServer(FAMILY, store, default_pool(), run, refresh=run, unit=run)
    return asyncio.run(server.serve(batch, visits))


def rows(store: Store) -> list[dict[str, Any]]:
    """The published rows, in the order of their pages."""
    found = published_rows(store.publish(), "ware")
    return sorted(
        found, key=lambda row: int(row["_url"].rpartition("/")[2].rpartition("-")[2])
    )


def prices(day: int) -> list[Decimal]:
    return [Decimal(price(number, day)) for number in range(PAGES)]


def brands() -> list[str]:
    return [f"Maker {number}" for number in range(PAGES)]
