"""Run by .ci/wheel in an empty venv outside the checkout: the package imports, compiles, extracts, defines."""

import sys
from decimal import Decimal
from pathlib import Path

from pydantic import BaseModel

import crawloop_assets

assert "site-packages" in crawloop_assets.__file__, crawloop_assets.__file__
heavy = {"dagster", "duckdb", "httpx", "litellm"} & set(sys.modules)
assert not heavy, f"importing crawloop_assets loads {heavy}"

from crawloop_assets import Page, compile_crawler, extract  # noqa: E402


class Item(BaseModel):
    """What the smoke pages hold."""

    title: str
    price: Decimal


def page(number: int) -> Page:
    """A small product page."""
    html = f"""<html><head><title>Lamp {number}</title></head><body><div class="item">
    <h1 class="title">Lamp {number}</h1>
    <span class="price">{number}9.50 EUR</span></div></body></html>"""
    return Page(
        url=f"https://shop.test/{number}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


examples = [(page(n), [{"title": f"Lamp {n}", "price": f"{n}9.50"}]) for n in (1, 2, 3)]
crawler = compile_crawler(Item, examples=examples)
(record,) = extract(crawler, page(7)).records
assert record == Item(title="Lamp 7", price=Decimal("79.50")), record

from crawloop_assets.definitions import defs  # noqa: E402

assets = defs().get_repository_def().asset_graph.get_all_asset_keys()
assert assets, "the shipped families define no asset"
import resources  # noqa: E402
import schemas  # noqa: E402

assert (
    Path(resources.__file__).parents[1]
    == Path(crawloop_assets.__file__).parents[1]
    == Path(schemas.__file__).parents[1]
)
print(f"{len(assets)} assets from the wheel")
