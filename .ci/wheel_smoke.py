"""Run by .ci/wheel in an empty venv outside the checkout: the package imports, compiles and extracts."""

import importlib.util
import sys
from decimal import Decimal

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

for name in ("resources", "schemas"):
    assert importlib.util.find_spec(name) is None, f"the wheel takes the name {name!r}"
print("the wheel compiles and extracts, and takes one name")
