"""What is read where a page says two things and no example tells which is meant."""

import json

import pytest

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value


def said(page: Page, learnt: Page, *fields: FieldSpec) -> dict[str, Value]:
    schema = RecordSchema(
        name="Product", fields=(FieldSpec(name="title", required=True), *fields)
    )
    program = compile_program(schema, [learnt], []).program
    assert program is not None
    return run(program, Document(page)).records[0].values


def shop(shown: str = "", picture: str = "/a.jpg", **stated: Value) -> Page:
    data = json.dumps({"@type": "Product", "name": "Lamp", "image": "/a.jpg", **stated})
    head = f"<meta property='og:image' content='{picture}'><script type='application/ld+json'>{data}</script>"
    html = f"<html><head>{head}</head><body><h1>Lamp</h1><p>{shown}</p></body></html>"
    return Page(
        url="https://shop.example/1",
        body=html.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


IMAGE = FieldSpec(name="image", kind=FieldKind.URL)
CURRENCY = FieldSpec(name="currency")


def test_of_two_pictures_none_is_taken() -> None:
    disputed, agreed = shop(picture="/b.jpg"), shop()
    assert "image" not in said(disputed, disputed, IMAGE)
    assert said(agreed, disputed, IMAGE)["image"] == "https://shop.example/a.jpg"
    assert said(disputed, disputed, IMAGE.model_copy(update={"required": True}))[
        "image"
    ]


@pytest.mark.parametrize(
    ("shown", "taken"),
    [("39.50 €", None), ("€ 39.50", None), ("39.50 EUR", "EUR"), ("", "EUR")],
)
def test_a_code_is_not_taken_for_the_sign_that_is_shown(
    shown: str, taken: str | None
) -> None:
    page = shop(shown, offers={"price": "39.50", "priceCurrency": "EUR"})
    assert said(page, page, CURRENCY).get("currency") == taken


@pytest.mark.parametrize(
    ("shown", "taken"), [("39.50 €", "€"), ("39.50 EUR", "EUR"), ("£ 39.50", None)]
)
def test_the_sign_of_the_stated_currency_is_read_where_a_name_leads_to_it(
    shown: str, taken: str | None
) -> None:
    offers = {"price": "39.50", "priceCurrency": "EUR"}
    page = shop(f"<b class='price'>{shown}</b>", offers=offers)
    assert said(page, page, CURRENCY).get("currency") == taken


def test_a_sign_of_another_currency_elsewhere_on_the_page_is_not_meant() -> None:
    offers = {"price": "39.50", "priceCurrency": "SAR"}
    shown = "<i>Below 50 د.إ</i> <b class='price'>39.50 ر.س</b>"
    page = shop(shown, offers=offers)
    assert said(page, page, CURRENCY).get("currency") == "ر.س"


def test_a_sign_in_place_of_a_code_is_never_certain() -> None:
    offers = {"price": "39.50", "priceCurrency": "EUR"}
    page = shop("<b class='price'>39.50 €</b>", offers=offers)
    schema = RecordSchema(name="Product", fields=(CURRENCY,))
    program = compile_program(schema, [page], []).program
    assert program is not None
    (record,) = run(program, Document(page)).records
    assert record.values == {"currency": "€"}
    assert not record.votes["currency"].is_certain
