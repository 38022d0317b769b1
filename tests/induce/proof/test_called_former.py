"""Prices that a first version reads where a page calls them former ones."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.called_former import called_former
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

PRICE = FieldSpec(name="fee", kind=FieldKind.NUMBER, required=True)
SCHEMA = RecordSchema(name="Course", fields=(FieldSpec(name="title"), PRICE))


def page(at: int, inside: str) -> Page:
    body = f"<html><body><h1>Course {at}</h1><p class='cost'>{inside}</p></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=f"https://folk.test/{at}", body=body.encode(), headers=headers)


PAGES = [
    page(0, "<b>900 kr</b>"),
    page(1, "<i class='price-was'>800 kr</i> <b>700 kr</b>"),
    page(2, "<i class='price-was'>600 kr</i> <b>500 kr</b>"),
]


def program(at: str = ".cost") -> Program:
    def by(spec: FieldSpec, at: str) -> FieldProgram:
        reader = Reader(src=Source.CSS, at=at, kin=Kin.CLASS)
        return FieldProgram(spec=spec, readers=(reader,))

    fields = (by(SCHEMA.fields[0], "h1"), by(PRICE, at))
    return Program(kind=FamilyKind.DETAIL, fields=fields)


def said(at: str, known: dict[str, Value]) -> dict[str, str]:
    documents = list(map(Document, PAGES))
    read = [run(program(at), one) for one in documents]
    page_of = 0 if known.get("fee") == "900" else 1
    return called_former(SCHEMA, documents, read, {page_of: (known,)})


def test_a_price_that_a_class_crosses_out_is_named_with_its_page() -> None:
    assert said(".cost", {"title": "Course 0", "fee": "900"}) == {
        "fee": "fee is read as 800 on https://folk.test/1, which the page calls a former "
        "price: add an example of it"
    }


@pytest.mark.parametrize(
    ("at", "known"),
    [("b", "900"), (".cost", "800")],
    ids=["today's price", "a former one is asked for"],
)
def test_nothing_is_said_of_other_prices(at: str, known: str) -> None:
    assert said(at, {"fee": known}) == {}


def test_such_a_version_waits_for_a_person() -> None:
    known = Example(page=0, records=({"title": "Course 0", "fee": "900"},))
    sheet = prove_first(SCHEMA, program(), PAGES, [known])
    assert "which the page calls a former price" in sheet.reason
    assert "fee" in sheet.unnamed
    assert sheet.probation
    sheet = prove_first(SCHEMA, program("b"), PAGES, [known])
    assert "former price" not in sheet.reason
