"""The library: compile, extract, heal, with the names the README shows."""

import json
from decimal import Decimal

import pytest
from pydantic import BaseModel, Field, HttpUrl

import crawloop_assets
from crawloop_assets import (
    Crawler,
    Page,
    Verdict,
    compile_crawler,
    extract,
    heal_crawler,
)
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import CompileFailed
from crawloop_assets.library import FieldResult


class Lamp(BaseModel):
    """A model no worker can import."""

    title: str
    price: Decimal = Field(ge=0, json_schema_extra={"volatile": True})
    rating: Decimal | None = None


class Sold(BaseModel):
    """A lamp with the address where it is sold."""

    url: str | None = None
    title: str
    price: Decimal


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


def test_a_field_that_is_read_on_no_page_of_its_examples_is_named() -> None:
    known = {"title": NAMES[1], "price": "19.50", "rating": "4.5"}
    crawler = compile_crawler(Lamp, examples=[(old(1), [known])])
    assert list(crawler.unread) == ["rating"] and "aliases" in crawler.unread["rating"]
    del known["rating"]
    assert compile_crawler(Lamp, examples=[(old(1), [known])]).unread == {}


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


def test_a_known_url_shows_now_what_it_shows_on_its_later_page(crawler) -> None:  # type: ignore[no-untyped-def]
    known = [(old(n), [truth(n)]) for n in (1, 2, 3)]
    healed = heal_crawler(crawler, known=known, pages=[new(1), new(2), new(3)])
    assert healed.crawler is not None
    (record,) = extract(healed.crawler, new(4, "88.00")).records
    assert (record.title, record.price) == ("Desk lamp", Decimal("88.00"))


def test_a_page_without_the_values_compiles_nothing_and_says_why() -> None:
    with pytest.raises(CompileFailed) as failed:
        compile_crawler(
            Lamp, examples=[(old(1), [{"title": "Nowhere", "price": "1234.56"}])]
        )
    assert {"title", "price"} <= set(failed.value.scores)


class Chair(BaseModel):
    """A model that asks for more than an example says."""

    title: str
    price: Decimal
    sku: str = Field(pattern=r"^[A-Z]{2}-\d{3}$")


def chair(number: int, stated: str = "") -> Page:
    """A chair whose linked data says what it is called, and maybe its number."""
    data = {"@type": "Product", "name": NAMES[number]} | json.loads(stated or "{}")
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    html = f"""<html><head>{script}</head><body><h1>{NAMES[number]}</h1>
    <p class="price">Price: <b class="price-now">{number}9.50 EUR</b></p></body></html>"""
    return Page(
        url=f"https://shop.test/chair/{number}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def test_a_crawler_reads_a_record_on_every_page_it_was_made_for() -> None:
    # A required field that no example names is read by what the vocabulary calls it.
    with pytest.raises(CompileFailed, match=r"reads no record on .*/chair/2") as failed:
        compile_crawler(
            Chair,
            examples=[
                (chair(1, '{"sku": "CH-001"}'), [{**truth(1), "sku": "CH-001"}]),
                (chair(2), [truth(2)]),
            ],
        )
    assert failed.value.scores == {"sku": "Field required"}
    assert "make them optional" in str(failed.value)


def test_a_crawler_that_only_a_model_refuses_is_none_either() -> None:
    with pytest.raises(CompileFailed, match="reads no record") as failed:
        compile_crawler(Chair, examples=[(chair(1, '{"sku": "12345"}'), [truth(1)])])
    assert set(failed.value.scores) == {"sku"}


def test_without_examples_one_of_the_pages_has_to_be_read() -> None:
    offer = '{"sku": "CH-001", "offers": {"price": "19.50"}}'
    other = chair(2, '{"sku": "12", "offers": {"price": "29.50"}}')
    crawler = compile_crawler(Chair, pages=[other, chair(1, offer)])
    assert extract(crawler, chair(1, offer)).records[0].sku == "CH-001"
    with pytest.raises(CompileFailed, match="reads no record"):
        compile_crawler(Chair, pages=[other])


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


def test_an_optional_value_that_some_rows_lack_is_no_doubt() -> None:
    rows = "".join(
        f"<li><h3>{name}</h3><b>{at}9.50 EUR</b>{f'<i>{at},5</i>' * (at % 2)}</li>"
        for at, name in NAMES.items()
    )
    page = Page(
        url="https://shop.test/all",
        body=f"<html><body><ul>{rows}</ul></body></html>".encode(),
        headers={"content-type": "text/html"},
    )
    known = [
        {"title": NAMES[at], "price": f"{at}9.50", "rating": f"{at}.5"} for at in (1, 3)
    ]
    crawler = compile_crawler(Lamp, examples=[(page, known)], kind=FamilyKind.LISTING)
    result = extract(crawler, page)
    assert [one.rating for one in result.records][1::2] == [None, None]
    assert len(result.records) == 5 and result.held == ()
    assert result.fields["rating"].sure


def test_what_the_model_refuses_is_held_with_its_reason(crawler) -> None:  # type: ignore[no-untyped-def]
    class Cheap(BaseModel):
        """The same, for people who have little."""

        title: str
        price: Decimal = Field(le=5)

    strict = Crawler(Cheap, crawler.schema, crawler.program)
    result = extract(strict, old(4))
    assert result.records == ()
    assert result.verdict is Verdict.DRIFT
    assert result.held == ("price: Input should be less than or equal to 5",)


def test_a_page_that_is_another_holds_no_record(crawler) -> None:  # type: ignore[no-untyped-def]
    empty = Page(url="https://shop.test/0", body=b"<html><body>Sorry</body></html>")
    result = extract(crawler, empty)
    assert result.verdict is Verdict.DRIFT
    assert result.held == ("no record was found",)
    assert result.fields == {}


def test_a_fault_of_the_crawler_is_a_verdict(crawler) -> None:  # type: ignore[no-untyped-def]
    broken = crawler.program.model_copy(update={"kind": FamilyKind.LISTING})
    result = extract(Crawler(Lamp, crawler.schema, broken), old(4))
    assert result.verdict is Verdict.DRIFT
    assert result.records == ()
    assert len(result.held) == 1 and result.held[0].startswith("CrawlerRaised: ")


def test_the_address_of_the_page_fills_a_url_that_is_not_on_it() -> None:
    crawler = compile_crawler(Sold, examples=[(old(n), [truth(n)]) for n in (1, 2, 3)])
    (record,) = extract(crawler, old(4)).records
    assert record.url == "https://shop.test/4"
    assert record.title == "Desk lamp"


@pytest.mark.parametrize("says_url", [False, True])
def test_a_url_that_every_record_has_may_be_the_address_alone(says_url: bool) -> None:
    class Addressed(Sold):
        url: HttpUrl

    def told(number: int) -> dict[str, str]:
        own = {"url": old(number).url} if says_url else {}
        return truth(number) | own

    crawler = compile_crawler(
        Addressed, examples=[(old(n), [told(n)]) for n in (1, 2, 3)]
    )
    (record,) = extract(crawler, old(4)).records
    assert str(record.url) == "https://shop.test/4"
    healed = heal_crawler(
        crawler, known=[(new(n), [told(n)]) for n in (1, 2, 3)], older=[crawler]
    )
    assert healed.crawler is not None, healed.reason
    (record,) = extract(healed.crawler, new(4)).records
    assert str(record.url) == "https://shop.test/4"


def test_what_cannot_be_healed_says_why(crawler) -> None:  # type: ignore[no-untyped-def]
    gone = Page(url="https://shop.test/1", body=b"<html><body>Closed</body></html>")
    healed = heal_crawler(crawler, known=[(gone, [truth(1)])], older=[crawler])
    assert healed.crawler is None
    assert healed.reason
    assert set(healed.fields) <= {"title", "price", "rating"}


@pytest.mark.parametrize(
    ("agreement", "live_readers", "sure"),
    [(0.8, 2, True), (0.79, 2, False), (0.8, 1, False), (1.0, 5, True)],
)
def test_a_value_is_sure_by_agreement_and_by_readers(
    agreement: float, live_readers: int, sure: bool
) -> None:
    assert FieldResult(agreement, live_readers, 5).sure is sure
    assert not FieldResult(agreement, live_readers, 5, in_doubt=True).sure


def test_what_keeps_a_value_from_being_sure_is_said_as_it_is() -> None:
    alone = FieldResult(0.98, live_readers=1, readers=2)
    assert alone.doubt == "only 1 of 2 readers finds anything"
    rivals = FieldResult(0.98, live_readers=2, readers=2, in_doubt=True)
    assert rivals.doubt == "contradicted, 98% of the readers' weight agrees"
    split = FieldResult(0.6, live_readers=2, readers=2)
    assert split.doubt == "only 60% of the readers' weight agrees"


def test_an_unknown_name_is_no_part_of_the_library() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Spider'"):
        crawloop_assets.Spider  # noqa: B018 - asking is the test
