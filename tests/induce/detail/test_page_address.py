import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.page_address import address_candidates
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

SKU = FieldSpec(name="sku", aliases=("product id",))
TITLE = FieldSpec(name="title", required=True)


def shop(address: str, shown: str = "") -> Page:
    head = f"<link rel='canonical' href='{address}'>"
    html = f"<html><head>{head}</head><body><h1>Lamp</h1>{shown}</body></html>"
    return Page(url="https://shop.example/", body=html.encode())


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("/deal/4548094738", "4548094738"),
        ("/lamp-oak-987929.html", "987929"),
        ("/store/122725?pid=260591", "260591"),
        ("/lamps/72216/", "72216"),
        ("/B004512345X", None),
        ("/lamp-2024", None),
        ("/987929/reviews", None),
    ],
)
def test_the_number_at_the_end_of_the_address_is_read(
    address: str, number: str | None
) -> None:
    page = Document(shop(f"https://shop.example{address}"))
    first, _ = address_candidates(SKU, [])
    assert read(first.reader, Scope(page), SKU) == number


@pytest.mark.parametrize(
    ("shown", "count"),
    [
        ("<p>Deal no. 45480</p>", 1),
        ("<a data-pid='45480'>Buy</a>", 1),
        ("<p>454801</p><a href='/deal/45480'>Buy</a>", 0),
        ("", 0),
    ],
)
def test_the_page_has_to_say_the_number_beside_its_address(
    shown: str, count: int
) -> None:
    page = Document(shop("https://shop.example/deal/45480", shown))
    assert len(address_candidates(SKU, [page])) == count


@pytest.mark.parametrize(
    "spec",
    [
        FieldSpec(name="sku"),
        FieldSpec(name="identity"),
        SKU.model_copy(update={"shape": Shape.SET}),
        FieldSpec(name="post_id", kind=FieldKind.DATE),
    ],
)
def test_only_what_somebody_calls_an_id_is_in_the_address(spec: FieldSpec) -> None:
    assert address_candidates(spec, []) == []


def values(learned: Page, later: Page, **known: Value) -> dict[str, Value]:
    schema = RecordSchema(name="Product", fields=(TITLE, SKU))
    examples = [Example(page=0, records=(known,))] if known else []
    program = compile_program(schema, [learned], examples).program
    assert program is not None
    (record,) = run(program, Document(later)).records
    assert "sku" not in record.votes or not record.votes["sku"].is_certain
    return record.values


def test_without_examples_it_is_the_id_where_the_page_says_no_other() -> None:
    borne = "<p>Deal 45480{}</p>"
    one, other = (
        shop(f"https://shop.example/deal/45480{n}", borne.format(n)) for n in (12, 77)
    )
    assert values(one, other) == {"title": "Lamp", "sku": "4548077"}
    assert values(one, other, title="Lamp") == {"title": "Lamp"}
    said = "<p><b>Product ID:</b> <i>QX-{}</i></p>"
    one, other = (
        shop(f"https://shop.example/deal/45480{n}", said.format(n)) for n in (12, 77)
    )
    assert values(one, other) == {"title": "Lamp", "sku": "QX-77"}
