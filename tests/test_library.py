"""The library: compile, extract, heal, with the names the README shows."""

from decimal import Decimal

import pytest
from pydantic import BaseModel, Field

from crawloop_assets import Page, Verdict, compile_crawler, extract, heal_crawler
from crawloop_assets.errors import CompileFailed


class Lamp(BaseModel):
    """A model no worker can import."""

    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})
    rating: Decimal | None = None


NAMES = {1: "Blue lamp", 2: "Green lamp", 3: "Tall lamp", 4: "Desk lamp", 5: "Old lamp"}


def old(number: int) -> Page:
    """The layout before the redesign."""
    html = f"""<html><head><title>{NAMES[number]} | Lights</title></head><body><header><a href="/">Lights</a></header>
    <div class="product" id="p"><h1 class="product__title">{NAMES[number]}</h1>
    <p class="product__price">Price: <span class="amount">{number}9.50 EUR</span></p></div>
    <footer>Lights, since 1999</footer></body></html>"""
    return Page(
        url=f"https://shop.test/{number}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def new(number: int, raised: str = "") -> Page:
    """The layout after it."""
    price = raised or f"{number}9.50"
    html = f"""<html><head><title>{NAMES[number]}</title></head><body><section data-kind="lamp"><h2>{NAMES[number]}</h2>
    <dl><dt>Price</dt><dd>EUR {price}</dd><dt>Weight</dt><dd>{number} kg</dd></dl></section></body></html>"""
    return Page(
        url=f"https://shop.test/{number}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def truth(number: int) -> dict[str, str]:
    return {"title": NAMES[number], "price": f"{number}9.50"}


@pytest.fixture(scope="module")
def crawler():  # type: ignore[no-untyped-def]
    return compile_crawler(Lamp, examples=[(old(n), [truth(n)]) for n in (1, 2, 3)])


def test_a_compiled_crawler_reads_a_page_it_never_saw(crawler) -> None:  # type: ignore[no-untyped-def]
    result = extract(crawler, old(4))
    assert result.records == (Lamp(title="Desk lamp", price=Decimal("49.50")),)
    assert result.verdict is Verdict.OK
    assert result.held == ()
    assert result.fields["price"].agreement > 0.5
    assert result.fields["price"].live_readers >= 2


def test_a_redesigned_page_is_held_not_guessed(crawler) -> None:  # type: ignore[no-untyped-def]
    result = extract(crawler, new(4))
    assert result.held
    assert not any(record.price != Decimal("49.50") for record in result.records)


def test_a_crawler_heals_from_last_known_good_values(crawler) -> None:  # type: ignore[no-untyped-def]
    known = [(new(n), [truth(n)]) for n in (1, 2, 3)]
    healed = heal_crawler(crawler, known=known, pages=[new(5)])
    assert healed.crawler is not None
    assert extract(healed.crawler, new(4, "88.00")).records == (
        Lamp(title="Desk lamp", price=Decimal("88.00")),
    )
    assert set(healed.fields) == {"title", "price", "rating"}


def test_a_page_without_the_values_compiles_nothing_and_says_why() -> None:
    with pytest.raises(CompileFailed) as failed:
        compile_crawler(
            Lamp, examples=[(old(1), [{"title": "Nowhere", "price": "1234.56"}])]
        )
    assert {"title", "price"} <= set(failed.value.scores)


def test_a_listing_gives_one_record_per_row() -> None:
    def shelf(first: int) -> Page:
        rows = "".join(
            f'<li class="row"><a class="name" href="/{n}">Lamp {n}</a> <b class="cost">{n}.25 EUR</b></li>'
            for n in range(first, first + 12)
        )
        html = f"<html><body><h1>Lamps</h1><ul class='rows'>{rows}</ul></body></html>"
        return Page(
            url=f"https://shop.test/list/{first}",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )

    known = [{"title": f"Lamp {n}", "price": f"{n}.25"} for n in range(10, 14)]
    crawler = compile_crawler(Lamp, examples=[(shelf(10), known)], kind="listing")
    records = extract(crawler, shelf(40)).records
    assert [(record.title, record.price) for record in records] == [
        (f"Lamp {n}", Decimal(f"{n}.25")) for n in range(40, 52)
    ]
