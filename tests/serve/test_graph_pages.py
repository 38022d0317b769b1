"""A page whose linked data is a graph of all products of the shop speaks for its own record, or for none."""

import json
from pathlib import Path
from time import monotonic

import pytest

from crawloop_assets.family import Family
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Limits
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.commit import published
from crawloop_assets.store import NewCrawler, Store
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed

FAMILY = Family.model_validate(
    {
        "family": "shop/stock",
        "schema": "tests.models:Numbered",
        "key": ["sku"],
        "discover": {},
    }
)
PAGES = 20
PRODUCTS = 40_000
SEVENTH = f"{SITE}/7"
FIRST = f"{SITE}/0"


def stated(number: int) -> dict[str, object]:
    """What a page states of a product."""
    return {
        "@type": "Product",
        "sku": f"S-{number}",
        "name": f"Lamp {number}",
        "offers": {"price": f"{number}.50"},
    }


def product_page(number: int, data: object) -> Page:
    """A page that shows one product and states this."""
    text = json.dumps(data, separators=(",", ":"))
    return html_page(
        f"{SITE}/{number}",
        f'<html><head><title>Lamp {number}</title><script type="application/ld+json">{text}</script></head>'
        f"<body><h1>Lamp {number}</h1><p class=price>{number}.50</p></body></html>",
    )


def shop(graph: object = None) -> list[Page]:
    """All pages; the seventh states a graph."""
    pages = [product_page(number, stated(number)) for number in range(PAGES)]
    if graph is not None:
        pages[7] = product_page(7, graph)
    return pages


def serve_day(store: Store, day: int, pages: list[Page]) -> ServedBatch:
    return refreshed(store, FAMILY, pages, f"run-{day}")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A crawler made of the linked data of ordinary pages, and two refreshes."""
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    program = compile_program(FAMILY.schema_spec(), shop()[:4], []).program
    assert program is not None
    body = program.to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    for day in range(2):
        assert serve_day(made, day, shop()).counts.held == 0
    return made


@pytest.mark.parametrize("own", [None, 0, PRODUCTS - 1])
def test_a_graph_of_all_products_takes_no_row_of_another_page(
    store: Store, own: int | None
) -> None:
    """The first of 40,000 products is that of another page; its own one stands first, last, or where it likes."""
    before = store.known(FAMILY)
    graph = [stated(number) for number in range(PRODUCTS)]
    if own is not None:
        graph.insert(own, graph.pop(7))
    pages = shop({"@graph": graph})
    assert len(pages[7].body) < Limits().page_bytes, "the page itself is not refused"
    started = monotonic()
    served = serve_day(store, 2, pages)
    assert monotonic() - started < 3 * Limits().deadline_s
    after = store.known(FAMILY)
    assert after[FIRST] == before[FIRST]
    assert after[SEVENTH] == before[SEVENTH]
    (reading,) = [one for one in served.readings if one.url == SEVENTH]
    is_own = [one["sku"] for one in reading.values] == ["S-7"]
    assert is_own or not published(reading, served.judgement)
