"""What a model reads is an oracle as far as the pages do not contradict it: poisoned readers behind a real endpoint."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.heal.oracle import (
    FEWEST_READ,
    MOST_CALLS,
    ModelOracle,
    OracleSaid,
    without_values,
)
from crawloop_assets.llm.question import Purpose
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import FoundUrl
from tests.heal.town import GOODS, NAMES, Town, good, old
from tests.serve.test_opinion import answering, shown_in

PAGES = 6
Says = Callable[[int], dict[str, str | None]]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


def stocked(at: int) -> dict[str, str]:
    return good(at, stock=f"{at + 4} left")


def oracle(town: Town, server: HTTPServer, says: Says) -> ModelOracle:
    """A model that says something of the page that a prompt shows."""
    settings = answering(server, lambda asked: says(shown_in(asked)))
    schema = GOODS.schema_spec()
    reader = ModelReader(
        GOODS,
        schema,
        town.store.calls,
        default_pool(),
        settings,
        "run-1",
        Purpose.ORACLE,
    )
    return ModelOracle(reader, town.store)


def pages(shown: Callable[[int], str] | None = None) -> list[Page]:
    """Goods in the first design, with something more on each page."""
    found = []
    for at in range(PAGES):
        page = old(GOODS, at, stocked(at))
        more = shown(at) if shown else ""
        body = page.body.decode().replace("</main>", f"{more}</main>")
        found.append(page.model_copy(update={"body": body.encode()}))
    return found


def values(said: OracleSaid, name: str) -> list[object]:
    return [record.get(name) for one in said.known for record in one.records]


def test_three_pages_are_enough_where_each_field_was_found(
    town: Town, httpserver: HTTPServer
) -> None:
    said = oracle(town, httpserver, stocked).read(pages())
    assert len(said.known) == FEWEST_READ and not said.poisoned and not said.stopped
    assert values(said, "title") == list(NAMES[:FEWEST_READ])
    assert len(said.pages) == PAGES and len(httpserver.log) == FEWEST_READ


def test_where_a_field_is_wanting_no_more_than_five_calls_are_made(
    town: Town, httpserver: HTTPServer
) -> None:
    asked = oracle(town, httpserver, good)
    said = asked.read(pages())
    assert len(said.known) == len(httpserver.log) == MOST_CALLS
    more = asked.read(pages())
    assert len(more.known) == MOST_CALLS and len(httpserver.log) == 2 * MOST_CALLS


def test_a_model_that_never_fits_costs_no_more_than_five_calls(
    town: Town, httpserver: HTTPServer
) -> None:
    said = oracle(town, httpserver, lambda at: {"records": "none"}).read(pages())
    assert not said.known or not values(said, "title")[0]
    assert len(httpserver.log) <= MOST_CALLS


POISONS: dict[str, tuple[Callable[[int], str], Says, str]] = {
    "twice the price, which the page shows for two": (
        lambda at: f"<p>Two for ${2 * (at + 3.5):.2f}</p>",
        lambda at: good(at, price=f"{2 * (at + 3.5):.2f}"),
        "price",
    ),
    "the price that is crossed out": (
        lambda at: f"<p><del>${at + 13}.25</del></p>",
        lambda at: good(at, price=f"{at + 13}.25"),
        "price",
    ),
    "the name of a product beside it": (
        lambda at: f"<p>You may also like: <a href='/p/x'>Velvet cap {at}</a></p>",
        lambda at: good(at, title=f"Velvet cap {at}"),
        "title",
    ),
    "what data for machines contradict": (
        lambda at: (
            "<script type='application/ld+json'>"
            + json.dumps(
                {"@context": "https://schema.org", "@type": "Product", "sku": f"T{at}"}
                | {"name": NAMES[at], "offers": {"price": f"{at + 3}.50"}}
            )
            + f"</script><p>From ${at + 1}.50 elsewhere</p>"
        ),
        lambda at: good(at, price=f"{at + 1}.50"),
        "price",
    ),
}


@pytest.mark.parametrize("poison", POISONS)
def test_a_consistent_poison_is_caught_where_the_page_contradicts_it(
    poison: str, town: Town, httpserver: HTTPServer
) -> None:
    shown, says, name = POISONS[poison]
    said = oracle(town, httpserver, says).read(pages(shown))
    assert set(said.poisoned) == {name}, poison
    assert values(said, name) == [None] * len(said.known)
    assert None not in values(said, "maker"), "the others are believed"


def test_net_is_caught_where_the_page_shows_the_sum_with_tax(
    town: Town, httpserver: HTTPServer
) -> None:
    def priced(at: int) -> Page:
        page = old(GOODS, at, good(at))
        label = f"<dt>Price</dt><dd class='price-now'>${at + 3}.50</dd>"
        both = f"<p>${at + 3}.50 excl. VAT</p><p>${(at + 3.5) * 1.2:.2f} incl. VAT</p>"
        body = page.body.decode().replace(label, both)
        assert both in body
        return page.model_copy(update={"body": body.encode()})

    said = oracle(town, httpserver, good).read([priced(at) for at in range(PAGES)])
    assert set(said.poisoned) == {"price"}
    assert "net" in said.poisoned["price"]


def test_what_was_known_before_contradicts_as_well(
    town: Town, httpserver: HTTPServer
) -> None:
    before = pages()
    town.learn(GOODS, before, [stocked(at) for at in range(3)])
    town.read(GOODS, before)
    town.store.add_urls(GOODS, [FoundUrl(page.url) for page in before])

    def remade(at: int) -> str:
        return f"<p>In cooperation with Moby {at}</p>"

    says: Says = lambda at: stocked(at) | {"stock": f"Moby {at}"}  # noqa: E731
    said = oracle(town, httpserver, says).read(pages(remade))
    assert set(said.poisoned) == {"stock"}


def test_a_slip_on_one_page_costs_that_value_alone(
    town: Town, httpserver: HTTPServer
) -> None:
    def says(at: int) -> dict[str, str | None]:
        return stocked(at) | ({"price": "13.25"} if at == 1 else {})

    shown = pages(lambda at: "<p><del>$13.25</del></p>")
    said = oracle(town, httpserver, says).read(shown)
    assert not said.poisoned
    assert values(said, "price") == ["3.50", None, "5.50"]


def test_values_are_dropped_by_their_place() -> None:
    known = (Example(page=0, records=({"a": "1", "b": "2"}, {"a": "3"})),)
    said = without_values(OracleSaid((), known), [(0, 1, "a"), (1, 0, "b")])
    assert said.known[0].records == ({"a": "1", "b": "2"}, {})
    assert said.without(frozenset("b")).known[0].records == ({"a": "1"}, {})
