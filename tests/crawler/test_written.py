"""What stands with a value, and what of it contradicts the program's notation."""

import pytest

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.crawler.read import Scope, texts_found
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.crawler.written import Written, written_with
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

SHOWN = Reader(src=Source.CSS, at=".v", kin=Kin.CLASS)
STATED = Reader(
    src=Source.JSON, at="ld:Product.offers.price", get="value", kin=Kin.JSONLD
)
CONTENT = Reader(src=Source.CSS, at="[itemprop=price]", get="@content", kin=Kin.MICRO)


def document(body: str) -> Document:
    html = f"<html><body>{body}</body></html>"
    return Document(Page(url="https://shop.example/1", body=html.encode()))


def otherwise(body: str, *readers: Reader, **spec: str) -> tuple[str, str] | None:
    """What a program with such a notation makes of a page."""
    field = FieldSpec(name="price", **{"kind": FieldKind.NUMBER, **spec})
    title = FieldProgram(
        spec=FieldSpec(name="title"), readers=(Reader(src=Source.CSS, at="p"),)
    )
    read = FieldProgram(spec=field, readers=readers or (SHOWN,))
    program = Program(fields=(title, read))
    page = document(body)
    return run(program, page).records[0].votes["price"].otherwise


def found_by(reader: Reader, place: Scope, value: str) -> Written:
    return written_with([texts_found(reader, place)], place, value)


def price(text: str) -> str:
    return f'<p>Our price <span class="v">{text}</span></p>'


@pytest.mark.parametrize(
    ("body", "currency", "unit"),
    [
        (price("12.50 €"), "EUR", ""),
        (price("USD 12.50"), "USD", ""),
        (price("$12.50"), "$", ""),
        (price("$12.50 CAD"), "CAD", ""),
        (price("12.50 €, about USD 13"), "EUR", ""),
        (price("12.50 kg"), "", "kg"),
        (price("12.50 € / kg"), "EUR", "/kg"),
        (price("12.50"), "", ""),
        ('<p><i>£</i><b class="v">12.50</b></p>', "£", ""),
        ('<p><b class="v">12.50</b> <i>kg</i></p>', "", "kg"),
        # A count beside a price has no currency.
        ('<p><b class="v">12.50</b> <i>$20.00</i></p>', "", ""),
        ('<p><i>20,00€</i> <b class="v">12.50</b></p>', "", ""),
        ('<p><i>20,00 zł</i> <b class="v">12.50</b></p>', "", ""),
        ('<p><b class="v">$12.50</b> <i>20 left</i></p>', "$", ""),
        ('<p><i>3 for</i> <b class="v">$12.50</b></p>', "$", ""),
        ('<p><b class="v">12.50€</b> <i>3 left</i></p>', "EUR", ""),
        # What is sold by the kilogram has its own column for that, and so may a currency.
        ('<table><tr><td class="v">12.50</td><td>kg</td></tr></table>', "", ""),
        ('<table><tr><td class="v">12.50 l</td><td>kg</td></tr></table>', "", "l"),
        ('<table><tr><td class="v">12.50</td><td>EUR</td></tr></table>', "EUR", ""),
        (
            '<div>9 € <p><b class="v">12.50</b></p>' + "words " * 30 + "</div>",
            "",
            "",
        ),
    ],
)
def test_what_stands_right_beside_a_number(body: str, currency: str, unit: str) -> None:
    found = found_by(SHOWN, Scope(document(body)), "12.50")
    assert found == Written(currency, unit)


def test_a_count_that_is_one_of_several_cells_has_no_currency_of_another() -> None:
    cells = Reader(src=Source.CSS, at="td", pipe=(Step(op=Op.NTH, args=(1,)),))
    row = "<table><tr><td>{}</td><td>{}</td></tr></table>"
    page = Scope(document(row.format("$20.00", "14")))
    assert found_by(cells, page, "14") == Written()
    page = Scope(document(row.format("20", "$14.00")))
    assert found_by(cells, page, "14.00") == Written("$")


def test_linked_data_and_microdata_state_it_beside_the_number() -> None:
    offer = '{"@type": "Product", "offers": {"price": 12.5, "priceCurrency": "SEK", "unitText": "kg"}}'
    linked = f'<script type="application/ld+json">{offer}</script>'
    micro = (
        '<div><span itemprop="price" content="12.50"></span>' + "words " * 30
        + '<meta itemprop="priceCurrency" content="PLN"></div>'
        '<meta itemprop="priceCurrency" content="EUR">'
    )  # fmt: skip
    at = Scope(document(linked))
    assert found_by(STATED, at, "12.5") == Written("SEK", "kg")
    assert found_by(CONTENT, Scope(document(micro)), "12.50").currency == "PLN"


def test_another_currency_at_the_value_contradicts() -> None:
    assert otherwise(price("12.50 €"), currency="EUR") is None
    assert otherwise(price("$12.50"), currency="EUR") == ("EUR", "$")
    assert otherwise(price("USD 12.50"), currency="EUR") == ("EUR", "USD")
    assert otherwise(price("$12.50"), currency="CAD") is None
    assert otherwise(price("USD 12.50"), currency="CAD") == ("CAD", "USD")
    assert otherwise(price("$12.50")) is None


def test_a_missing_currency_and_one_elsewhere_contradict_nothing() -> None:
    assert otherwise(price("12.50"), currency="EUR") is None
    assert otherwise(price("12.50") + "<p>Only $9 abroad, USD 9</p>", currency="EUR") is None  # fmt: skip
    assert otherwise(price("12.50 € (about USD 13)"), currency="EUR") is None


def test_another_unit_at_the_value_contradicts() -> None:
    assert otherwise(price("1200 g"), unit="kg") == ("kg", "g")
    assert otherwise(price("1.2 Kilogramm"), unit="kg") is None
    assert otherwise(price("1.2 heavy"), unit="kg") is None
    assert otherwise(price("3 € / 100 g"), unit="/kg") == ("/kg", "/100g")


def test_a_number_that_may_be_a_thousand_is_read_by_what_its_page_writes() -> None:
    others = "<i>12.50 €</i><i>9.90 €</i>"
    assert otherwise(price("1.234") + others, decimal=",") == (",", ".")
    assert otherwise(price("1.234,00") + others, decimal=",") is None
    assert otherwise(price("1.234") + "<i>9.90 €</i>", decimal=",") is None
    assert otherwise(price("1.234"), decimal=",") is None


def test_a_text_that_is_refused_is_written_otherwise() -> None:
    assert otherwise(price("12.50 $"), decimal=",") == (",", "12.50 $")
    assert otherwise(price("no price"), decimal=",") is None


def test_a_date_whose_day_may_be_its_month_is_read_by_what_its_page_writes() -> None:
    spec = {"kind": FieldKind.DATE, "date_order": "MDY"}
    others = "<i>25/04/2021</i><i>26/04/2021</i>"
    assert otherwise(price("03/04/2021") + others, **spec) == ("MDY", "DMY")
    assert otherwise(price("03/04/2021"), **spec) is None
    assert otherwise(price("04/04/2021") + others, **spec) is None


def test_a_number_in_another_unit_stands_with_the_one_it_is_read_in() -> None:
    metres = SHOWN.model_copy(update={"pipe": (Step(op=Op.UNIT, args=("m", "")),)})
    assert otherwise(price("1.2 km"), metres, unit="m") is None
    assert otherwise(price("1.2 km"), SHOWN, unit="m") == ("m", "km")
    much = SHOWN.model_copy(update={"pipe": (Step(op=Op.UNIT, args=("one", "")),)})
    assert otherwise(price("€1.2m"), much, currency="EUR") is None
    assert otherwise(price("$1.2m"), much, currency="EUR") == ("EUR", "$")
