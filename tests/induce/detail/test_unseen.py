import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.unseen import unseen_labels
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
CURRENCY = FieldSpec(name="currency")
MPN = FieldSpec(name="mpn")
GTIN = FieldSpec(name="gtin")


def document(body: str, language: str = "en") -> Document:
    html = f"<html lang={language}><body>{body}</body></html>"
    return Document(Page(url="https://shop.example/1", body=html.encode()))


def said(spec: FieldSpec, label: str, text: str, language: str = "en") -> list[object]:
    """What the readers of a page that shows no such label give on one that does."""
    page = document(f"<tr><th>{label}:</th><td>{text}</td></tr>", language)
    readers = unseen_labels(spec, [document("<p>Sold out</p>", language)])
    answers = [read(one.reader, Scope(page), spec) for one in readers]
    return [answer for answer in answers if answer is not None]


@pytest.mark.parametrize(
    ("spec", "label", "text", "language", "expected"),
    [
        (PRICE, "Price", "$12.50 & free delivery", "en-GB", "12.50"),
        (PRICE, "Preis", "1.234,50 €", "de", "1234.50"),
        (CURRENCY, "Preis", "1.234,50 €", "de", "€"),
        (MPN, "Item model number", "HX 2000", "en", "HX 2000"),
        (MPN, "Modellnummer", "8856-B", "de", "8856-B"),
        (GTIN, "EAN", "4005556050178", "it", "4005556050178"),
    ],
)
def test_values_with_a_form_are_read_beside_what_shops_write(
    spec: FieldSpec, label: str, text: str, language: str, expected: str
) -> None:
    assert said(spec, label, text, language) == [expected]


@pytest.mark.parametrize(
    ("spec", "label", "text"),
    [
        (PRICE, "Price", "from $12.50"),
        (PRICE, "Price", "12 stars"),
        (PRICE, "Preis", "$12.50"),
        (CURRENCY, "Price", "on request"),
        (MPN, "Item model number", "see below"),
        (MPN, "Item model number", "fits all models of 2019 and later, but not 2020"),
    ],
)
def test_what_has_another_form_or_stands_elsewhere_is_none(
    spec: FieldSpec, label: str, text: str
) -> None:
    assert said(spec, label, text) == []


@pytest.mark.parametrize(
    "spec", [FieldSpec(name="brand"), MPN.model_copy(update={"shape": Shape.SET})]
)
def test_a_field_without_a_form_has_no_such_readers(spec: FieldSpec) -> None:
    assert unseen_labels(spec, [document("")]) == []


def test_pages_that_say_no_language_are_read_as_english() -> None:
    assert [one.reader.at for one in unseen_labels(PRICE, [])] == ["price", "ourprice"]


def test_a_language_without_labels_has_no_readers() -> None:
    assert unseen_labels(PRICE, [document("", "eo")]) == []


BRAND = FieldSpec(name="brand")
SOLD_OUT = "<dl><dt>Brand</dt><dd class='brand'>Acme</dd></dl><p>Sold out</p>"
FOR_SALE = SOLD_OUT.replace("<p>Sold out</p>", "<p><b>Price:</b> <i>$12.50</i></p>")


@pytest.mark.parametrize("examples", [[{"brand": "Acme"}], []])
def test_a_shop_learned_from_what_is_sold_out_tells_prices_of_other_pages(
    examples: list[dict[str, str]],
) -> None:
    schema = RecordSchema(name="Product", fields=(BRAND, PRICE, CURRENCY))
    page, later = document(SOLD_OUT).page, document(FOR_SALE)
    known = [Example(page=0, records=(one,)) for one in examples]
    program = compile_program(schema, [page], known).program
    assert program is not None
    assert run(program, Document(page)).records[0].values == {"brand": "Acme"}
    (record,) = run(program, later).records
    assert record.values == {"brand": "Acme", "price": "12.50", "currency": "$"}
    assert not record.votes["price"].is_certain


def test_a_required_price_has_to_be_on_a_learned_page() -> None:
    price = PRICE.model_copy(update={"required": True})
    schema = RecordSchema(name="Product", fields=(BRAND, price))
    known = [Example(page=0, records=({"brand": "Acme"},))]
    assert compile_program(schema, [document(SOLD_OUT).page], known).program is None


def test_what_reads_something_on_a_learned_page_reads_another_things_price() -> None:
    schema = RecordSchema(name="Product", fields=(BRAND, PRICE))
    shown = FOR_SALE + "<p><b>Price:</b> <i>$9</i></p>"
    known = [Example(page=0, records=({"brand": "Acme"},))]
    program = compile_program(schema, [document(shown).page], known).program
    assert program is not None
    field = program.field("price")
    assert field is not None
    assert [reader.at for reader in field.readers] == ["ourprice"]
