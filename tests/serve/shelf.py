"""A site whose prices move, its family after some days, and one more day: with real requests, store and workers."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from crawloop_assets.access.fetcher import Fetcher, Patience
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from tests.access.site import Site
from tests.access.wire import Asked, Hit, Told
from tests.serve.readings import program

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {},
        "batch_size": 100,
    }
)
PAGES, DAYS = 40, 4
CENTS, WRONG, RIGHT = "0.13", "41.00", "13.00"
"""A hundredth of the price, and one that is thrice as much: doubtful, and improbable."""


class Shelf:
    """Pages with a title and a price; a third of the prices move every day.

    `says` are the answers of a page for the requests to come, the last of them for ever: prices, or whole answers.
    """

    def __init__(self) -> None:
        self.day = 0
        self.says: dict[int, list[str | Told]] = {}
        self.headers: dict[int, dict[str, str]] = {}

    def price(self, number: int) -> str:
        moved = self.day if number % 3 == 1 else 0
        return f"{10 + number + moved / 10:.2f}"

    def __call__(self, asked: Asked) -> Told:
        said = self.says.get(asked.number, [self.price(asked.number)])
        told = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(told, Told):
            return told
        tag = f'"{asked.number}-{told}"'
        if asked.headers.get("if-none-match") == tag:
            return Told(status=304)
        body = f"<!DOCTYPE html><html><body><h1>Tea no. {asked.number}</h1><b>{told}</b></body></html>"
        more = {}
        if "no-cache" not in asked.headers.get("cache-control", ""):
            more = self.headers.get(asked.number, {})
        return Told(body.encode(), headers={"ETag": tag, **more})


def stocked(site: Site, shelf: Shelf, tmp_path: Path, pages: int) -> Store:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    shelve(store, site, FAMILY, pages)
    for _ in range(DAYS):
        refresh(store, site, shelf)
    return store


def shelve(store: Store, site: Site, family: Family, pages: int) -> None:
    """The urls of a family, and a crawler that reads them."""
    store.add_urls(
        family, [FoundUrl(site.url(f"/item/{number}")) for number in range(pages)]
    )
    body = program().to_json()
    version = store.add_crawler(NewCrawler(family=family.family, body=body))
    store.promote(family.family, version, why="a test")


def refresh(store: Store, site: Site, shelf: Shelf, **domain: Any) -> ServedBatch:
    """One more day; the log of the site begins anew."""
    site.reset()
    shelf.day += 1
    (served,) = stream(store, site, f"run-{shelf.day}", **domain).run(["000001"])
    return served


def stream(store: Store, site: Site, run_id: str, **domain: Any) -> Stream:
    policy = {"host": "127.0.0.1", "scheme": "http", "port": site.port} | {
        "private": True,
        "max_rps": 2_000,
        **domain,
    }
    fetcher = Fetcher(
        Domains(domains=(Domain.model_validate(policy),)),
        store.var,
        patience=Patience(retries=3, base_s=0.01),
    )
    server = BatchServer(FAMILY, store, default_pool(), run_id, refresh=run_id)
    return Stream(server, fetcher)


def asked(site: Site, number: int) -> list[Hit]:
    """The requests for a page."""
    return [hit for hit in site.log if hit.path == f"/item/{number}"]


def price(store: Store, site: Site, number: int) -> Decimal:
    (row,) = store.known(FAMILY)[site.url(f"/item/{number}")]
    return Decimal(row["price"])
