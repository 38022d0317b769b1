"""What a page has against what is claimed of it: a poisoned oracle, consistent over all pages."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from crawloop_assets.page import Page
from crawloop_assets.sandbox import ContradictJob, default_pool
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.scout.answers import Contradiction
from crawloop_assets.scout.claims import contradicted

SCHEMA = RecordSchema(
    name="Product",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True),
        FieldSpec(name="brand"),
    ),
)
NAMES = ("Copper kettle", "Walnut lamp", "Linen bag", "Stone bowl")
BRANDS = ("Nordlys", "Lumen", "Vela", "Hesper")
Body = Callable[[int], str]


def price(at: int) -> float:
    return 20.5 + 10 * at


def page(at: int, body: str) -> Page:
    html = f"<html lang='en'><head><title>{NAMES[at]} | The shop</title></head><body>{body}</body></html>"
    return Page(
        url=f"http://shop.test/p/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def linked_data(at: int) -> str:
    offer = {"@type": "Offer", "price": f"{price(at)}", "priceCurrency": "EUR"}
    thing = {"@type": "Product", "name": NAMES[at], "offers": offer}
    thing["brand"] = {"@type": "Brand", "name": BRANDS[at]}
    data = json.dumps({"@context": "https://schema.org"} | thing)
    return f"<script type='application/ld+json'>{data}</script><h1>{NAMES[at]}</h1><p>{price(at)} EUR</p>"


def labelled(at: int) -> str:
    return (
        f"<h1>{NAMES[at]}</h1><dl><dt>Price</dt><dd>{price(at)} EUR</dd>"
        f"<dt>Brand</dt><dd>{BRANDS[at]}</dd><dt>For two</dt><dd>{2 * price(at)} EUR</dd></dl>"
    )


def crossed_out(at: int) -> str:
    return f"<h1>{NAMES[at]}</h1><p><del>{price(at) + 5} EUR</del> <b>{price(at)} EUR</b></p>"


def with_tax(at: int) -> str:
    return (
        f"<h1>{NAMES[at]}</h1><p>{price(at)} EUR excl. VAT</p>"
        f"<p>{price(at) * 1.2:.2f} EUR incl. VAT</p>"
    )


def found(body: Body, **claims: Callable[[int], Any]) -> set[tuple[str, str]]:
    """(field, why) of what speaks against claims on four pages; the same of each page."""
    pages = [page(at, body(at)) for at in range(len(NAMES))]
    claimed = [
        [{name: says(at) for name, says in claims.items()}] for at in range(len(pages))
    ]
    against = contradicted(pages, SCHEMA, claimed).found
    counted = [sum(one.page == at for one in against) for at in range(len(pages))]
    assert len(set(counted)) == 1, counted
    return {(one.field, one.why.partition(" ")[0]) for one in against}


@pytest.mark.parametrize("body", [linked_data, labelled, crossed_out])
def test_nothing_speaks_against_what_is_right(body: Body) -> None:
    assert not found(
        body,
        title=NAMES.__getitem__,
        price=lambda at: str(price(at)),
        brand=BRANDS.__getitem__,
    )


@pytest.mark.parametrize(
    ("body", "factor"), [(linked_data, 2), (labelled, 2), (labelled, 1.5)]
)
def test_a_multiple_of_what_the_page_states_is_refuted(
    body: Body, factor: float
) -> None:
    assert found(body, price=lambda at: str(factor * price(at))) == {("price", "the")}


def test_the_price_that_is_crossed_out_is_refuted() -> None:
    pages = [page(at, crossed_out(at)) for at in range(4)]
    claimed = [[{"price": str(price(at) + 5)}] for at in range(4)]
    against = contradicted(pages, SCHEMA, claimed).found
    assert {one.why for one in against} == {"the page crosses it out"}
    former = RecordSchema(
        name="Product", fields=(FieldSpec(name="old_price", kind=FieldKind.NUMBER),)
    )
    of_former = [[{"old_price": str(price(at) + 5)}] for at in range(4)]
    assert not contradicted(pages, former, of_former).found


def test_net_is_refuted_where_the_page_shows_a_sum_with_tax() -> None:
    assert found(with_tax, price=lambda at: str(price(at))) == {("price", "the")}
    assert not found(with_tax, price=lambda at: f"{price(at) * 1.2:.2f}")

    def net_alone(at: int) -> str:
        return f"<h1>{NAMES[at]}</h1><p>{price(at)} EUR excl. VAT</p>"

    assert not found(net_alone, price=lambda at: str(price(at))), "it shows no other"


def test_a_former_price_is_no_sum_with_tax() -> None:
    """The words for "without tax" stand between two amounts, and are about the second."""

    def reduced(at: int) -> str:
        return (
            f"<h1>{NAMES[at]}</h1><p><del>{price(at) * 1.2:.2f} EUR</del></p>"
            f"<p>{price(at)} EUR {price(at) / 1.2:.2f} EUR without VAT</p>"
        )

    assert not found(reduced, price=lambda at: str(price(at)))
    assert found(reduced, price=lambda at: f"{price(at) / 1.2:.2f}")


@pytest.mark.parametrize("body", [linked_data, labelled, crossed_out])
def test_the_name_of_another_product_is_refuted(body: Body) -> None:
    def other(at: int) -> str:
        return NAMES[(at + 1) % len(NAMES)]

    assert found(body, title=other) == {("title", "the")}
    assert not found(body, title=lambda at: NAMES[at].split()[0]), "it is a part of it"


def test_what_all_pages_say_alike_refutes_nothing() -> None:
    def with_menu(at: int) -> str:
        return f"<h1>{NAMES[at]}</h1><b>Brand:</b> <a>All of them</a><p>By {BRANDS[at]}</p>"

    assert not found(with_menu, brand=BRANDS.__getitem__)


def test_rows_of_a_list_are_judged_by_what_they_look_like_alone() -> None:
    rows = "".join(
        f"<li><b>{NAMES[at]}</b> <s>{price(at) + 5}</s> {price(at)}</li>"
        for at in range(4)
    )
    pages = [page(0, f"<h1>All we have</h1><ul>{rows}</ul>")]
    claimed = [[{"title": NAMES[at], "price": str(price(at))} for at in range(4)]]
    assert not contradicted(pages, SCHEMA, claimed).found
    claimed[0][2]["price"] = str(price(2) + 5)
    assert contradicted(pages, SCHEMA, claimed).found == (
        Contradiction(page=0, row=2, field="price", why="the page crosses it out"),
    )


def test_a_worker_is_asked() -> None:
    pages = tuple(page(at, crossed_out(at)) for at in range(2))
    claimed = tuple(({"price": str(price(at) + 5)},) for at in range(2))
    job = ContradictJob(pages=pages, schema=SCHEMA, claimed=claimed)
    assert default_pool().run(job) == contradicted(pages, SCHEMA, claimed)
